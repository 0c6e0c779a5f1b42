import { newId } from '../../src/platform/common/ids.js';
import type { ApiClient } from '../support/api-client.mjs';
import type { TestServer } from '../support/test-server.js';

export interface BuiltUser {
  readonly id: string;
  readonly client: ApiClient;
}

export interface BuiltTeam {
  readonly id: string;
  /** An open channel of the team. */
  readonly channelId: string;
}

/** Creates a hook as `client` and returns the record of the answer. */
export async function buildIncomingHook(
  client: ApiClient,
  channelId: string,
  fields: Record<string, unknown> = {},
): Promise<any> {
  const answer = await client.post('/api/v4/hooks/incoming', {
    channel_id: channelId,
    display_name: 'Build bot',
    ...fields,
  });
  if (answer.status !== 201) throw new Error(`No hook: ${answer.text}`);
  return answer.body;
}

/** The body of an update as clients send it: the whole record with some fields replaced. */
export const changed = (hook: any, fields: Record<string, unknown> = {}): any => ({ ...hook, ...fields });

/** A signed-in user who is a member of the teams, with `asAdmin` an administrator of each. */
export async function buildMember(
  server: TestServer,
  teamIds: readonly string[] = [],
  asAdmin = false,
): Promise<BuiltUser> {
  const username = `u${newId().slice(0, 12)}`;
  const password = 'a password of a member';
  const created = await server.admin.post('/users', { username, email: `${username}@example.com`, password });
  if (created.status !== 201) throw new Error(`No user: ${created.text}`);
  const { id } = created.body;
  for (const teamId of teamIds) {
    const joined = await server.admin.post(`/teams/${teamId}/members`, { team_id: teamId, user_id: id });
    if (joined.status !== 201) throw new Error(`No team member: ${joined.text}`);
    if (!asAdmin) continue;
    const raised = await server.admin.put(`/teams/${teamId}/members/${id}/schemeRoles`, {
      scheme_user: true,
      scheme_admin: true,
    });
    if (raised.status !== 200) throw new Error(`No team admin: ${raised.text}`);
  }
  return { id, client: await server.login(username, password) };
}

export async function buildChannel(
  client: ApiClient,
  teamId: string,
  type: 'O' | 'P' = 'O',
): Promise<string> {
  const name = `c${newId().slice(0, 12)}`;
  const created = await client.post('/channels', { team_id: teamId, name, display_name: name, type });
  if (created.status !== 201) throw new Error(`No channel: ${created.text}`);
  return created.body.id as string;
}

export async function buildTeam(client: ApiClient): Promise<BuiltTeam> {
  const name = `t${newId().slice(0, 12)}`;
  const created = await client.post('/teams', { name, display_name: name, type: 'O' });
  if (created.status !== 201) throw new Error(`No team: ${created.text}`);
  return { id: created.body.id, channelId: await buildChannel(client, created.body.id) };
}

/** Runs `action` while a role has additional permissions. */
export async function whileGranting<T>(
  server: TestServer,
  roleName: string,
  permissions: readonly string[],
  action: () => Promise<T>,
): Promise<T> {
  const { body: role } = await server.admin.get(`/roles/name/${roleName}`);
  const patch = async (granted: readonly string[]): Promise<void> => {
    const answer = await server.admin.put(`/roles/${role.id}/patch`, { permissions: granted });
    if (answer.status !== 200) throw new Error(`No grant: ${answer.text}`);
  };
  await patch([...role.permissions, ...permissions]);
  try {
    return await action();
  } finally {
    await patch(role.permissions);
  }
}
