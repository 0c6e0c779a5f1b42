import { inflateSync } from 'node:zlib';
import { hashSync } from '@node-rs/bcrypt';
import { DataSource, In } from 'typeorm';
import { User } from '../src/messaging/users/user.entity.js';
import { Preference } from '../src/messaging/users/preference.entity.js';
import { UsersService } from '../src/messaging/users/users.service.js';
import { newId } from '../src/platform/common/ids.js';
import type { Answer, ApiClient } from './support/api-client.mjs';
import { expectError } from './support/expect-error.js';
import { checkAnswer } from './support/answer-check.mjs';
import { lateAttempts } from './support/test-database.js';
import { startTestServer, type TestServer } from './support/test-server.js';
import {
  type BuiltUser,
  buildRemoteUser,
  buildUser,
  newAccount,
  REMOTE_USER,
  USER_PASSWORD,
} from './factories/users.js';

const UNKNOWN = newId();
const DENIED = 'api.context.permissions.app_error';
const EXPIRED = 'api.context.session_expired.app_error';
const BAD_BODY = 'api.context.invalid_body_param.app_error';
const BAD_URL = 'api.context.invalid_url_param.app_error';
const MISSING = 'app.user.missing_account.const';
const NOT_OPEN = 'api.user.create_user.no_open_server';
const invalid = (rule: string): string => `model.user.is_valid.${rule}.app_error`;

let server: TestServer;
let anna: BuiltUser;

/** The list in a response. */
const listOf = (answer: Answer): any[] => answer.body as any[];
const namesOf = (answer: Answer): string[] => listOf(answer).map((user) => user.username as string);
const create = (fields: Record<string, unknown> = {}, client = server.admin): Promise<Answer> =>
  client.post('/users', newAccount(fields));
const patch = (user: BuiltUser, body: unknown): Promise<Answer> => user.client.put('/users/me/patch', body);

type Refused = [call: string, body: unknown, status: number, id: string, named?: string];

/** Requests that are refused. `{anna}`, `{admin}` and `{unknown}` stand for ids. */
function refuses(...rows: Refused[]): void {
  it.each(rows)('refuses %s (%#)', async (...[call, body, status, id, named]) => {
    const ids: Record<string, string> = { anna: anna.id, admin: server.adminId, unknown: UNKNOWN };
    const fill = (text: string): string => text.replace(/\{(\w+)\}/g, (_, who: string) => ids[who]!);
    const [caller, method = '', path = ''] = fill(call).split(' ');
    const client = caller === 'anna' ? anna.client : server.admin;
    const sent: unknown = body === undefined ? undefined : JSON.parse(fill(JSON.stringify(body)));
    expectError(await client.send(method, path, sent), status, id, named);
  });
}

beforeAll(async () => {
  server = await startTestServer();
  anna = await buildUser(server);
});
afterAll(() => server.close());

describe('the first accounts of a server', () => {
  let empty: TestServer;
  beforeEach(async () => {
    empty = await startTestServer({ BOOTSTRAP: 'none' });
  });
  afterEach(() => empty.close());

  const eight = (): Promise<Answer[]> =>
    Promise.all(Array.from({ length: 8 }, () => create({}, empty.anonymous)));

  it('makes one of many simultaneous users administrator, but no bot, then closes sign-up', async () => {
    const records = empty.app.get(UsersService);
    const bot = await records.createBot({ username: 'early', displayName: '', description: '', ownerId: '' });
    const answers = await eight();
    const [first, ...others] = answers.sort((a, b) => a.status - b.status);
    expect([first!.status, first!.body.roles]).toEqual([201, 'system_admin system_user']);
    for (const answer of others) expectError(answer, 403, NOT_OPEN);
    expect((await records.get(bot.id)).roles).toBe('system_user');
    const admin = await empty.login(first!.body.username, USER_PASSWORD);
    expect((await create({}, admin)).body.roles).toBe('system_user');
  });

  it('makes one administrator also on an open server', async () => {
    await empty.withSettings({ enableOpenServer: true }, async () => {
      const roles = (await eight()).map(({ body }) => body.roles as string).sort();
      expect(roles).toEqual(['system_admin system_user', ...Array<string>(7).fill('system_user')]);
    });
  });
});

