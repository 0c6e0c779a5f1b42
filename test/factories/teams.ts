import { newId } from '../../src/platform/common/ids.js';
import type { ApiClient } from '../support/api-client.mjs';
import type { TestServer } from '../support/test-server.js';
import { type BuiltUser, buildUser } from './users.js';

/** A unique team name. */
export const teamName = (): string => `t${newId().slice(0, 14)}`;

/** Creates a team as `client` and returns the record of the answer. */
export async function buildTeam(client: ApiClient, fields: Record<string, unknown> = {}): Promise<any> {
  const name = teamName();
  const answer = await client.post('/teams', { name, display_name: `Team ${name}`, type: 'O', ...fields });
  if (answer.status !== 201) throw new Error(`No team: ${answer.text}`);
  return answer.body;
}

/** Creates an open team, which anyone may see and join. */
export async function buildOpenTeam(client: ApiClient): Promise<any> {
  const team = await buildTeam(client);
  const answer = await client.put(`/teams/${team.id}/privacy`, { privacy: 'O' });
  if (answer.status !== 200) throw new Error(`Not opened: ${answer.text}`);
  return answer.body;
}

/** Adds a user to a team, with `asAdmin` as its administrator. */
export async function joinTeam(
  server: TestServer,
  teamId: string,
  userId: string,
  asAdmin = false,
): Promise<any> {
  const joined = await server.admin.post(`/teams/${teamId}/members`, { team_id: teamId, user_id: userId });
  if (joined.status !== 201) throw new Error(`No team member: ${joined.text}`);
  if (!asAdmin) return joined.body;
  const raised = await server.admin.put(`/teams/${teamId}/members/${userId}/schemeRoles`, {
    scheme_user: true,
    scheme_admin: true,
  });
  if (raised.status !== 200) throw new Error(`No team admin: ${raised.text}`);
  return joined.body;
}

/** A signed-in member of a team. `fields` are fields of the account. */
export async function buildTeamMember(
  server: TestServer,
  teamId: string,
  fields: Record<string, unknown> = {},
): Promise<BuiltUser> {
  const user = await buildUser(server, fields);
  await joinTeam(server, teamId, user.id);
  return user;
}
