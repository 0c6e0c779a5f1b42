import { answerOf, api, ApiError } from '../api/client';
import type { Explanation } from './form';

const NO_SUCH_NAME = 'app.user.get_by_username.app_error';

/** The id of the account that is typed for the owner of a new webhook; undefined for none, which is who makes it. */
export async function ownerOf(username: string): Promise<string | undefined> {
  const name = username.trim().replace(/^@/, '').toLowerCase();
  if (name === '') return undefined;
  const { id } = await answerOf(
    api.GET('/api/v4/users/username/{username}', { params: { path: { username: name } } }),
  );
  return id;
}

/** That nobody has such a name is about the field of the owner, which the refusal does not name. */
export function ownerRefusal(error: Error, field: 'user_id' | 'creator_id'): Explanation | undefined {
  return error instanceof ApiError && error.id === NO_SUCH_NAME ? { field } : undefined;
}
