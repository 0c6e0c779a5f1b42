import type { RoleDto } from '../src/messaging/permissions/role.dto.js';
import { newId } from '../src/platform/common/ids.js';
import { buildChannel, joinChannel } from './factories/channels.js';
import { buildIncomingHook } from './factories/incoming-hooks.js';
import { buildOutgoingHook } from './factories/outgoing-hooks.js';
import { buildPost } from './factories/posts.js';
import { buildOpenTeam, buildTeam, buildTeamMember, joinTeam } from './factories/teams.js';
import { type BuiltUser, buildUser, USER_PASSWORD } from './factories/users.js';
import type { ApiClient } from './support/api-client.mjs';
import { expectError } from './support/expect-error.js';
import { type PermissionCase, permissionCases } from './support/module-access.js';
import { routesOf } from './support/routes.js';
import { startTestServer, type TestServer } from './support/test-server.js';

type Case = PermissionCase;

/** Permissions of routes not tested here: they cannot be granted, filter results, or are tested with their module. */
const NOT_HERE = [
  'create_bot',
  'list_private_teams',
  'manage_bots',
  'manage_others_bots',
  'manage_roles',
  'manage_secure_connections',
  'manage_shared_channels',
  'manage_system',
  'read_audits',
  'read_bots',
  'read_others_bots',
];

/** The permissions of the role that only `supporter` has. */
const SUPPORT = [
  'create_post',
  'edit_other_users',
  'edit_others_posts',
  'edit_post',
  'join_private_teams',
  'read_other_users_teams',
  'sysconsole_read_user_management_users',
  'sysconsole_write_user_management_permissions',
  'sysconsole_write_user_management_users',
];

let server: TestServer;
let admin: ApiClient;
let teamId: string;
let open: string;
let closed: string;
let member: BuiltUser;
let teamAdmin: BuiltUser;
let supporter: BuiltUser;
let tokenOwner: BuiltUser;
let publicPoster: BuiltUser;
let roles: RoleDto[];

const roleNamed = (name: string): RoleDto => roles.find((role) => role.name === name)!;
const setPermissions = (role: RoleDto, permissions: string[]): Promise<unknown> =>
  admin.call('PUT', `/roles/${role.id}/patch`, { permissions });
const fresh = (): Promise<BuiltUser> => buildTeamMember(server, teamId);
const channelOf = async (type: 'O' | 'P', users: readonly BuiltUser[]): Promise<string> => {
  const { id } = await buildChannel(admin, teamId, { type });
  for (const user of users) await joinChannel(admin, id, user.id);
  return id;
};
const postBy = async (user: BuiltUser): Promise<string> => (await buildPost(user.client, closed)).id;
const tokenOf = async (): Promise<{ token_id: string }> => {
  const path = `/users/${tokenOwner.id}/tokens`;
  return { token_id: (await admin.call('POST', path, { description: 'of an owner' })).id };
};

beforeAll(async () => {
  server = await startTestServer();
  ({ admin } = server);
  teamId = (await buildTeam(admin)).id;
  roles = await admin.call('GET', '/roles');
  await setPermissions(roleNamed('system_post_all'), SUPPORT);
  roles = await admin.call('GET', '/roles');
  member = await fresh();
  teamAdmin = await buildUser(server);
  await joinTeam(server, teamId, teamAdmin.id, true);
  supporter = await buildUser(server, { roles: 'system_user system_post_all' });
  tokenOwner = await buildUser(server, { roles: 'system_user system_user_access_token' });
  publicPoster = await buildUser(server, { roles: 'system_user system_post_all_public' });
  await joinTeam(server, teamId, publicPoster.id);
  open = await channelOf('O', [member, teamAdmin]);
  closed = await channelOf('P', [member, teamAdmin]);
});
afterAll(() => server?.close());

const edit = { message: 'changed' };
const header = { header: 'changed' };
const newChannel = (type: 'O' | 'P'): object => ({ team_id: teamId, name: newId(), display_name: 'n', type });
const patchRoles = { scheme_user: true, scheme_admin: true };

/** Of modules whose permissions stock clients do not know. */
const OWN = permissionCases(() => ({ admin, teamId, member, teamAdmin }));

/** The holder of the role, unless a case says otherwise. */
const HOLDERS: Readonly<Record<string, () => BuiltUser>> = {
  channel_user: () => member,
  team_user: () => member,
  team_admin: () => teamAdmin,
  system_user: () => member,
  system_user_access_token: () => tokenOwner,
  system_post_all_public: () => publicPoster,
  system_post_all: () => supporter,
};

