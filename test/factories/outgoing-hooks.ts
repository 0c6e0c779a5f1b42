import type { ApiClient } from '../support/api-client.mjs';

/** Creates an outgoing hook as `client` and returns the record of the answer. */
export async function buildOutgoingHook(
  client: ApiClient,
  teamId: string,
  fields: Record<string, unknown> = {},
): Promise<any> {
  const answer = await client.post('/api/v4/hooks/outgoing', {
    team_id: teamId,
    display_name: 'Deployer',
    trigger_words: ['deploy'],
    callback_urls: ['http://127.0.0.1:9/'],
    ...fields,
  });
  if (answer.status !== 201) throw new Error(`No outgoing hook: ${answer.text}`);
  return answer.body;
}
