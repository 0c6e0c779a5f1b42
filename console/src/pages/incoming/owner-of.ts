import { answerOf, api } from '../../api/client';

/** What names the owner of a new webhook; nothing for who makes it. */
export async function ownerOf(username: string): Promise<{ user_id?: string }> {
  const name = username.trim().replace(/^@/, '').toLowerCase();
  if (name === '') return {};
  const { id } = await answerOf(
    api.GET('/api/v4/users/username/{username}', { params: { path: { username: name } } }),
  );
  return { user_id: id };
}
