import { idOf, THEN } from '../source-database.mjs';
import {
  ann,
  hasRolesInNames,
  hasTable,
  isUtf8,
  missing,
  owner,
  type Row,
  storesTextJson,
  team,
  town,
  type Trap,
  type TrapLayout,
} from './trap.js';

const SIGN_ONS = ['gitlab', 'google', 'office365', 'openid', 'ldap', 'saml'];

const user = (name: string, values: object = {}): Row => {
  const username = name.replaceAll(' ', '.');
  return [
    'Users',
    { Id: idOf(name), Username: username, Email: `${username}@example.test`, ...system, ...values },
  ];
};
const system = { Roles: 'system_user', Locale: 'en' };
const isNew = ({ version }: TrapLayout): boolean => !hasRolesInNames({ name: '', version });
const hasBots = hasTable('Bots', 31);
const bot = (name: string, values: object = {}): Row => [
  'Bots',
  { UserId: idOf(name), OwnerId: owner, ...values },
];
const botUser = (name: string): Row => user(name, { Email: `${name}@localhost`, FirstName: 'A robot' });

/** Users, bots, roles, tokens, sessions and preferences. */
export const accountTraps: readonly Trap[] = [
  {
    name: 'a user with NULL in all columns',
    row: ['Users', { Id: idOf('null user'), isNull: true }],
    is: 'either',
  },
  {
    name: 'a user with NULL in all columns except name and address',
    row: user('nulls', { isNull: true, Roles: null, Locale: null, Props: null }),
    is: 'moved',
    as: { username: 'nulls', nickname: '', roles: '', delete_at: 0, props: {}, is_bot: 0 },
  },
  {
    name: 'a user name and an address with capitals',
    row: user('capitals', { Username: 'Cap.Itals', Email: 'Cap.Itals@Example.test' }),
    is: 'moved',
    as: { username: 'cap.itals', email: 'cap.itals@example.test' },
  },
  {
    name: 'a role list with spaces around it',
    row: user('spaces', { Roles: '  system_admin   system_user ' }),
    is: 'moved',
    as: { roles: 'system_admin system_user' },
  },
  {
    name: 'a role list that is too long here',
    row: user('many roles', {
      Roles: `system_user ${Array.from({ length: 20 }, (_, at) => `custom_role_${at}`).join(' ')}`,
    }),
    is: 'moved',
  },
  {
    name: 'a guest',
    row: user('visitor', { Roles: 'system_guest' }),
    is: 'either',
    told: /guest/i,
  },
  ...SIGN_ONS.map((AuthService): Trap => ({
    name: `an account of the single sign-on ${AuthService}`,
    row: user(`from ${AuthService}`, { AuthService, AuthData: `${AuthService}-7`, Password: '' }),
    is: 'moved',
    as: { password_hash: '' },
    told: /sign-on|single sign|password/i,
  })),
  {
    name: 'an account with a second factor',
    row: user('factor', { MfaActive: 1, MfaSecret: 'JBSWY3DPEHPK3PXP' }),
    is: 'moved',
    told: /mfa|second factor|factor/i,
  },
  {
    name: 'props and a time zone that are not JSON',
    row: user('broken props', { Props: '{"a":', NotifyProps: 'null', Timezone: 'Europe/Berlin' }),
    is: 'moved',
    as: { props: {}, notify_props: expect.any(Object), timezone: expect.any(Object) },
    where: storesTextJson,
  },
  {
    name: 'props that are another kind of JSON',
    row: user('listed props', { Props: '[1,2]', NotifyProps: '"x"', Timezone: '7' }),
    is: 'moved',
    as: { props: {}, notify_props: expect.any(Object), timezone: expect.any(Object) },
  },
  {
    name: 'names outside ASCII',
    row: user('far names', { FirstName: 'فريد', LastName: 'Ünïcode — ✓', Nickname: '🚀🚀' }),
    is: 'moved',
    as: { first_name: 'فريد', last_name: 'Ünïcode — ✓', nickname: '🚀🚀' },
    where: isUtf8,
  },
  {
    name: 'a name of 64 characters of four bytes',
    row: user('wide name', { Nickname: '🚀'.repeat(64) }),
    is: 'moved',
    as: { nickname: '🚀'.repeat(64) },
    where: isUtf8,
  },
  {
    name: 'a user name that is too short or has characters that are refused here',
    row: user('odd name', { Username: 'Ann Lee@home' }),
    is: 'either',
  },
  {
    name: 'times in seconds',
    row: user('seconds', { CreateAt: 1_600_000_000, UpdateAt: 1_600_000_000 }),
    is: 'moved',
  },
  {
    name: 'a negative time',
    row: user('negative', { CreateAt: -5, UpdateAt: -5, DeleteAt: -1 }),
    is: 'either',
    as: { delete_at: 0 },
  },
  {
    name: 'a time beyond exact numbers',
    row: user('huge', { CreateAt: '9223372036854775807', UpdateAt: '9007199254740993' }),
    is: 'either',
  },
  { name: 'an id in capitals', row: user('caps', { Id: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ' }), is: 'either' },
  { name: 'an id that is too short', row: user('short id', { Id: 'short' }), is: 'left' },
  {
    name: 'a user of a connection that does not exist',
    row: user('from far', { RemoteId: idOf('lost cluster'), Props: '{"RemoteUsername":"far"}' }),
    is: 'either',
    where: hasTable('Users.RemoteId', 50),
  },
  {
    name: 'two addresses that differ in case',
    row: user('twin', { Email: 'Twin@example.test' }),
    more: [user('other twin', { Email: 'twin@example.test' })],
    is: 'either',
    told: /renamed|taken/i,
    where: ({ collation }) => collation === 'utf8mb4_bin',
  },
  {
    name: 'two user names that differ in case',
    row: user('double', { Username: 'Double' }),
    more: [user('other double', { Username: 'double' })],
    is: 'either',
    told: /name/i,
    where: ({ collation }) => collation === 'utf8mb4_bin',
  },
  {
    name: 'a bot of a user',
    row: bot('robot', { Description: 'builds' }),
    more: [botUser('robot')],
    is: 'moved',
    as: { is_bot: 1, bot_owner_id: owner, bot_description: 'builds' },
    where: hasBots,
  },
  {
    name: 'a bot of a plugin',
    row: bot('plugged', { OwnerId: 'com.example.plugin-with-a-long-name' }),
    more: [botUser('plugged')],
    is: 'either',
    as: { is_bot: 1 },
    told: /plugin|owner/i,
    where: hasBots,
  },
  {
    name: 'a bot whose owner is missing',
    row: bot('ownerless', { OwnerId: missing }),
    more: [botUser('ownerless')],
    is: 'either',
    as: { is_bot: 1 },
    where: hasBots,
  },
  {
    name: 'a bot without a user',
    row: ['Bots', { UserId: idOf('half a bot'), OwnerId: owner }],
    is: 'left',
    where: hasBots,
  },
  {
    name: 'a disabled bot',
    row: bot('retired', { DeleteAt: THEN + 9 }),
    more: [user('retired', { Email: 'retired@localhost', DeleteAt: THEN + 9 })],
    is: 'moved',
    as: { is_bot: 1, delete_at: THEN + 9 },
    where: hasBots,
  },
  {
    name: 'a bot with NULL in all columns',
    row: ['Bots', { UserId: idOf('blank bot'), isNull: true }],
    more: [botUser('blank bot')],
    is: 'either',
    as: { is_bot: 1 },
    where: hasBots,
  },
  {
    name: 'a member whose roles are flags',
    row: ['TeamMembers', { TeamId: team, UserId: idOf('flagged'), SchemeUser: 1, SchemeAdmin: 1 }],
    more: [user('flagged')],
    is: 'moved',
    as: { scheme_user: 1, scheme_admin: 1, scheme_guest: 0, explicit_roles: '', delete_at: 0 },
    where: isNew,
  },
  {
    name: 'a member whose roles are names',
    row: [
      'TeamMembers',
      { TeamId: team, UserId: idOf('named'), Roles: 'team_user team_admin', isNull: true },
    ],
    more: [user('named')],
    is: 'moved',
    as: { scheme_user: 1, scheme_admin: 1, scheme_guest: 0, explicit_roles: '' },
    where: hasRolesInNames,
  },
  {
    name: 'a channel member whose roles are names',
    row: [
      'ChannelMembers',
      { ChannelId: town, UserId: idOf('chan named'), Roles: ' channel_admin channel_user', isNull: true },
    ],
    more: [user('chan named')],
    is: 'moved',
    as: { scheme_user: 1, scheme_admin: 1, explicit_roles: '' },
    where: hasRolesInNames,
  },
  {
    name: 'a member who has left',
    row: ['TeamMembers', { TeamId: team, UserId: idOf('left'), SchemeUser: 1, DeleteAt: THEN + 7 }],
    more: [user('left')],
    is: 'moved',
    as: { delete_at: THEN + 7 },
  },
  {
    name: 'a member with NULL in all columns',
    row: ['TeamMembers', { TeamId: team, UserId: idOf('plain'), isNull: true }],
    more: [user('plain')],
    is: 'either',
    as: { delete_at: 0, scheme_admin: 0 },
  },
  {
    name: 'a member that does not exist',
    row: ['TeamMembers', { TeamId: team, UserId: missing, SchemeUser: 1 }],
    is: 'left',
  },
  {
    name: 'a member of a team that does not exist',
    row: ['TeamMembers', { TeamId: missing, UserId: ann, SchemeUser: 1 }],
    is: 'left',
  },
  {
    name: 'a channel member with other settings and broken JSON',
    row: [
      'ChannelMembers',
      { ChannelId: town, UserId: idOf('quiet'), SchemeUser: 1, NotifyProps: '{"desktop":' },
    ],
    more: [user('quiet')],
    is: 'moved',
    as: { notify_props: expect.any(Object) },
    where: (layout) => storesTextJson(layout) && isNew(layout),
  },
  {
    name: 'a member of a channel that does not exist',
    row: ['ChannelMembers', { ChannelId: missing, UserId: ann, SchemeUser: 1 }],
    is: 'left',
  },
  {
    name: 'an active token',
    row: [
      'UserAccessTokens',
      { Id: idOf('token'), Token: idOf('token text'), UserId: ann, Description: 'ci', IsActive: 1 },
    ],
    is: 'moved',
    as: { user_id: ann, description: 'ci', is_active: 1 },
  },
  {
    name: 'an inactive token',
    row: ['UserAccessTokens', { Id: idOf('off'), Token: idOf('off text'), UserId: ann, IsActive: 0 }],
    is: 'either',
    as: { is_active: 0 },
  },
  {
    name: 'a token with a long description',
    row: [
      'UserAccessTokens',
      {
        Id: idOf('wordy'),
        Token: idOf('wordy text'),
        UserId: ann,
        Description: 'x'.repeat(3_000),
        IsActive: 1,
      },
    ],
    is: 'moved',
    as: { is_active: 1 },
  },
  {
    name: 'a token of nobody',
    row: [
      'UserAccessTokens',
      { Id: idOf('lost token'), Token: idOf('lost text'), UserId: missing, IsActive: 1 },
    ],
    is: 'left',
  },
  {
    name: 'a token with NULL in all columns',
    row: ['UserAccessTokens', { Id: idOf('null token'), isNull: true }],
    is: 'left',
  },
  {
    name: 'a session that is still valid',
    row: [
      'Sessions',
      { Id: idOf('session'), Token: idOf('session text'), UserId: ann, ExpiresAt: 4_000_000_000_000 },
    ],
    is: 'moved',
    as: { user_id: ann },
  },
  {
    name: 'an expired session',
    row: ['Sessions', { Id: idOf('stale'), Token: idOf('stale text'), UserId: ann, ExpiresAt: 1_000 }],
    is: 'left',
  },
  {
    name: 'a session with NULL in all columns',
    row: ['Sessions', { Id: idOf('null session'), isNull: true }],
    is: 'left',
  },
  {
    name: 'a preference',
    row: [
      'Preferences',
      { UserId: ann, Category: 'display_settings', Name: 'name_format', Value: 'full_name' },
    ],
    is: 'moved',
    as: { value: 'full_name' },
  },
  {
    name: 'a preference with NULL',
    row: ['Preferences', { UserId: ann, Category: 'tutorial_step', Name: ann, Value: null }],
    is: 'moved',
    as: { value: '' },
  },
  {
    name: 'a preference of nobody',
    row: ['Preferences', { UserId: missing, Category: 'theme', Name: '', Value: '{}' }],
    is: 'left',
  },
  {
    name: 'a built-in role with a space before its permissions',
    row: [
      'Roles',
      {
        Id: idOf('team_user'),
        Name: 'team_user',
        Permissions: ' view_team manage_incoming_webhooks',
        BuiltIn: 1,
        SchemeManaged: 1,
      },
    ],
    is: 'moved',
    as: { permissions: expect.arrayContaining(['view_team', 'manage_incoming_webhooks']) },
  },
  {
    name: 'a custom role',
    row: [
      'Roles',
      { Id: idOf('custom_role_1'), Name: 'custom_role_1', Permissions: ' create_post no_such_permission' },
    ],
    is: 'either',
    told: /role/i,
  },
  {
    name: 'a role with NULL in all columns',
    row: ['Roles', { Id: idOf('null role'), isNull: true }],
    is: 'either',
  },
];