const CASES: readonly Case[] = [
  ...OWN,
  ['create_post', 'channel_user', () => ['POST', '/posts', { channel_id: closed, ...edit }]],
  ['create_post', 'channel_user', async () => ['PUT', `/posts/${await postBy(member)}/patch`, edit]],
  ['edit_post', 'channel_user', async () => ['PUT', `/posts/${await postBy(member)}/patch`, edit]],
  [
    'edit_post',
    'channel_user',
    async () => {
      const id = await postBy(member);
      await member.client.call('PUT', `/posts/${id}/patch`, edit);
      return ['GET', `/posts/${id}/edit_history`];
    },
  ],
  ['delete_post', 'channel_user', async () => ['DELETE', `/posts/${await postBy(member)}`]],
  [
    'upload_file',
    'channel_user',
    () => ['POST', '/posts', { channel_id: closed, ...edit, file_ids: [newId()] }],
  ],
  ['read_channel_content', 'channel_user', () => ['GET', `/channels/${closed}/posts`]],
  ['read_channel', 'channel_user', () => ['GET', `/channels/${closed}/members`]],
  ...(['private', 'public'] as const).flatMap((kind): Case[] => {
    const type = kind === 'public' ? 'O' : 'P';
    const own = (): Promise<string> => channelOf(type, [member]);
    return [
      [
        `manage_${kind}_channel_members`,
        'channel_user',
        async () => ['POST', `/channels/${await own()}/members`, { user_id: teamAdmin.id }],
      ],
      [
        `manage_${kind}_channel_members`,
        'channel_user',
        async () => [
          'DELETE',
          `/channels/${await channelOf(type, [member, teamAdmin])}/members/${teamAdmin.id}`,
        ],
      ],
      [
        `manage_${kind}_channel_properties`,
        'channel_user',
        async () => ['PUT', `/channels/${await own()}/patch`, header],
      ],
      [`delete_${kind}_channel`, 'channel_user', async () => ['DELETE', `/channels/${await own()}`]],
      [`create_${kind}_channel`, 'team_user', () => ['POST', '/channels', newChannel(type)]],
      [
        kind === 'public' ? 'convert_public_channel_to_private' : 'convert_private_channel_to_public',
        'team_admin',
        async () => [
          'PUT',
          `/channels/${await channelOf(type, [teamAdmin])}/privacy`,
          { privacy: kind === 'public' ? 'P' : 'O' },
        ],
      ],
    ];
  }),
  [
    'join_public_channels',
    'team_user',
    async () => ['POST', `/channels/${await channelOf('O', [])}/members`, { user_id: member.id }],
  ],
  ['list_team_channels', 'team_user', () => ['GET', `/teams/${teamId}/channels`]],
  ['view_team', 'team_user', () => ['GET', `/teams/${teamId}`]],
  ['view_team', 'team_user', () => ['GET', `/users/${member.id}/teams/${teamId}/channels`]],
  ['view_team', 'team_user', () => ['POST', `/teams/${teamId}/channels/ids`, [open]]],
  ['read_public_channel', 'team_user', async () => ['GET', `/channels/${await channelOf('O', [])}`]],
  [
    'add_user_to_team',
    'team_user',
    async () => {
      const { id } = await buildUser(server);
      return ['POST', `/teams/${teamId}/members`, { team_id: teamId, user_id: id }];
    },
  ],
  ['invite_user', 'team_user', () => ['POST', `/teams/${teamId}/regenerate_invite_id`]],
  ['invite_user', 'team_user', () => ['PUT', `/teams/${teamId}/privacy`, { privacy: 'I' }], () => teamAdmin],
  [
    'invite_user',
    'team_user',
    () => ['PUT', `/teams/${teamId}/patch`, { allow_open_invite: false }],
    () => teamAdmin,
  ],
  [
    'manage_channel_roles',
    'team_admin',
    () => ['PUT', `/channels/${closed}/members/${member.id}/schemeRoles`, patchRoles],
  ],
  ['manage_team', 'team_admin', () => ['PUT', `/teams/${teamId}/patch`, { description: 'd' }]],
  [
    'manage_team_roles',
    'team_admin',
    async () => ['PUT', `/teams/${teamId}/members/${(await fresh()).id}/schemeRoles`, patchRoles],
  ],
  [
    'remove_user_from_team',
    'team_admin',
    async () => ['DELETE', `/teams/${teamId}/members/${(await fresh()).id}`],
  ],
  ['delete_others_posts', 'team_admin', async () => ['DELETE', `/posts/${await postBy(member)}`]],
  [
    'manage_webhooks',
    'team_admin',
    () => ['POST', '/hooks/incoming', { channel_id: open, display_name: 'new' }],
  ],
  [
    'manage_others_incoming_webhooks',
    'team_admin',
    async () => ['GET', `/hooks/incoming/${(await buildIncomingHook(admin, open)).id}`],
  ],
  [
    'manage_others_outgoing_webhooks',
    'team_admin',
    async () => {
      const hook = await buildOutgoingHook(admin, teamId, { trigger_words: [newId()] });
      return ['GET', `/hooks/outgoing/${hook.id}`];
    },
  ],
  ['create_direct_channel', 'system_user', () => ['POST', '/channels/direct', [member.id, teamAdmin.id]]],
  [
    'create_group_channel',
    'system_user',
    () => ['POST', '/channels/group', [member.id, teamAdmin.id, supporter.id]],
  ],
  [
    'create_team',
    'system_user',
    () => ['POST', '/teams', { name: `t${newId().slice(0, 12)}`, display_name: 'new', type: 'O' }],
  ],
  ['list_public_teams', 'system_user', () => ['GET', '/teams']],
  [
    'join_public_teams',
    'system_user',
    async () => {
      const { id } = await buildOpenTeam(admin);
      return ['POST', `/teams/${id}/members`, { team_id: id, user_id: member.id }];
    },
  ],
  [
    'create_user_access_token',
    'system_user_access_token',
    () => ['POST', `/users/${tokenOwner.id}/tokens`, { description: 'new' }],
  ],
  [
    'create_user_access_token',
    'system_user_access_token',
    async () => ['POST', '/users/tokens/enable', await tokenOf()],
  ],
  ['read_user_access_token', 'system_user_access_token', () => ['GET', `/users/${tokenOwner.id}/tokens`]],
  [
    'read_user_access_token',
    'system_user_access_token',
    async () => ['GET', `/users/tokens/${(await tokenOf()).token_id}`],
  ],
  ...['disable', 'revoke'].map((action): Case => [
    'revoke_user_access_token',
    'system_user_access_token',
    async () => ['POST', `/users/tokens/${action}`, await tokenOf()],
  ]),
  ['create_post_public', 'system_post_all_public', () => ['POST', '/posts', { channel_id: open, ...edit }]],
  ...['edit_post', 'edit_others_posts', 'create_post'].map((permission): Case => [
    permission,
    'system_post_all',
    async () => ['PUT', `/posts/${await postBy(member)}/patch`, edit],
  ]),
  ['edit_other_users', 'system_post_all', () => ['PUT', `/users/${member.id}/patch`, { position: newId() }]],
  [
    'join_private_teams',
    'system_post_all',
    async () => {
      const { id } = await buildTeam(admin);
      return ['POST', `/teams/${id}/members`, { team_id: id, user_id: supporter.id }];
    },
  ],
  ['read_other_users_teams', 'system_post_all', () => ['GET', `/users/${member.id}/teams/members`]],
  ['sysconsole_read_user_management_users', 'system_post_all', () => ['GET', `/users/${member.id}/teams`]],
  [
    'sysconsole_write_user_management_permissions',
    'system_post_all',
    () => [
      'PUT',
      `/roles/${roleNamed('team_post_all_public').id}/patch`,
      { permissions: roleNamed('team_post_all_public').permissions },
    ],
  ],
  ...(['password', 'active'] as const).map((what): Case => [
    'sysconsole_write_user_management_users',
    'system_post_all',
    async () => [
      'PUT',
      `/users/${(await buildUser(server)).id}/${what}`,
      what === 'active' ? { active: true } : { new_password: `${USER_PASSWORD}!` },
    ],
  ]),
];