describe('POST /users', () => {
  it('creates an account with all defaults', async () => {
    const answer = await create({ username: 'Foo.Bar', email: 'Foo.Bar@Example.com' });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      username: 'foo.bar',
      email: 'foo.bar@example.com',
      roles: 'system_user',
      locale: 'en',
      delete_at: 0,
      auth_service: '',
      nickname: '',
      timezone: { useAutomaticTimezone: 'true', automaticTimezone: '', manualTimezone: '' },
      notify_props: { email: 'true', push: 'mention', channel: 'true', comments: 'never', mention_keys: '' },
      disable_welcome_email: false,
    });
    expect(answer.body.create_at).toBe(answer.body.update_at);
    expect(answer.text).not.toMatch(/password"|hash|argon/);
  });

  it('generates a missing name, replaces an unknown locale, and ignores server-owned fields', async () => {
    const own = { roles: 'system_admin', create_at: 1, delete_at: 5, failed_attempts: 9 };
    const { body } = await create({ username: '', locale: 'xx', ...own, last_password_update: 7 });
    expect(body.username).toMatch(/^[a-z0-9]{26}$/);
    expect(body).toMatchObject({ locale: 'en', roles: 'system_user', delete_at: 0 });
    expect(body.create_at).toBeGreaterThan(1);
    expect(body.last_password_update).toBe(body.create_at);
    expect(body).not.toHaveProperty('failed_attempts');
  });

  it('lets only an administrator mark the e-mail address as verified', async () => {
    expect((await create({ email_verified: true })).body.email_verified).toBe(true);
    await server.withSettings({ enableOpenServer: true }, async () => {
      const { body } = await create({ email_verified: true }, server.anonymous);
      expect(body).not.toHaveProperty('email_verified');
      expect(body.roles).toBe('system_user');
    });
  });

  it.each<[string, Record<string, unknown>, string, string]>([
    ['a reserved name', { username: 'system' }, invalid('username'), 'username'],
    ['the name of the @here mention', { username: 'Here' }, invalid('username'), 'username'],
    ["the name of the server's bot", { username: 'Hookline' }, invalid('username'), 'username'],
    ['the name of webhooks', { username: 'webhook' }, invalid('username'), 'username'],
    ["the name of Mattermost's bot", { username: 'matterbot' }, invalid('username'), 'username'],
    ['the address of a bot', { email: 'hookline@localhost' }, invalid('email'), 'email'],
    ['a name of 65 bytes', { username: 'a'.repeat(65) }, invalid('username'), 'username'],
    ['no e-mail address', { email: '' }, invalid('email'), 'email'],
    ['an address of 129 bytes', { email: `${'a'.repeat(117)}@example.com` }, invalid('email'), 'email'],
    ['a short password', { password: '1234567' }, invalid('pwd_min_length'), 'password'],
    ['no password', { password: undefined }, invalid('pwd_min_length'), 'password'],
    ['a password of 73 bytes', { password: 'ä'.repeat(36) + 'x' }, invalid('pwd_max_length'), 'password'],
    ['a long nickname', { nickname: '😀'.repeat(65) }, invalid('nickname'), 'nickname'],
    ['a long first name', { first_name: 'x'.repeat(65) }, invalid('first_name'), 'first_name'],
    ['a long last name', { last_name: 'x'.repeat(65) }, invalid('last_name'), 'last_name'],
    ['a long position', { position: 'x'.repeat(129) }, invalid('position'), 'position'],
    ['a long time zone', { timezone: { a: 'x'.repeat(260) } }, invalid('timezone_limit'), 'timezone'],
    ['an id', { id: UNKNOWN }, 'app.user.save.existing.app_error', 'id'],
    ['a foreign identity', { auth_service: 'ldap' }, invalid('auth_data_type'), 'auth_service'],
    ['foreign data', { auth_data: 'x' }, invalid('auth_data_type'), 'auth_data'],
    ['a number instead of a name', { username: 5 }, BAD_BODY, 'username'],
    ['a list instead of props', { props: [] }, BAD_BODY, 'props'],
    ['props that are not strings', { props: { a: 1 } }, BAD_BODY, 'props'],
    ['a NUL character', { nickname: 'a\0b' }, BAD_BODY, 'nickname'],
  ])('refuses %s', async (_, fields, id, named) => expectError(await create(fields), 400, id, named));

  it.each(['', '{', '[]', '"x"', '7'])('refuses the body %s', async (raw) => {
    expectError(await server.admin.post('/users', undefined, { raw }), 400, BAD_BODY, 'user');
  });

  it('accepts the service of password accounts, and values at the limits', async () => {
    const email = `${newId()}${'a'.repeat(90)}@example.com`;
    const account = { nickname: '😀'.repeat(64), password: 'ä'.repeat(36), email, auth_service: 'email' };
    const { body } = await create(account);
    expect(body.nickname).toBe('😀'.repeat(64));
    expect((await server.login(body.username, account.password)).token).toBeTruthy();
    expect((await create({ password: 'ääää' })).status).toBe(201); // 8 bytes
  });

  it.each(['username', 'email'] as const)(
    'creates one account of simultaneous ones with a %s',
    async (field) => {
      const id = `app.user.save.${field}_exists.app_error`;
      expectError(await create({ [field]: anna[field].toUpperCase() }), 400, id, field);
      const value = newAccount()[field];
      const answers = await Promise.all(Array.from({ length: 8 }, () => create({ [field]: value })));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      for (const answer of answers.filter(({ status }) => status !== 201))
        expectError(answer, 400, id, field);
    },
  );

  it('returns 501 while sign-up is disabled', async () => {
    await server.withSettings({ enableUserCreation: false }, async () => {
      const id = 'api.user.create_user.signup_email_disabled.app_error';
      for (const client of [server.anonymous, server.admin]) expectError(await create({}, client), 501, id);
    });
  });

  it('is closed to callers without a session and to members, and open on an open server', async () => {
    for (const client of [server.anonymous, anna.client, server.anonymous.as(UNKNOWN)])
      expectError(await create({}, client), 403, NOT_OPEN);
    await server.withSettings({ enableOpenServer: true }, async () => {
      expect((await create({}, server.anonymous)).status).toBe(201);
    });
  });

  it('rejects unknown invitations', async () => {
    const account = newAccount();
    expectError(await server.anonymous.post(`/users?iid=${UNKNOWN}`, account), 404);
    const byMail = await server.anonymous.post('/users?t=abc', account);
    expectError(byMail, 400, 'api.user.create_user.signup_link_invalid.app_error');
    expectError(await server.admin.get(`/users/username/${String(account['username'])}`), 404);
  });
});

describe('looking a user up', () => {
  it('returns the own record, that of another user, and the view of an administrator', async () => {
    const me = await anna.client.get('/users/me');
    expect(me.body).toMatchObject({ id: anna.id, notify_props: { email: 'true' } });
    expect(me.body).not.toHaveProperty('last_login');
    const { body: other } = await anna.client.get(`/users/${server.adminId}`);
    const hidden = ['notify_props', 'auth_data', 'last_password_update', 'last_login', 'email_verified'];
    expect(Object.keys(other).filter((key) => hidden.includes(key))).toEqual([]);
    expect(other).toMatchObject({ username: 'admin', email: 'admin@localhost.localdomain' });
    const { body: seen } = await server.admin.get(`/users/${anna.id}`);
    expect(seen.notify_props).toBeDefined();
    expect(seen.last_login).toBeGreaterThan(0);
  });

  it('finds by name and by e-mail address', async () => {
    const upper = anna.username.toUpperCase();
    for (const path of [
      `username/${anna.username}`,
      `username/${upper}%20`,
      `email/${anna.email.toUpperCase()}`,
    ])
      expect((await anna.client.get(`/users/${path}`)).body.id).toBe(anna.id);
  });

  refuses(
    ['admin GET /users/junk', undefined, 400, BAD_URL],
    ['admin GET /users/a-b', undefined, 404, 'api.context.404.app_error'],
    ['admin GET /users/{unknown}', undefined, 404, MISSING],
    ['admin GET /users/username/nobody.here', undefined, 404, 'app.user.get_by_username.app_error'],
    ['admin GET /users/username/Not%20a%20name', undefined, 400, BAD_URL],
    ['admin GET /users/email/nobody@example.com', undefined, 404, MISSING],
    ['admin GET /users/email/nobody', undefined, 400, BAD_URL],
    ['admin GET /users/{unknown}/image', undefined, 404, MISSING],
    ['admin GET /users/{unknown}/status', undefined, 404, MISSING],
    ['admin GET /users/{unknown}/preferences', undefined, 404, MISSING],
  );

  it('returns several by id or by name, and skips unknown ones', async () => {
    const byId = await anna.client.post('/users/ids', [server.adminId, UNKNOWN, anna.id, anna.id]);
    expect(namesOf(byId)).toEqual(['admin', anna.username]);
    const wanted = [` ${anna.username.toUpperCase()}`, 'nobody.here'];
    expect(namesOf(await anna.client.post('/users/usernames', wanted))).toEqual([anna.username]);
    const since = (await server.admin.get(`/users/${anna.id}`)).body.update_at as number;
    expect((await anna.client.post(`/users/ids?since=${since - 1}`, [anna.id])).body).toHaveLength(1);
    expect((await anna.client.post(`/users/ids?since=${since}`, [anna.id])).body).toHaveLength(0);
  });

  it.each(['/users/ids', '/users/usernames', '/users/status/ids'])(
    'POST %s refuses what is not a list of strings',
    async (path) => {
      for (const body of [[], [1], {}, 'x']) expectError(await server.admin.post(path, body), 400, BAD_BODY);
    },
  );

  it('returns a picture', async () => {
    const path = `/api/v4/users/${anna.id}/image`;
    const authorization = `Bearer ${anna.client.token}`;
    const { status, headers, ...raw } = await fetch(server.url + path, { headers: { authorization } }).then(
      async (answer) => ({
        status: answer.status,
        headers: Object.fromEntries(answer.headers),
        body: Buffer.from(await answer.arrayBuffer()),
      }),
    );
    const png = raw.body;
    checkAnswer({ status, headers, body: png }, 'GET', path);
    expect([status, headers['content-type']]).toEqual([200, 'image/png']);
    expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([128, 128]);
    const data = png.indexOf('IDAT');
    expect(inflateSync(png.subarray(data + 4, data + 4 + png.readUInt32BE(data - 4)))).toHaveLength(128 * 17);
  });
});

