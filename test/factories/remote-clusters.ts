import { newId } from '../../src/platform/common/ids.js';
import type { ApiClient } from '../support/api-client.mjs';
import type { TestServer } from '../support/test-server.js';
import { type BuiltUser, buildUser } from './users.js';

/** The password of invites. No account has it. */
export const INVITE_PASSWORD = 'told over the telephone';

/** The answer to creating a connection. */
export interface BuiltConnection {
  readonly record: any;
  readonly invite: string;
  readonly password: string;
}

/** Creates a pending connection as `client`. `fields` replace parts of the body. */
export async function buildConnection(
  client: ApiClient,
  teamId: string,
  fields: Record<string, unknown> = {},
): Promise<BuiltConnection> {
  const body = { name: 'lisbon', default_team_id: teamId, password: INVITE_PASSWORD, ...fields };
  const answer = await client.post('/api/v4/remotecluster', body);
  if (answer.status !== 201) throw new Error(`No connection: ${answer.text}`);
  const { remote_cluster: record, invite, password = body.password } = answer.body;
  return { record, invite, password };
}

/** Another system administrator. */
export const buildAdministrator = (server: TestServer): Promise<BuiltUser> =>
  buildUser(server, { roles: 'system_admin system_user' });

/** The plaintext of an invite from a server at `siteUrl`. */
export function invitation(siteUrl: string, fields: Record<string, unknown> = {}): Record<string, any> {
  return {
    remote_id: newId(),
    remote_team_id: '',
    site_url: siteUrl,
    token: newId(),
    version: 3,
    ...fields,
  };
}
