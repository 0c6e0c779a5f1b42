import { isBcryptHash } from '../../../messaging/users/passwords/password-hasher.js';
import { tokenHash } from '../../../messaging/auth/presented-token.js';
import type { Fields } from './fields.js';
import { Left, type TableImport, type World } from './table-import.js';
import type { MattermostDatabase, SourceRow } from './source.js';

const GUEST = 'system_guest';

/** Adds the row of `Bots` to those users that are bots. */
async function withBots(rows: SourceRow[], source: MattermostDatabase): Promise<SourceRow[]> {
  const columns = ['UserId', 'Description', 'OwnerId'];
  const ids = rows.map((row) => row['Id']);
  const bots = await source.rows('Bots', columns, { sql: 'WHERE UserId IN (?)', parameters: [ids] });
  const byId = new Map(bots.map((bot) => [bot['UserId'], bot]));
  return rows.map((row) => {
    const bot = byId.get(row['Id']);
    return bot ? { ...row, IsBot: 1, BotDescription: bot['Description'], BotOwnerId: bot['OwnerId'] } : row;
  });
}

/** The password to store: bcrypt hashes work as they are, and become argon2id at the next sign-in. */
function passwordOf(fields: Fields, isBot: boolean): string {
  const hash = fields.text('Password');
  const service = fields.text('AuthService');
  if (service !== '') fields.note('single sign-on: needs a new password', service);
  else if (hash !== '' && !isBcryptHash(hash)) fields.note('unknown password hash: needs a new password');
  else if (!isBot && hash !== '') return hash;
  return '';
}

/** A name that no earlier row has, because here names are lower-case and unique. */
function uniqueName(fields: Fields, world: World, space: string, name: string, rename: string): string {
  const id = fields.text('Id');
  const owner = world.names.get(`${space} ${name}`);
  const free = owner === undefined || owner === id ? name : rename;
  if (free !== name) fields.note('renamed: the name is taken', `${name} is ${free}`);
  world.names.set(`${space} ${free}`, id);
  return free;
}

const usersTable: TableImport<'User'> = {
  from: 'Users',
  to: 'User',
  key: ['Id'],
  keyHere: ['id'],
  name: 'Username',
  columns: [
    ...['Id', 'CreateAt', 'UpdateAt', 'DeleteAt', 'Username', 'Password', 'AuthService', 'Email', 'Roles'],
    ...['EmailVerified', 'Nickname', 'FirstName', 'LastName', 'Position', 'Props', 'NotifyProps', 'Timezone'],
    ...['Locale', 'LastPasswordUpdate', 'LastLogin', 'MfaActive', 'RemoteId'],
  ],
  kept: ['failedAttempts', 'lastFailedAt', 'lastLogin', 'knownAddresses', 'isDeactivatedHere'],
  complete: withBots,
  map(fields, world) {
    const id = fields.id('Id');
    if (id === '') return new Left('malformed id');
    const isBot = fields.flag('IsBot');
    const roles = fields.names('Roles');
    const isGuest = roles.includes(GUEST);
    const remoteId = fields.id('RemoteId');
    const isStranded = remoteId !== '' && !world.remotes.has(remoteId);
    if (isGuest) fields.note('guest: deactivated');
    if (isStranded) fields.note('user of a connection that is not imported: deactivated');
    if (fields.flag('MfaActive')) fields.note('multi-factor authentication is not available');
    const botOwnerId = isBot ? fields.id('BotOwnerId') : '';
    if (isBot && botOwnerId === '') fields.note('bot without an owner', fields.text('BotOwnerId'));
    const [createAt, updateAt, deleteAt] = ['CreateAt', 'UpdateAt', 'DeleteAt'].map((name) =>
      fields.time(name),
    );
    const username = fields.text('Username', 64).toLowerCase() || id;
    const email = fields.text('Email', 128).toLowerCase() || `${id}@localhost`;
    world.users.set(id, { isBot });
    return {
      id,
      createAt: createAt ?? 0,
      updateAt: updateAt ?? 0,
      deleteAt: deleteAt || (isGuest || isStranded ? updateAt || world.now : 0),
      username: uniqueName(fields, world, 'username', username, `${username.slice(0, 59)}-${id.slice(0, 4)}`),
      passwordHash: passwordOf(fields, isBot),
      email: uniqueName(fields, world, 'email', email, `${id}@localhost`),
      emailVerified: fields.flag('EmailVerified'),
      emailSource: fields.flag('EmailVerified') ? '' : 'sign-up',
      nickname: fields.text('Nickname', 64),
      firstName: fields.text('FirstName', 64),
      lastName: fields.text('LastName', 64),
      position: fields.text('Position', 128),
      roles: rolesOf(roles, isGuest).join(' ').slice(0, 256),
      props: fields.texts('Props'),
      notifyProps: fields.texts('NotifyProps'),
      timezone: fields.texts('Timezone'),
      locale: fields.text('Locale', 5) || 'en',
      lastPasswordUpdate: fields.time('LastPasswordUpdate'),
      failedAttempts: 0,
      lastFailedAt: 0,
      lastLogin: fields.time('LastLogin'),
      knownAddresses: '',
      remoteId: isStranded ? '' : remoteId,
      isDeactivatedHere: false,
      isBot,
      botOwnerId,
      botDescription: isBot ? fields.text('BotDescription', 1024) : '',
    };
  },
};