describe('lists', () => {
  const prefix = `l${newId().slice(0, 8)}`;

  beforeAll(async () => {
    for (const letter of ['a', 'b', 'c']) {
      const names = { username: `${prefix}.${letter}`, first_name: `Zoë_${letter}`, last_name: '100%' };
      const { body } = await create(names);
      if (letter === 'c') await server.admin.put(`/users/${body.id}/active`, { active: false });
    }
  });

  const names = async (query: string): Promise<string[]> =>
    namesOf(await server.admin.get(`/users?per_page=200&${query}`));

  it('GET /users returns pages by username', async () => {
    const all = await names('');
    expect(all).toEqual([...all].sort());
    expect(all).toEqual(expect.arrayContaining(['admin', anna.username, `${prefix}.c`]));
    const pages = await Promise.all([0, 1].map((page) => anna.client.get(`/users?per_page=2&page=${page}`)));
    expect(pages.flatMap(namesOf)).toEqual(all.slice(0, 4));
    for (const page of ['per_page=0', 'page=999999999999'])
      expect((await anna.client.get(`/users?${page}`)).body).toEqual([]);
  });

  it('GET /users filters by activity and by role', async () => {
    expect(await names('active=true')).not.toContain(`${prefix}.c`);
    expect(await names('inactive=true')).toContain(`${prefix}.c`);
    expect(await names('role=system_admin')).toEqual(['admin']);
    expect(await names('roles=system_admin,system_user')).toContain(`${prefix}.a`);
    expect(await names('role=system')).toEqual([]);
    expect(await names('without_team=true')).toContain(anna.username);
  });

  it('POST /users/search finds by prefixes of names', async () => {
    const found = async (body: object): Promise<string[]> =>
      namesOf(await anna.client.post('/users/search', body));
    expect(await found({ term: prefix })).toEqual([`${prefix}.a`, `${prefix}.b`]);
    expect(await found({ term: `@${prefix.toUpperCase()}.A` })).toEqual([`${prefix}.a`]);
    expect(await found({ term: `${prefix} zoë_b` })).toEqual([`${prefix}.b`]);
    expect(await found({ term: `${prefix} 100%` })).toHaveLength(2);
    expect(await found({ term: `${prefix} 1%0` })).toEqual([]);
    expect(await found({ term: prefix, allow_inactive: true })).toHaveLength(3);
    expect(await found({ term: prefix, limit: 1 })).toHaveLength(1);
    expect(await found({ term: prefix, limit: 0 })).toEqual(await found({ term: prefix }));
    expect(await found({ term: prefix, role: 'system_admin' })).toEqual([]);
    expect(await found({ term: "' OR 1=1 --" })).toEqual([]);
    expect(await found({ term: '😀'.repeat(256) })).toEqual([]);
  });

  it('GET /users/autocomplete completes', async () => {
    const complete = async (query: string): Promise<any> =>
      (await anna.client.get(`/users/autocomplete?name=${prefix}${query}`)).body;
    const [a, b] = ['a', 'b'].map((letter) => expect.objectContaining({ username: `${prefix}.${letter}` }));
    expect(await complete('')).toEqual({ users: [a, b] });
    expect(await complete('&limit=1')).toEqual({ users: [a] });
  });

  it('GET /users/stats counts active ones', async () => {
    const { total_users_count: before } = (await anna.client.get('/users/stats')).body;
    await create();
    expect((await anna.client.get('/users/stats')).body).toEqual({ total_users_count: before + 1 });
  });

  refuses(
    ['anna GET /users?active=true&inactive=true', undefined, 400, BAD_URL, 'inactive'],
    ['anna GET /users?in_team=junk', undefined, 400, BAD_URL, 'in_team'],
    ['anna GET /users?not_in_channel={unknown}', undefined, 400, BAD_URL, 'in_team'],
    ['anna GET /users?sort=create_at', undefined, 400, BAD_URL, 'sort'],
    ['anna GET /users?sort=status', undefined, 400, BAD_URL, 'sort'],
    ['anna GET /users?sort=nonsense', undefined, 400, BAD_URL, 'sort'],
    ['anna GET /users?role=system%20admin', undefined, 400, BAD_URL, 'role'],
    ['anna GET /users?team_roles=team_user', undefined, 400, BAD_URL, 'team_roles'],
    ['anna GET /users?in_team={unknown}&team_roles=nobody', undefined, 400, BAD_URL, 'team_roles'],
    ['anna GET /users?in_channel={unknown}', undefined, 403, DENIED],
    ['anna GET /users/autocomplete?in_channel={unknown}', undefined, 403, DENIED],
    ['anna GET /users/autocomplete?team_id={unknown}', undefined, 403, DENIED],
    ['anna GET /users/autocomplete?channel_id={unknown}', undefined, 403, DENIED],
    ['anna POST /users/search', { term: 'x', team_id: '{unknown}' }, 403, DENIED],
    ['anna POST /users/search', { term: 'x', in_channel_id: '{unknown}' }, 403, DENIED],
    ['anna POST /users/search', { term: '' }, 400, BAD_BODY, 'term'],
    ['anna POST /users/search', { term: 5 }, 400, BAD_BODY, 'term'],
    ['anna POST /users/search', { term: 'x'.repeat(257) }, 400, BAD_BODY, 'must have 1 to 256 characters'],
    ['anna POST /users/search', { term: 'x', limit: -1 }, 400, BAD_BODY, 'limit'],
    ['anna POST /users/search', { term: 'x', limit: 1001 }, 400, BAD_BODY, 'it must be 1 to 1000'],
    ['anna POST /users/search', { term: 'x', team_id: 'junk' }, 400, BAD_BODY, 'team_id'],
    ['anna POST /users/search', { term: 'x', not_in_channel_id: '{unknown}' }, 400, BAD_BODY, 'team_id'],
  );
});

