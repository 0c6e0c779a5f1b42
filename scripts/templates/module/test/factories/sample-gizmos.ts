import type { ApiClient } from '../support/api-client.mjs';

/** A sample gizmo, made by `client`; gives the record as it came back. */
export async function buildSampleGizmo(
  client: ApiClient,
  teamId: string,
  fields: Record<string, unknown> = {},
): Promise<any> {
  const answer = await client.post('/sample_gizmos', {
    team_id: teamId,
    display_name: 'First sample gizmo',
    ...fields,
  });
  if (answer.status !== 201) throw new Error(`No sample gizmo: ${answer.text}`);
  return answer.body;
}