function rolesOf(roles: readonly string[], isGuest: boolean): readonly string[] {
  const others = roles.filter((role) => role !== GUEST);
  return isGuest && !others.includes('system_user') ? ['system_user', ...others] : others;
}

const preferencesTable: TableImport<'Preference'> = {
  from: 'Preferences',
  to: 'Preference',
  key: ['UserId', 'Category', 'Name'],
  keyHere: ['userId', 'category', 'name'],
  name: 'UserId',
  columns: ['UserId', 'Category', 'Name', 'Value'],
  map(fields, world) {
    const userId = fields.id('UserId');
    if (!world.users.has(userId)) return new Left('the user does not exist');
    const [category, name] = [fields.text('Category'), fields.text('Name')];
    return { userId, category, name, value: fields.bytes('Value', 65_535) };
  },
};

const tokensTable: TableImport<'UserAccessToken'> = {
  from: 'UserAccessTokens',
  to: 'UserAccessToken',
  key: ['Id'],
  keyHere: ['id'],
  name: 'Id',
  columns: ['Id', 'Token', 'UserId', 'Description', 'IsActive', 'ExpiresAt'],
  kept: ['createAt', 'expiryReminders', 'lastUsed'],
  addedAt: 'createAt',
  map(fields, world) {
    const [id, userId, token] = [fields.id('Id'), fields.id('UserId'), fields.text('Token')];
    if (id === '' || token === '') return new Left('malformed');
    if (!world.users.has(userId)) return new Left('the user does not exist');
    return {
      id,
      tokenHash: tokenHash(token),
      userId,
      description: fields.text('Description', 255),
      isActive: fields.flag('IsActive'),
      createAt: world.now,
      expiresAt: fields.time('ExpiresAt'),
      expiryReminders: 0,
      lastUsed: 0,
    };
  },
};

/** Sessions are imported on request. */
export const sessionsTable: TableImport<'Session'> = {
  from: 'Sessions',
  to: 'Session',
  key: ['Id'],
  keyHere: ['id'],
  name: 'Id',
  columns: [
    'Id',
    'Token',
    'CreateAt',
    'ExpiresAt',
    'LastActivityAt',
    'UserId',
    'DeviceId',
    'Props',
    'IsOAuth',
  ],
  kept: ['lastActivityAt', 'expiresAt'],
  addedAt: 'createAt',
  map(fields, world) {
    const [id, userId, token] = [fields.id('Id'), fields.id('UserId'), fields.text('Token')];
    if (id === '' || token === '') return new Left('malformed');
    if (!world.users.has(userId)) return new Left('the user does not exist');
    const expiresAt = fields.time('ExpiresAt');
    if (expiresAt > 0 && expiresAt <= world.now) return new Left('expired');
    const { csrf = '', platform = '', os = '', browser = '', type } = fields.texts('Props');
    if (fields.flag('IsOAuth') || type === 'UserAccessToken') return new Left('not a sign-in of a person');
    return {
      id,
      tokenHash: tokenHash(token),
      csrfHash: csrf === '' ? '' : tokenHash(csrf),
      userId,
      createAt: fields.time('CreateAt'),
      expiresAt,
      lastActivityAt: fields.time('LastActivityAt'),
      deviceId: fields.text('DeviceId', 512),
      props: { platform, os, browser },
    };
  },
};

export { preferencesTable, tokensTable, uniqueName, usersTable };