describe('lists by team and channel', () => {
  const prefix = `m${newId().slice(0, 8)}`;
  let teamId: string;
  let channelId: string;
  let insiders: BuiltUser[];
  let caller: ApiClient;

  const names = async (query: string): Promise<string[]> =>
    namesOf(await caller.get(`/users?per_page=200&${query}`))
      .filter((name) => name.startsWith(prefix))
      .map((name) => name.slice(prefix.length + 1));

  beforeAll(async () => {
    const build = (letter: string) => buildUser(server, { username: `${prefix}.${letter}` });
    insiders = [await build('a'), await build('b'), await build('c')];
    await build('x');
    caller = insiders[0]!.client;
    const display_name = prefix;
    teamId = (await caller.call('POST', '/teams', { name: prefix, display_name, type: 'O' })).id;
    const channel = { team_id: teamId, name: 'inside', display_name: 'Inside', type: 'O' };
    channelId = (await caller.call('POST', '/channels', channel)).id;
    for (const { id } of insiders.slice(1))
      await server.admin.call('POST', `/teams/${teamId}/members`, { team_id: teamId, user_id: id });
    await server.admin.call('POST', `/channels/${channelId}/members`, { user_id: insiders[1]!.id });
  });

  it('GET /users filters by membership', async () => {
    expect(await names(`in_team=${teamId}`)).toEqual(['a', 'b', 'c']);
    expect(await names(`not_in_team=${teamId}`)).toEqual(['x']);
    expect(await names(`in_channel=${channelId}`)).toEqual(['a', 'b']);
    expect(await names(`in_team=${teamId}&not_in_channel=${channelId}`)).toEqual(['c']);
    expect(await names('without_team=true')).toEqual(['x']);
    expect(await names(`in_team=${teamId}&team_roles=team_admin`)).toEqual(['a']);
    const roles = 'channel_roles=channel_user,channel_admin';
    expect(await names(`in_channel=${channelId}&${roles}`)).toEqual(['a', 'b']);
  });

  it('GET /users sorts', async () => {
    expect(await names(`in_team=${teamId}&sort=create_at`)).toEqual(['c', 'b', 'a']);
    expect((await names(`in_team=${teamId}&sort=last_activity_at`)).sort()).toEqual(['a', 'b', 'c']);
    expect(await names(`in_channel=${channelId}&sort=admin`)).toEqual(['a', 'b']);
    const { id, client } = insiders[1]!;
    for (const [status, sorted] of [
      ['online', ['b', 'a']],
      ['offline', ['a', 'b']],
    ] as const) {
      await client.put('/users/me/status', { user_id: id, status });
      expect(await names(`in_channel=${channelId}&sort=status`)).toEqual(sorted);
    }
    const both = await client.get(`/users?in_team=${teamId}&in_channel=${channelId}&sort=create_at`);
    expectError(both, 400, BAD_URL, 'sort');
  });

  it('search and autocomplete respect their scope', async () => {
    const found = async (body: object): Promise<string> =>
      namesOf(await caller.post('/users/search', { term: prefix, ...body }))
        .map((name) => name.at(-1))
        .join('');
    expect(await found({ team_id: teamId })).toBe('abc');
    expect(await found({ not_in_team_id: teamId })).toBe('x');
    expect(await found({ in_channel_id: channelId })).toBe('ab');
    expect(await found({ team_id: teamId, not_in_channel_id: channelId })).toBe('c');
    expect(await found({ without_team: true })).toBe('x');
    const where = `in_team=${teamId}&in_channel=${channelId}`;
    const { body } = await caller.get(`/users/autocomplete?${where}&name=${prefix}`);
    expect(body.users).toHaveLength(2);
    expect(body.out_of_channel).toEqual([expect.objectContaining({ id: insiders[2]!.id })]);
  });

  it('an invitation creates an account on a closed server, as a member of the team', async () => {
    const { invite_id: inviteId } = (await caller.get(`/teams/${teamId}`)).body;
    const account = newAccount({ username: `${prefix}.invited` });
    const answer = await server.anonymous.post(`/users?iid=${inviteId}`, account);
    expect([answer.status, answer.body.roles]).toEqual([201, 'system_user']);
    expect(await names(`in_team=${teamId}`)).toContain('invited');
  });
});

