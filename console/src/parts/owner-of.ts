import { answerOf, api, ApiError } from '../api/client';
import type { Explanation } from './form';

const NO_SUCH_NAME = 'app.user.get_by_username.app_error';

/** Account id of the typed owner; undefined if empty, so that the caller becomes the owner. */
export async function ownerOf(username: string): Promise<string | undefined> {
  const name = username.trim().replace(/^@/, '').toLowerCase();
  if (name === '') return undefined;
  const { id } = await answerOf(
    api.GET('/api/v4/users/username/{username}', { params: { path: { username: name } } }),
  );
  return id;
}

/** An unknown username concerns the owner field, which the error does not name. */
export function ownerRefusal(error: Error, field: 'user_id' | 'creator_id'): Explanation | undefined {
  return error instanceof ApiError && error.id === NO_SUCH_NAME ? { field } : undefined;
}