describe('a permission', () => {
  it('is tested here if a route requires it', () => {
    const asked = routesOf(server).flatMap(({ access }) => {
      if (access?.kind === 'permission') return access.permission;
      return access?.kind === 'policy' ? access.permissions : [];
    });
    const tried = CASES.map(([permission]) => permission);
    expect([...new Set<string>(asked)].filter((each) => !tried.includes(each)).sort()).toEqual(NOT_HERE);
  });

  it.each(CASES.map((each) => ({ name: `${each[0]} of ${each[1]}`, each })))(
    '$name gives access',
    async ({ each: tried }) => {
      const [permission, roleName, build, by = HOLDERS[roleName]!] = tried;
      const role = roleNamed(roleName);
      const request = await build();
      await setPermissions(
        role,
        role.permissions.filter((each) => each !== permission),
      );
      const refused = await by().client.send(...request);
      await setPermissions(role, role.permissions);
      const { status, text } = await by().client.send(...request);
      expect([refused.status, refused.body?.status_code, refused.text.includes('api.')]).toEqual([
        403,
        403,
        true,
      ]);
      expect({ status, text }).toEqual({ status: status === 201 ? 201 : 200, text });
    },
  );
});

describe('a role changed by a stock client', () => {
  const permissionsOf = async (name: string): Promise<string[]> =>
    (await admin.call('GET', `/roles/name/${name}`)).permissions;
  const hooks = async (user: BuiltUser, kind: 'incoming' | 'outgoing'): Promise<number> =>
    (
      await user.client.post(`/hooks/${kind}`, {
        channel_id: open,
        team_id: teamId,
        display_name: newId(),
        trigger_words: [newId()],
        callback_urls: ['http://127.0.0.1/'],
      })
    ).status;
  afterEach(async () => {
    for (const name of ['team_user', 'team_admin', 'channel_user'])
      await setPermissions(roleNamed(name), roleNamed(name).permissions);
  });

  it.each([
    'manage_incoming_webhooks',
    'manage_own_incoming_webhooks',
    'manage_outgoing_webhooks',
    'manage_own_outgoing_webhooks',
  ])('grants and revokes %s', async (name) => {
    await setPermissions(roleNamed('team_user'), [...(await permissionsOf('team_user')), name, name]);
    expect(await permissionsOf('team_user')).toEqual([...roleNamed('team_user').permissions, name]);
    expect([await hooks(member, 'incoming'), await hooks(member, 'outgoing')]).toEqual([201, 201]);
    const without = (await permissionsOf('team_user')).filter((each) => each !== name);
    await setPermissions(roleNamed('team_user'), without);
    expect([await hooks(member, 'incoming'), await hooks(member, 'outgoing')]).toEqual([403, 403]);
  });

  it('keeps the permissions that only this server has on a reset', async () => {
    const reset = [
      ...'manage_team manage_channel_roles manage_own_incoming_webhooks manage_own_outgoing_webhooks'.split(
        ' ',
      ),
      ...'manage_others_incoming_webhooks manage_others_slash_commands playbook_private_create'.split(' '),
    ];
    for (let time = 0; time < 2; time++) {
      await setPermissions(roleNamed('team_admin'), reset);
      const own = OWN.filter(([, role]) => role === 'team_admin').map(([permission]) => permission);
      const kept = ['manage_webhooks', 'bypass_incoming_webhook_channel_lock', ...own];
      expect((await permissionsOf('team_admin')).sort()).toEqual([...reset, ...kept].sort());
      expect([await hooks(teamAdmin, 'incoming'), await hooks(teamAdmin, 'outgoing')]).toEqual([201, 201]);
    }
    for (let time = 0; time < 2; time++) {
      await setPermissions(roleNamed('channel_user'), ['read_channel', 'create_post', 'use_slash_commands']);
      expect(await permissionsOf('channel_user')).toContain('read_channel_content');
      expect((await member.client.get(`/channels/${closed}/posts`)).status).toBe(200);
    }
  });

  it('of system administrators keeps everything', async () => {
    const { id, permissions } = roleNamed('system_admin');
    const stock = ['manage_system', 'manage_roles', 'create_post', 'sysconsole_read_plugins'];
    const { status, body } = await admin.put(`/roles/${id}/patch`, { permissions: stock });
    expect([status, [...body.permissions].sort()]).toEqual([
      200,
      [...permissions, 'sysconsole_read_plugins'].sort(),
    ]);
    const unmanaged = permissions.filter((each) => each !== 'manage_system');
    expect((await admin.put(`/roles/${id}/patch`, { permissions: unmanaged })).status).toBe(501);
    expect((await permissionsOf('system_admin')).sort()).toEqual([...body.permissions].sort());
  });

  it.each(['manage_everything', 'Manage_Webhooks', ' manage_webhooks', 'no name', '', 'p'.repeat(99)])(
    'rejects the unknown permission "%s"',
    async (name) => {
      for (const { id, name: role, permissions } of [roleNamed('team_user'), roleNamed('system_admin')]) {
        const answer = await admin.put(`/roles/${id}/patch`, { permissions: [...permissions, name] });
        expectError(answer, 400, 'api.context.invalid_body_param.app_error', `"${name.slice(0, 64)}"`);
        expect(await permissionsOf(role)).not.toContain(name);
      }
    },
  );

  it('gives no more than the caller holds, by a stock name', async () => {
    const { id, permissions } = roleNamed('team_post_all_public');
    for (const name of ['manage_incoming_webhooks', 'manage_others_webhooks', 'manage_remote_clusters']) {
      const patch = { permissions: [...permissions, name] };
      expect((await supporter.client.put(`/roles/${id}/patch`, patch)).status).toBe(403);
    }
  });
});