describe('PUT /users/{id} and /patch', () => {
  it('changes sent fields and keeps the rest', async () => {
    const user = await buildUser(server, { first_name: 'Anna', position: 'Ops' });
    const before = (await user.client.get('/users/me')).body;
    const change = { nickname: 'Nan', props: { a: 'b' }, notify_props: { email: 'false' } };
    const { body } = await patch(user, { ...change, last_name: null });
    expect(body).toMatchObject({ ...change, first_name: 'Anna', position: 'Ops' });
    expect(body.update_at).toBeGreaterThanOrEqual(before.update_at);
    const whole = { ...body, username: user.username.toUpperCase(), locale: 'de' };
    expect((await user.client.put(`/users/${user.id}`, whole)).status).toBe(200);
    const stored = { nickname: 'Nan', locale: 'de', username: user.username };
    expect((await user.client.get('/users/me')).body).toMatchObject(stored);
  });

  it('gives a new name at once', async () => {
    const user = await buildUser(server);
    const name = `renamed.${newId()}`;
    const holder = async (username: string): Promise<unknown> =>
      (await server.admin.get(`/users/username/${username}`)).body.id;
    const nobody = await holder(name);
    await patch(user, { username: name });
    expect([await holder(name), await holder(user.username)]).toEqual([user.id, nobody]);
  });

  it('reports ten taken names per user and hour, and changes the rest', async () => {
    const user = await buildUser(server);
    const rename = (): Promise<Answer> => patch(user, { username: 'admin' });
    const answers = await Promise.all(Array.from({ length: 11 + lateAttempts }, rename));
    const [refused] = answers.filter(({ status }) => status === 429);
    const told = answers.filter(({ status }) => status === 400);
    expect(told.length).toBeGreaterThanOrEqual(10);
    expect(told.length).toBeLessThanOrEqual(10 + lateAttempts);
    expectError(refused!, 429, 'api.user.update_user.too_many_taken.app_error');
    expect(Number(refused!.headers['retry-after'])).toBeGreaterThan(3_500);
    expect((await patch(user, { username: user.username, nickname: 'Ada' })).status).toBe(200);
    const asAdmin = await server.admin.put(`/users/${user.id}/patch`, { username: newId() });
    expect(asAdmin.status).toBe(200);
  });

  it('refuses reserved names and addresses, except one from before they were reserved', async () => {
    const user = await buildUser(server);
    const old = { username: 'here', email: `${newId()}@localhost` };
    const taken = { email: old.email, password: USER_PASSWORD };
    expectError(await patch(user, taken), 400, invalid('email'), 'email');
    await server.app.get(DataSource).getRepository(User).update({ id: user.id }, old);
    expect((await patch(user, { nickname: 'Ada' })).body).toMatchObject({ ...old, nickname: 'Ada' });
    expect((await patch(user, { username: newId() })).status).toBe(200);
    for (const username of ['here', 'hookline', 'webhook'])
      expectError(await patch(user, { username }), 400, invalid('username'), 'username');
  });

  it('changes the own e-mail address with the password only, others’ without', async () => {
    const user = await buildUser(server);
    const email = `${newId()}@example.com`;
    for (const password of [undefined, 'not her password'])
      expectError(await patch(user, { email, password }), 400, BAD_BODY, 'password');
    expectError(
      await user.client.put(`/users/${user.id}`, { id: user.id, email }),
      400,
      BAD_BODY,
      'password',
    );
    expect((await patch(user, { email, password: USER_PASSWORD })).body.email).toBe(email);
    const { body } = await server.admin.put(`/users/${user.id}/patch`, { email: user.email });
    expect(body.email).toBe(user.email);
  });

  it('locks out users who guess the password this way', async () => {
    const user = await buildUser(server);
    const email = `${newId()}@example.com`;
    for (let i = 0; i < 10; i++) await patch(user, { email, password: 'not her password' });
    const refused = await patch(user, { email, password: USER_PASSWORD });
    expectError(refused, 429, 'api.user.check_user_login_attempts.too_many.app_error');
    expect((await user.client.get('/users/me')).status).toBe(200);
  });

  it('keeps names unique when several change at once', async () => {
    const users = await Promise.all(Array.from({ length: 4 }, () => buildUser(server)));
    const username = `same.${newId()}`;
    const answers = await Promise.all(users.map((user) => patch(user, { username })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
  });

  refuses(
    ['anna PUT /users/me/patch', { username: '' }, 400, invalid('username')],
    ['anna PUT /users/me/patch', { username: 'admin' }, 400, 'app.user.save.username_exists.app_error'],
    [
      'admin PUT /users/{anna}/patch',
      { email: 'admin@localhost.localdomain' },
      400,
      'app.user.save.email_exists.app_error',
    ],
    ['anna PUT /users/me/patch', { locale: 'toolong' }, 400, invalid('locale')],
    ['anna PUT /users/me/patch', { position: 'x'.repeat(129) }, 400, invalid('position')],
    ['anna PUT /users/me/patch', { props: { a: 'x'.repeat(9000) } }, 400, invalid('props_limit')],
    ['anna PUT /users/me/patch', { nickname: 5 }, 400, BAD_BODY, 'nickname'],
    ['anna PUT /users/{unknown}/patch', {}, 403, DENIED],
    ['admin PUT /users/{anna}', { id: '{unknown}' }, 400, BAD_BODY, 'user_id'],
    ['admin PUT /users/{anna}', {}, 400, BAD_BODY, 'id'],
    ['admin PUT /users/{unknown}', { id: '{unknown}' }, 404, MISSING],
    ['admin PUT /users/{unknown}/patch', {}, 400, BAD_BODY, 'user_id'],
    ['admin PUT /users/me/patch', undefined, 400, BAD_BODY, 'user'],
  );
});

describe('PUT /users/{id}/roles', () => {
  const setRoles = (id: string, roles: string, client = server.admin): Promise<Answer> =>
    client.put(`/users/${id}/roles`, { roles });

  it('grants and revokes roles at once', async () => {
    const user = await buildUser(server);
    const status = async (): Promise<number> => (await user.client.get('/roles')).status;
    expect(await status()).toBe(403);
    expect((await setRoles(user.id, 'system_admin  system_user')).body).toEqual({ status: 'OK' });
    expect(await status()).toBe(200);
    expect((await user.client.get('/users/me')).body.roles).toBe('system_admin system_user');
    await setRoles(user.id, 'system_user');
    expect(await status()).toBe(403);
  });

  const many = Array.from({ length: 30 }, (_, i) => `a_rather_long_role_${i}`).join(' ');
  refuses(
    ['admin PUT /users/{anna}/roles', { roles: 'system_admin' }, 400, BAD_BODY],
    ['admin PUT /users/{anna}/roles', { roles: 'System User' }, 400, BAD_BODY],
    ['admin PUT /users/{anna}/roles', { roles: 'a;b' }, 400, BAD_BODY],
    ['admin PUT /users/{anna}/roles', { roles: 7 }, 400, BAD_BODY],
    ['admin PUT /users/{anna}/roles', {}, 400, BAD_BODY],
    ['admin PUT /users/{anna}/roles', { roles: 'nobody' }, 400, 'app.role.check_roles_exist.role_not_found'],
    ['admin PUT /users/{anna}/roles', { roles: many }, 400, invalid('roles_limit')],
    ['admin PUT /users/{unknown}/roles', { roles: 'system_user' }, 400, MISSING],
    ['anna PUT /users/{anna}/roles', { roles: 'system_admin' }, 400, BAD_BODY, 'roles'], // before the permission
  );

  it('leaves one administrator, regardless of the order', async () => {
    const { admin, adminId } = server;
    expectError(await setRoles(adminId, 'system_user'), 400, 'app.user.update.lastAdmin.app_error');
    const second = await buildUser(server, { roles: 'system_admin system_user' });
    const answers = await Promise.all([
      setRoles(second.id, 'system_user'),
      setRoles(adminId, 'system_user', second.client),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1); // the other is refused, or has no rights any more
    const winner = (await admin.get('/roles')).status === 200 ? admin : second.client;
    await setRoles(adminId, 'system_admin system_user', winner);
    await setRoles(second.id, 'system_user');
    expect((await admin.get('/roles')).status).toBe(200);
  });
});

describe('activation', () => {
  const setActive = (id: string, active: boolean): Promise<Answer> =>
    server.admin.put(`/users/${id}/active`, { active });

  it('ends the sessions of a deactivated account, and lets it sign in after reactivation', async () => {
    const user = await buildUser(server);
    expect((await setActive(user.id, false)).body).toEqual({ status: 'OK' });
    expectError(await user.client.get('/users/me'), 401, EXPIRED);
    expect((await server.admin.get(`/users/${user.id}`)).body.delete_at).toBeGreaterThan(0);
    await setActive(user.id, true);
    expectError(await user.client.get('/users/me'), 401, EXPIRED);
    expect((await server.login(user.username, USER_PASSWORD)).token).toMatch(/^[a-z0-9]{26}$/);
  });

  it('deactivates by DELETE', async () => {
    const user = await buildUser(server);
    for (let i = 0; i < 2; i++)
      expect((await server.admin.delete(`/users/${user.id}`)).body).toEqual({ status: 'OK' });
    expectError(await user.client.get('/users/me'), 401, EXPIRED);
  });

  const OWN = 'api.user.update_active.not_enable.app_error';
  const PERMANENT = 'api.user.delete_user.not_enabled';
  refuses(
    ['anna PUT /users/me/active', { active: false }, 401, OWN],
    ['admin PUT /users/{admin}/active', { active: false }, 401, OWN],
    ['anna DELETE /users/me', undefined, 401, OWN],
    [
      'anna PUT /users/{admin}/active',
      { active: false },
      403,
      'api.user.update_active.permissions.app_error',
    ],
    ['admin PUT /users/{unknown}/active', { active: false }, 404, MISSING],
    ['admin DELETE /users/{unknown}', undefined, 404, MISSING],
    ['admin PUT /users/{anna}/active', {}, 400, BAD_BODY, 'active'],
    ['admin PUT /users/{anna}/active', { active: null }, 400, BAD_BODY, 'active'],
    ['admin PUT /users/{anna}/active', { active: 'yes' }, 400, BAD_BODY, 'active'],
    ['admin DELETE /users/{anna}?permanent=true', undefined, 401, `${PERMANENT}.for_admin.app_error`],
    ['admin DELETE /users/{admin}', undefined, 400, 'app.user.update.lastAdmin.app_error'],
  );

  it('lets an administrator who is not the last one go', async () => {
    const second = await buildUser(server, { roles: 'system_admin system_user' });
    expect((await second.client.delete(`/users/${second.id}`)).status).toBe(200);
  });
});

describe('an account with more permissions', () => {
  const roleNamed = (name: string): Promise<any> => server.admin.call('GET', `/roles/name/${name}`);
  /** Grants more to a role until the returned function is called. */
  const change = async (name: string, ...more: string[]): Promise<() => Promise<unknown>> => {
    const role = await roleNamed(name);
    const path = `/roles/${role.id}/patch`;
    await server.admin.put(path, { permissions: [...role.permissions, ...more] });
    return () => server.admin.put(path, { permissions: role.permissions });
  };

  it('is not created by changing roles', async () => {
    const write = 'sysconsole_write_user_management_permissions';
    const back = await change('system_post_all', write, 'view_members');
    const manager = await buildUser(server, { roles: 'system_user system_post_all' });
    const edit = async (name: string, edited: (permissions: string[]) => string[]): Promise<number> => {
      const role = await roleNamed(name);
      const permissions = edited(role.permissions);
      return (await manager.client.put(`/roles/${role.id}/patch`, { permissions })).status;
    };
    const refused = [
      await edit('system_post_all', (all) => [...all, 'manage_shared_channels']),
      await edit('system_post_all', (all) => all),
      await edit('system_user', (all) => [...all, write]),
      await edit('system_user_access_token', (all) => [...all, 'edit_other_users']),
      await edit('team_admin', (all) => all.filter((each) => each !== 'manage_team')),
    ];
    const allowed = [
      await edit('system_post_all_public', (all) => [...all, 'view_members']),
      await edit('system_post_all_public', (all) => all.filter((each) => each !== 'view_members')),
    ];
    await back();
    expect([refused, allowed]).toEqual([Array(5).fill(403), [200, 200]]);
  });

  it('keeps stock names that this server does not enforce', async () => {
    const back = await change('system_post_all_public');
    const role = await roleNamed('system_post_all_public');
    const path = `/roles/${role.id}/patch`;
    const permissions = [...role.permissions, 'playbook_run_create', 'use_slash_commands'];
    expect((await server.admin.put(path, { permissions })).body.permissions).toEqual(permissions);
    expect((await server.admin.get(`/roles/${role.id}`)).body.permissions).toEqual(permissions);
    const many = Array.from({ length: 601 }, (_, index) => `p${index}`);
    for (const wrong of [['no name'], ['x'.repeat(65)], [''], many])
      expectError(await server.admin.put(path, { permissions: wrong }), 400, BAD_BODY, 'permissions');
    await back();
  });

  const actsOn = (id: string, session_id: string, token_id: string): [string, object?][] => [
    [`GET /users/${id}/sessions`],
    [`POST /users/${id}/sessions/revoke`, { session_id }],
    [`POST /users/${id}/sessions/revoke/all`],
    [`GET /users/${id}/tokens`],
    [`POST /users/${id}/tokens`, { description: 'x' }],
    [`GET /users/tokens/${token_id}`],
    ['POST /users/tokens/revoke', { token_id }],
    ['POST /users/tokens/disable', { token_id }],
    ['POST /users/tokens/enable', { token_id }],
    [`PUT /users/${id}/patch`, { email: `${newId()}@example.com` }],
    [`PUT /users/${id}`, { id, nickname: 'x' }],
    [`PUT /users/${id}/password`, { new_password: USER_PASSWORD }],
    [`PUT /users/${id}/roles`, { roles: 'system_user' }],
    [`PUT /users/${id}/active`, { active: false }],
    [`DELETE /users/${id}`],
    [`GET /users/${id}/preferences`],
    [`PUT /users/${id}/preferences`, [{ user_id: id, category: 'a', name: 'b', value: 'c' }]],
    [`PUT /users/${id}/status`, { user_id: id, status: 'away' }],
    [`GET /users/${id}/channels`],
    [`POST /channels/members/${id}/view`, { channel_id: '', prev_channel_id: '' }],
  ];

  it.each([
    ['an administrator', 'system_user system_admin'],
    ['who may change what roles grant', 'system_user system_post_all_public'],
  ])('is protected from user managers: %s', async (_, roles) => {
    const restore = [
      await change('system_post_all', 'edit_other_users', 'sysconsole_write_user_management_users'),
      await change('system_post_all_public', 'sysconsole_write_user_management_permissions'),
    ];
    const managing = 'system_user system_user_access_token system_post_all';
    const manager = await buildUser(server, { roles: managing });
    const above = await buildUser(server, { roles });
    const { id: tokenId } = (await server.admin.post(`/users/${above.id}/tokens`, { description: 'x' })).body;
    const [{ id: sessionId }] = (await above.client.get(`/users/${above.id}/sessions`)).body;
    const plain = await buildUser(server);
    expect((await manager.client.get(`/users/${plain.id}/sessions`)).status).toBe(200);
    expect((await manager.client.post(`/users/${plain.id}/tokens`, { description: 'x' })).status).toBe(200);
    for (const [call, body] of actsOn(above.id, sessionId, tokenId)) {
      const [method = '', path = ''] = call.split(' ');
      expect([call, (await manager.client.send(method, path, body)).status]).toEqual([call, 403]);
    }
    expect((await above.client.get('/users/me')).status).toBe(200);
    for (const undo of restore) await undo();
  });
});

it('POST /users/{id}/email/verify/member marks the e-mail address as verified', async () => {
  const user = await buildUser(server);
  const path = `/users/${user.id}/email/verify/member`;
  const verified = expect.objectContaining({ id: user.id, email_verified: true });
  for (let i = 0; i < 2; i++) expect((await server.admin.post(path, {})).body).toEqual(verified);
  expect((await server.admin.get(`/users/${user.id}`)).body).toEqual(verified);
  expectError(await server.admin.post(`/users/${UNKNOWN}/email/verify/member`, {}), 404, MISSING);
});

describe('PUT /users/{id}/password', () => {
  it('changes the own one with the current one, and ends the other sessions', async () => {
    const user = await buildUser(server);
    const other = await server.login(user.username, USER_PASSWORD);
    const next = 'another long password';
    const change = { current_password: USER_PASSWORD, new_password: next };
    expect((await user.client.put('/users/me/password', change)).body).toEqual({ status: 'OK' });
    expect((await user.client.get('/users/me')).status).toBe(200);
    expectError(await other.get('/users/me'), 401, EXPIRED);
    await expect(server.login(user.username, USER_PASSWORD)).rejects.toThrow('401');
    expect((await server.login(user.username, next)).token).toBeTruthy();
  });

  it('lets an administrator set one, which ends all sessions', async () => {
    const user = await buildUser(server);
    const new_password = 'set by the admin';
    expect((await server.admin.put(`/users/${user.id}/password`, { new_password })).status).toBe(200);
    expectError(await user.client.get('/users/me'), 401, EXPIRED);
    expect((await server.login(user.username, new_password)).token).toBeTruthy();
  });

  const right = { current_password: USER_PASSWORD };
  const next = { new_password: 'long enough' };
  const WRONG = 'api.user.update_password.incorrect.app_error';
  refuses(
    ['anna PUT /users/me/password', next, 400, BAD_BODY, 'current_password'],
    ['anna PUT /users/me/password', { ...next, current_password: 'wrong' }, 400, WRONG, 'current_password'],
    ['anna PUT /users/me/password', right, 400, BAD_BODY, 'new_password'],
    ['anna PUT /users/me/password', { ...right, new_password: 'short' }, 400, invalid('pwd_min_length')],
    ['anna PUT /users/{admin}/password', next, 403, 'api.user.update_password.context.app_error'],
    ['admin PUT /users/{unknown}/password', next, 404, MISSING],
  );
});

describe('an imported password hash', () => {
  const NEXT = 'the password behind the hash';
  const bcrypt = (version = '2b', password = NEXT, cost = 4): string =>
    `$${version}${hashSync(password, cost).slice(3)}`;
  const give = (id: string, hash: string, already_hashed: unknown = 'true', client = server.admin) =>
    client.put(`/users/${id}/password`, { new_password: hash, already_hashed });
  const storedHash = async (id: string): Promise<string> =>
    (await server.app.get(DataSource).getRepository(User).findOneByOrFail({ id })).passwordHash;
  const logins = async (user: BuiltUser, ...passwords: string[]): Promise<number[]> => {
    const body = (password: string) => ({ login_id: user.username, password });
    const answers = passwords.map((password) => server.anonymous.post('/users/login', body(password)));
    return (await Promise.all(answers)).map(({ status }) => status);
  };

  it.each(['2a', '2b', '2y'])('is checked against $%s$ and rehashed at the first login', async (version) => {
    const user = await buildUser(server);
    const hash = bcrypt(version);
    expect((await give(user.id, hash)).body).toEqual({ status: 'OK' });
    expectError(await user.client.get('/users/me'), 401, EXPIRED);
    expect(await logins(user, hash, USER_PASSWORD, `${NEXT}!`)).toEqual([401, 401, 401]);
    expect(await storedHash(user.id)).toBe(hash);
    expect(await logins(user, NEXT, NEXT, NEXT)).toEqual([200, 200, 200]);
    expect(await storedHash(user.id)).toMatch(/^\$argon2id\$/);
    expect(await logins(user, NEXT, hash)).toEqual([200, 401]);
  });

  it('counts as the current one, and no byte beyond 72 is ignored', async () => {
    const user = await buildUser(server);
    const longest = 'x'.repeat(72);
    await give(user.id, bcrypt('2a', longest), true);
    expect(await logins(user, `${longest}y`)).toEqual([401]);
    const client = await server.login(user.username, longest);
    await give(user.id, bcrypt('2a', longest), true);
    expectError(await client.get('/users/me'), 401, EXPIRED);
    const again = await server.login(user.username, longest);
    const change = { current_password: longest, new_password: USER_PASSWORD, already_hashed: false };
    expect((await again.put('/users/me/password', change)).status).toBe(200);
    expect(await logins(user, USER_PASSWORD)).toEqual([200]);
  });

  it.each([
    ['Argon2', '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNo'],
    ['PBKDF2', '$pbkdf2$f=SHA256,w=600000,l=32$c2FsdHNhbHQ$aGFzaGhhc2g'],
    ['scrypt', '$scrypt$ln=16,r=8,p=1$c2FsdHNhbHQ$aGFzaGhhc2g'],
    ['SHA-512-crypt', '$6$saltsalt$hashhashhashhash'],
    ['MD5', '5f4dcc3b5aa765d61d8327deb882cf99'],
    ['unknown', 'a plain password'],
    ['unknown', ''],
    ['another bcrypt version', bcrypt('2x')],
    ['malformed', bcrypt().slice(0, -1)],
    ['malformed', `${bcrypt()}x`],
    ['malformed', `$2b$04$${'z'.repeat(53)}`],
    ['cost is 15', bcrypt().replace('$04$', '$15$')],
    ['cost is 3', bcrypt().replace('$04$', '$03$')],
  ])('is refused with the format: %s', async (named, hash) => {
    const before = await storedHash(anna.id);
    const answer = await give(anna.id, hash);
    expectError(answer, 400, BAD_BODY, named);
    expect(answer.text).toContain('new_password');
    expect(await storedHash(anna.id)).toBe(before);
  });

  it('requires permission to set the passwords of others', async () => {
    const user = await buildUser(server);
    const own = await give(user.id, bcrypt(), 'true', user.client);
    expectError(own, 401, 'api.user.update_password.user_and_hashed.app_error');
    const others = await give(anna.id, bcrypt(), 'true', user.client);
    expectError(others, 403, 'api.user.update_password.context.app_error');
    expectError(await give(user.id, bcrypt(), 'maybe'), 400, BAD_BODY, 'already_hashed');
    const second = await buildUser(server, { roles: 'system_admin system_user' });
    expect((await give(second.id, bcrypt(), 'true', second.client)).status).toBe(200);
    expect(await logins(second, NEXT)).toEqual([200]);
    expect(await logins(user, USER_PASSWORD)).toEqual([200]);
  });
});

describe('an account of another server', () => {
  let id: string;
  beforeAll(async () => {
    id = await buildRemoteUser(server);
  });

  it.each([
    ['a password', 'PUT password', { new_password: USER_PASSWORD }],
    ['roles', 'PUT roles', { roles: 'system_admin system_user' }],
    ['another name', 'PUT patch', { username: 'berta' }],
    ['another nickname', 'PUT patch', { nickname: 'Berta' }],
    ['a verified address', 'POST email/verify/member', {}],
    ['a token', 'POST tokens', { description: 'a program' }],
  ])('gets no %s here', async (_, call, body) => {
    const [method = '', part = ''] = call.split(' ');
    const before = (await server.admin.get(`/users/${id}`)).body;
    const answer = await server.admin.send(method, `/users/${id}/${part}`, body);
    expectError(answer, 400, REMOTE_USER, 'another server');
    expect((await server.admin.get(`/users/${id}`)).body).toEqual(before);
    expect(listOf(await server.admin.get(`/users/${id}/tokens`))).toEqual([]);
  });

  it('cannot be changed by anybody else, which is reported first', async () => {
    expectError(await anna.client.put(`/users/${id}/patch`, { nickname: 'x' }), 403, DENIED);
    expectError(await anna.client.put(`/users/${id}/roles`, { roles: 'system_user' }), 403, DENIED);
  });

  it('can be deactivated, and activated again', async () => {
    expect((await server.admin.delete(`/users/${id}`)).status).toBe(200);
    expect((await server.admin.get(`/users/${id}`)).body.delete_at).toBeGreaterThan(0);
    expect((await server.admin.put(`/users/${id}/active`, { active: true })).status).toBe(200);
    expect((await server.admin.get(`/users/${id}`)).body.delete_at).toBe(0);
  });
});

describe('accounts of the largest size', () => {
  const MIB = 1024 * 1024;
  const PREFIX = 'zlarge';
  const names = Array.from({ length: 300 }, (_, at) => `${PREFIX}${at}`);
  const ids = names.map(() => newId());
  const repository = () => server.app.get(DataSource).getRepository(User);

  /** Inserted at once, because creating them one by one takes a minute. */
  beforeAll(async () => {
    const model = await repository().findOneByOrFail({ id: anna.id });
    const large = { a: '😀'.repeat(7_990) };
    const users = names.map((username, at): User => {
      const email = `${username}@example.com`;
      return { ...model, id: ids[at]!, username, email, props: large, notifyProps: large };
    });
    for (let from = 0; from < users.length; from += 20)
      await repository().insert(users.slice(from, from + 20));
  });
  afterAll(() => repository().delete({ username: In(names) }));

  it('are refused by ids and by names above the response limit', async () => {
    const TOO_LARGE = 'api.user.list.too_large.app_error';
    expectError(await server.admin.post('/users/ids', ids), 400, TOO_LARGE, 'user_ids');
    expectError(await server.admin.post('/users/usernames', names), 400, TOO_LARGE, String(16 * MIB));
    const found = namesOf(await server.admin.post('/users/ids', [...ids.slice(0, 210), anna.id]));
    expect(found).toHaveLength(211);
    expect(found).toEqual([...found].sort());
    const changed = await server.admin.post(`/users/ids?since=${Date.now() + 60_000}`, ids);
    expect(listOf(changed)).toEqual([]);
  });

  it('are listed as far as they fit', async () => {
    const found = await server.admin.post('/users/search', { term: PREFIX, limit: 1000 });
    expect(listOf(found).length).toBeGreaterThan(200);
    expect(listOf(found).length).toBeLessThan(ids.length);
    expect(found.text.length).toBeLessThan(16 * MIB);
    const completed = await server.admin.get(`/users/autocomplete?name=${PREFIX}&limit=1000`);
    expect(completed.body.users.length).toBeGreaterThan(100);
    expect(completed.text.length).toBeLessThan(8 * MIB);
    expect(listOf(await server.admin.get('/users?per_page=200')).length).toBeGreaterThan(190);
  });
});

describe('preferences', () => {
  const path = '/users/me/preferences';
  const one = (user: { id: string }, name: string, value = 'x', category = 'display') => ({
    user_id: user.id,
    category,
    name,
    value,
  });

  it('are stored, read and deleted', async () => {
    const user = await buildUser(server);
    expect((await user.client.get(path)).body).toEqual([]);
    const [a, b, c] = [one(user, 'a', ''), one(user, 'b', 'ü😀'), one(user, 'c', 'y', 'other')];
    expect((await user.client.put(path, [one(user, 'b'), a, c])).body).toEqual({ status: 'OK' });
    expect((await user.client.put(path, [one(user, 'b', 'old'), b])).status).toBe(200);
    expect((await user.client.get(path)).body).toEqual([a, b, c]);
    expect((await user.client.get(`${path}/display`)).body).toEqual([a, b]);
    expect((await user.client.get(`${path}/display/name/b`)).body).toEqual(b);
    expect((await user.client.post(`${path}/delete`, [b, a])).body).toEqual({ status: 'OK' });
    expectError(await user.client.get(`${path}/display`), 404, 'app.preference.get_category.app_error');
    expectError(await user.client.get(`${path}/display/name/b`), 400, 'app.preference.get.app_error');
    expect((await server.admin.get(`/users/${user.id}/preferences`)).body).toEqual([c]);
  });

  it('survive concurrent writes', async () => {
    const user = await buildUser(server);
    const writes = Array.from({ length: 8 }, (_, i) =>
      user.client.put(path, [one(user, 'same', String(i)), one(user, `own${i}`)]),
    );
    expect((await Promise.all(writes)).map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect((await user.client.get(path)).body).toHaveLength(9);
  });

  describe('preference limits', () => {
    const MAX_BYTES = 2 * 1024 * 1024;
    const TOO_LARGE = 'app.preference.size.app_error';
    const KEY = 'display'.length + 'b000'.length;
    let user: BuiltUser;

    /** Stores preferences as they were stored before there was a limit. */
    const store = async (count: number, size: number): Promise<void> => {
      user = await buildUser(server);
      const rows = Array.from({ length: count }, (_, at) => ({
        userId: user.id,
        category: 'display',
        name: `b${String(at).padStart(3, '0')}`,
        value: 'x'.repeat(size - KEY),
      }));
      await server.app.get(DataSource).getRepository(Preference).insert(rows);
    };
    const put = (name: string, bytes: number, value = 'x') =>
      user.client.put(path, [one(user, name, value.repeat((bytes - KEY) / Buffer.byteLength(value)))]);

    it('allow 2 MiB in total', async () => {
      await store(128, MAX_BYTES / 128);
      expectError(await put('c000', KEY), 400, TOO_LARGE, String(MAX_BYTES));
      expect(listOf(await user.client.get(path))).toHaveLength(128);
      expect((await put('b001', 1_000)).status).toBe(200);
      expect((await put('c000', 15_000)).status).toBe(200);
      expectError(await put('c001', 1_011, 'é'), 400, TOO_LARGE);
    });

    it('allow shrinking and deleting above the limit, but not growing', async () => {
      await store(130, 18_000);
      const all = listOf(await user.client.get(path));
      expect(all).toHaveLength(130);
      expectError(await put('b000', 18_001), 400, TOO_LARGE);
      expect((await put('b000', 10_000)).status).toBe(200);
      expectError(await put('b000', 10_001), 400, TOO_LARGE);
      const gone = all.slice(0, 20).map((each) => ({ ...each, value: '' }));
      expect((await user.client.post(`${path}/delete`, gone)).status).toBe(200);
      expect((await put('b999', 20_000)).status).toBe(200);
    });

    it('hold for concurrent requests', async () => {
      await store(128, MAX_BYTES / 128 - 100);
      const writes = Array.from({ length: 8 }, (_, at) => put(`c00${at}`, 10_000));
      const statuses = (await Promise.all(writes)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    });
  });

  const of = (...fields: Parameters<typeof one>) => [one(...fields)];
  const self = { id: '{anna}' };
  const LONG = 'model.preference.is_valid';
  const tooMany = Array.from({ length: 101 }, () => one(self, 'a'));
  const foreign = of({ id: '{admin}' }, 'a');
  refuses(
    ...[{}, [], ['x'], [{ ...one(self, 'a'), name: 5 }], tooMany].flatMap((body): Refused[] => [
      [`anna PUT ${path}`, body, 400, BAD_BODY],
      [`anna POST ${path}/delete`, body, 400, BAD_BODY],
    ]),
    [`anna PUT ${path}`, of(self, 'a', 'x', ''), 400, `${LONG}.category.app_error`],
    [`anna PUT ${path}`, of(self, 'n'.repeat(33)), 400, `${LONG}.name.app_error`],
    [
      `anna PUT ${path}`,
      of(self, 'a', 'v'.repeat(20_001)),
      400,
      `${LONG}.value.app_error`,
      '20000 characters',
    ],
    [`anna PUT ${path}`, of(self, 'a', '😀'.repeat(16_384)), 400, `${LONG}.value.app_error`, '65535 bytes'],
    [`anna PUT ${path}`, foreign, 403, 'api.preference.update_preferences.set.app_error'],
    [`anna POST ${path}/delete`, foreign, 403, 'api.preference.delete_preferences.delete.app_error'],
  );

  it('have values of up to 65,535 bytes', async () => {
    expect((await anna.client.put(path, [one(anna, 'a', '😀'.repeat(16_383))])).status).toBe(200);
  });
});

describe('presence', () => {
  it('is offline until chosen, and visible to others', async () => {
    const { id: user_id, client } = await buildUser(server);
    const seen = async (): Promise<any> => (await anna.client.get(`/users/${user_id}/status`)).body;
    const choose = async (fields: object): Promise<any> =>
      (await client.put('/users/me/status', { user_id, ...fields })).body;
    const offline = { user_id, status: 'offline', manual: false, last_activity_at: 0, dnd_end_time: 0 };
    expect(await seen()).toEqual(offline);
    const dnd = { status: 'dnd', dnd_end_time: 4_000_000_000 };
    expect(await choose(dnd)).toMatchObject({ ...dnd, manual: true });
    const { body } = await anna.client.post('/users/status/ids', [user_id, anna.id]);
    expect(body).toMatchObject([{ status: 'dnd' }, { user_id: anna.id, status: 'offline' }]);
    await choose({ status: 'dnd', dnd_end_time: 1 });
    expect((await seen()).status).toBe('online');
  });

  const own = { user_id: '{anna}' };
  refuses(
    ['anna PUT /users/me/status', { ...own, status: 'asleep' }, 400, BAD_BODY, 'status'],
    ['anna PUT /users/me/status', own, 400, BAD_BODY, 'status'],
    ['anna PUT /users/me/status', { status: 'away' }, 400, BAD_BODY, 'user_id'],
    ['anna PUT /users/me/status', { user_id: '{unknown}', status: 'away' }, 400, BAD_BODY, 'user_id'],
    ['anna PUT /users/me/status', { ...own, status: 'dnd', dnd_end_time: -1 }, 400, BAD_BODY, 'dnd_end_time'],
    ['admin PUT /users/{unknown}/status', { user_id: '{unknown}', status: 'away' }, 404, MISSING],
    ['anna POST /users/status/ids', ['junk'], 400, BAD_BODY, 'user_ids'],
  );
});

it('audits who changed what', async () => {
  const user = await buildUser(server, { roles: 'system_user system_user_access_token' });
  await user.client.put(`/users/${server.adminId}/roles`, { roles: 'system_user' });
  const { body, text } = await server.admin.get('/audits?per_page=100');
  const { adminId } = server;
  const audited = (fields: object): unknown => expect.objectContaining(fields);
  const action = 'update_user_roles';
  expect(body).toEqual(
    expect.arrayContaining([
      audited({ action: 'create_user', target: user.id, user_id: adminId, result: 'success' }),
      audited({ action, target: user.id, result: 'success' }),
      audited({ action, target: adminId, user_id: user.id, result: 'fail', status_code: 403 }),
    ]),
  );
  expect(text).not.toContain(USER_PASSWORD);
});
