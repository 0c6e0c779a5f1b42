import { newId } from '../../src/platform/common/ids.js';
import type { ApiClient } from '../support/api-client.mjs';

/** A unique channel name. */
export const channelName = (): string => `c${newId().slice(0, 14)}`;

/** Creates a channel as `client` and returns the record of the answer. */
export async function buildChannel(
  client: ApiClient,
  teamId: string,
  fields: Record<string, unknown> = {},
): Promise<any> {
  const name = channelName();
  const body = { team_id: teamId, name, display_name: `Channel ${name}`, type: 'O', ...fields };
  const answer = await client.post('/channels', body);
  if (answer.status !== 201) throw new Error(`No channel: ${answer.text}`);
  return answer.body;
}

/** The channel of a team by name. */
export async function channelNamed(client: ApiClient, teamId: string, name: string): Promise<any> {
  const answer = await client.get(`/teams/${teamId}/channels/name/${name}`);
  if (answer.status !== 200) throw new Error(`No channel ${name}: ${answer.text}`);
  return answer.body;
}

/** Adds a user to a channel. */
export async function joinChannel(client: ApiClient, channelId: string, userId: string): Promise<any> {
  const answer = await client.post(`/channels/${channelId}/members`, { user_id: userId });
  if (answer.status !== 201) throw new Error(`No channel member: ${answer.text}`);
  return answer.body;
}

/** The direct channel of the caller and another user. */
export async function buildDirect(client: ApiClient, userId: string, otherUserId: string): Promise<any> {
  const answer = await client.post('/channels/direct', [userId, otherUserId]);
  if (answer.status !== 201) throw new Error(`No direct channel: ${answer.text}`);
  return answer.body;
}
