import { DataSource } from 'typeorm';
import { Role } from '../../src/messaging/permissions/role.entity.js';
import { newId } from '../../src/platform/common/ids.js';
import type { ApiClient } from '../support/api-client.mjs';
import { useQuickKeys } from '../support/invite-keys.js';
import type { TestServer } from '../support/test-server.js';
import { buildChannel, joinChannel } from './channels.js';
import { insertDeliveries, insertRecovery } from './deliveries.js';
import { buildIncomingHook } from './incoming-hooks.js';
import { buildOutgoingHook } from './outgoing-hooks.js';
import { buildPost } from './posts.js';
import { buildConnection } from './remote-clusters.js';
import { buildOpenTeam, buildTeam, buildTeamMember } from './teams.js';
import { buildUser, USER_PASSWORD } from './users.js';

/** Part of the name or text of everything that a caller without permission must not see. */
export const MARKER = 'nightingale';

const PERMISSIONS_OVER_USERS = [
  'create_user_access_token',
  'edit_other_users',
  'read_user_access_token',
  'revoke_user_access_token',
  'sysconsole_write_user_management_permissions',
  'sysconsole_write_user_management_users',
];

/** Signed-in callers who lack the permission. */
export interface Callers {
  /** Administers another team, and is in no other. */
  readonly outsider: ApiClient;
  /** In the team and its private channel, without further permissions. */
  readonly member: ApiClient;
  /** Administers the team, but is not in its private channel. */
  readonly teamAdmin: ApiClient;
  /** Has a webhook permission, but only in one channel of the team. */
  readonly channelManager: ApiClient;
  /** Has no system role, and is in no team. */
  readonly powerless: ApiClient;
  /** Has every permission on users, but is not a system administrator. */
  readonly supporter: ApiClient;
}

/** A private team with one record of each kind, all owned by other users. */
export type PrivateWorld = Awaited<ReturnType<typeof buildPrivateWorld>>;

export async function buildPrivateWorld(server: TestServer) {
  useQuickKeys(server);
  const { admin } = server;
  const shown = { display_name: `The ${MARKER}` };
  const team = await buildTeam(admin, { ...shown, name: `${MARKER}-team` });
  const archivedTeam = await buildTeam(admin, shown);
  const openTeam = await buildOpenTeam(admin);
  const open = await buildChannel(admin, team.id, { ...shown, name: `${MARKER}-open` });
  const closed = await buildChannel(admin, team.id, { ...shown, name: `${MARKER}-closed`, type: 'P' });
  const archived = await buildChannel(admin, team.id, { ...shown, type: 'P' });
  await admin.call('DELETE', `/channels/${archived.id}`);
  await admin.call('DELETE', `/teams/${archivedTeam.id}`);
  const victim = await buildTeamMember(server, team.id, { username: `${MARKER}1`, nickname: MARKER });
  const other = await buildTeamMember(server, team.id);
  const member = await buildTeamMember(server, team.id);
  const teamAdmin = await buildTeamMember(server, team.id);
  const channelManager = await buildTeamMember(server, team.id);
  const outsider = await buildUser(server);
  await buildTeam(outsider.client);
  const administrator = await buildUser(server, { roles: 'system_admin system_user' });
  const powerless = await buildUser(server, { roles: '' });
  const roles = (await admin.call('GET', '/roles')) as any[];
  const roleId = (name: string): string => roles.find((role) => role.name === name).id;
  await admin.call('PUT', `/roles/${roleId('system_post_all')}/patch`, {
    permissions: PERMISSIONS_OVER_USERS,
  });
  const supporter = await buildUser(server, { roles: 'system_user system_post_all' });
  await admin.call('PUT', `/roles/${roleId('channel_admin')}/patch`, {
    permissions: ['manage_webhooks', 'manage_others_incoming_webhooks', 'manage_others_outgoing_webhooks'],
  });
  for (const { id } of [victim, member]) await joinChannel(admin, closed.id, id);
  for (const { id } of [victim, member, channelManager]) await joinChannel(admin, open.id, id);
  const asAdmin = { scheme_user: true, scheme_admin: true };
  await admin.call('PUT', `/teams/${team.id}/members/${teamAdmin.id}/schemeRoles`, asAdmin);
  await admin.call('PUT', `/channels/${open.id}/members/${channelManager.id}/schemeRoles`, asAdmin);
  const elsewhere = await buildChannel(admin, team.id, shown);

  const post = await buildPost(admin, closed.id, { message: `A ${MARKER} sang.` });
  await admin.call('PUT', `/posts/${post.id}/patch`, { message: `A ${MARKER} sang twice.` });
  await admin.call('POST', `/posts/${post.id}/pin`);
  const openPost = await buildPost(admin, open.id, { message: `Another ${MARKER}.` });
  const hidden = { display_name: MARKER, user_id: victim.id };
  const incoming = await buildIncomingHook(admin, open.id, hidden);
  const closedIncoming = await buildIncomingHook(admin, closed.id, hidden);
  const outgoing = await buildOutgoingHook(admin, team.id, {
    channel_id: open.id,
    display_name: MARKER,
    creator_id: victim.id,
    callback_urls: [`http://127.0.0.1:9/${MARKER}`],
  });
  const movedIncoming = await buildIncomingHook(admin, elsewhere.id, hidden);
  const wideOutgoing = await buildOutgoingHook(admin, team.id, { display_name: MARKER });
  const [delivery] = await insertDeliveries(server, outgoing, 1, { status: 'failed' });
  const recovery = await insertRecovery(server, outgoing);
  const token = await admin.call('POST', `/users/${victim.id}/tokens`, { description: MARKER });
  const adminToken = await admin.call('POST', `/users/${administrator.id}/tokens`, { description: MARKER });
  const bot = await admin.call('POST', '/bots', { username: `${MARKER}-bot`, description: MARKER });
  const { record: remote } = await buildConnection(admin, team.id, { name: MARKER });
  const permissionsOf = (role: string): string[] => roles.find(({ name }) => name === role).permissions;
  const [session] = await admin.call('GET', `/users/${victim.id}/sessions`);
  await admin.call('PUT', `/users/${victim.id}/preferences`, [
    { user_id: victim.id, category: 'songs', name: MARKER, value: MARKER },
  ]);
  const customRoleId = newId();
  await server.app
    .get(DataSource)
    .getRepository(Role)
    .insert({
      ...{ id: customRoleId, name: 'custom', displayName: MARKER, description: '', permissions: [] },
      ...{ createAt: 1, updateAt: 1, deleteAt: 0, schemeManaged: false, builtIn: false },
    });
  const callers: Callers = {
    outsider: outsider.client,
    member: member.client,
    teamAdmin: teamAdmin.client,
    channelManager: channelManager.client,
    powerless: powerless.client,
    supporter: supporter.client,
  };
  const ids = { outsider: outsider.id, powerless: powerless.id };
  return {
    ...{ callers, ids, team, archivedTeam, openTeam, open, closed, archived, elsewhere, victim, other },
    ...{
      post,
      openPost,
      incoming,
      closedIncoming,
      movedIncoming,
      outgoing,
      wideOutgoing,
      delivery: delivery!,
      recovery,
      token,
      adminToken,
      bot,
    },
    ...{
      remote,
      session,
      roleId,
      customRoleId,
      permissionsOf,
      administrator,
      newId,
      password: USER_PASSWORD,
    },
  };
}
