import type { ApiClient } from '../support/api-client.mjs';
import { channelNamed } from './channels.js';
import { buildIncomingHook } from './incoming-hooks.js';

/** Creates a hook schedule that is due in an hour. */
export async function buildHookSchedule(
  client: ApiClient,
  teamId: string,
  fields: Record<string, unknown> = {},
): Promise<any> {
  const channel = await channelNamed(client, teamId, 'town-square');
  const hook = await buildIncomingHook(client, channel.id);
  const answer = await client.post('/hook_schedules', {
    team_id: teamId,
    display_name: 'First hook schedule',
    hook_id: hook.id,
    text: 'Coffee is ready.',
    post_at: Date.now() + 3_600_000,
    ...fields,
  });
  if (answer.status !== 201) throw new Error(`No hook schedule: ${answer.text}`);
  return answer.body;
}
