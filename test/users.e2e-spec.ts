import { inflateSync } from 'node:zlib';
import { hashSync } from '@node-rs/bcrypt';
import { DataSource, In } from 'typeorm';
import { User } from '../src/messaging/users/user.entity.js';
import { PreferencesRepository } from '../src/messaging/users/preferences/preferences.repository.js';
import { Preference } from '../src/messaging/users/preference.entity.js';
import { UsersService } from '../src/messaging/users/users.service.js';
import { newId } from '../src/platform/common/ids.js';
import type { Answer } from './support/api-client.mjs';
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

let server: TestServer;
let anna: BuiltUser;

/** The list in a response. */
const listOf = (answer: Answer): any[] => answer.body as any[];

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

  it('makes the first one administrator, then closes sign-up', async () => {
    const first = await empty.anonymous.post('/users', newAccount({ username: 'first' }));
    expect(first.status).toBe(201);
    expect(first.body.roles).toBe('system_admin system_user');
    expectError(
      await empty.anonymous.post('/users', newAccount()),
      403,
      'api.user.create_user.no_open_server',
    );
    const admin = await empty.login('first', USER_PASSWORD);
    expect((await admin.post('/users', newAccount())).body.roles).toBe('system_user');
  });

  it('makes no bot administrator, but the first user after it', async () => {
    const records = empty.app.get(UsersService);
    const bot = await records.createBot({ username: 'early', displayName: '', description: '', ownerId: '' });
    expect(bot.roles).toBe('system_user');
    const first = await empty.anonymous.post('/users', newAccount());
    expect(first.body.roles).toBe('system_admin system_user');
    expect((await empty.anonymous.post('/users', newAccount())).status).toBe(403);
    expect((await records.get(bot.id)).roles).toBe('system_user');
  });

  it('makes one of many simultaneous accounts administrator', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => empty.anonymous.post('/users', newAccount())),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(7);
  });

  it('makes one administrator also on an open server', async () => {
    await empty.withSettings({ enableOpenServer: true }, async () => {
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => empty.anonymous.post('/users', newAccount())),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201));
      const roles = answers.map(({ body }) => body.roles as string).sort();
      expect(roles).toEqual(['system_admin system_user', ...Array<string>(7).fill('system_user')]);
    });
  });
});

describe('POST /users', () => {
  it('creates an account with all defaults', async () => {
    const answer = await server.admin.post(
      '/users',
      newAccount({ username: 'Foo.Bar', email: 'Foo.Bar@Example.com' }),
    );
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
      notify_props: {
        email: 'true',
        push: 'mention',
        desktop: 'mention',
        channel: 'true',
        comments: 'never',
        mention_keys: '',
      },
      disable_welcome_email: false,
    });
    expect(answer.body.create_at).toBe(answer.body.update_at);
    expect(answer.text).not.toMatch(/password"|hash|argon/);
  });

  it('generates a missing name, and replaces an unknown locale by the default', async () => {
    const { body } = await server.admin.post('/users', newAccount({ username: '', locale: 'xx' }));
    expect(body.username).toMatch(/^[a-z0-9]{26}$/);
    expect(body.locale).toBe('en');
  });

  it('ignores server-owned fields in the body', async () => {
    const answer = await server.admin.post(
      '/users',
      newAccount({
        roles: 'system_admin',
        create_at: 1,
        update_at: 1,
        delete_at: 5,
        failed_attempts: 9,
        last_password_update: 7,
      }),
    );
    expect(answer.body).toMatchObject({ roles: 'system_user', delete_at: 0 });
    expect(answer.body.create_at).toBeGreaterThan(1);
    expect(answer.body.last_password_update).toBe(answer.body.create_at);
    expect(answer.body).not.toHaveProperty('failed_attempts');
  });

  it('lets only an administrator mark the e-mail address as verified', async () => {
    expect(
      (await server.admin.post('/users', newAccount({ email_verified: true }))).body.email_verified,
    ).toBe(true);
    await server.withSettings({ enableOpenServer: true }, async () => {
      const { body } = await server.anonymous.post('/users', newAccount({ email_verified: true }));
      expect(body).not.toHaveProperty('email_verified');
      expect(body.roles).toBe('system_user');
    });
  });

  it.each<[string, Record<string, unknown>, string, string]>([
    ['a reserved name', { username: 'system' }, 'model.user.is_valid.username.app_error', 'username'],
    [
      'the name of the @here mention',
      { username: 'Here' },
      'model.user.is_valid.username.app_error',
      'username',
    ],
    [
      "the name of the server's bot",
      { username: 'Hookline' },
      'model.user.is_valid.username.app_error',
      'username',
    ],
    ['the name of webhooks', { username: 'webhook' }, 'model.user.is_valid.username.app_error', 'username'],
    ['the address of a bot', { email: 'hookline@localhost' }, 'model.user.is_valid.email.app_error', 'email'],
    ['a name with a space', { username: 'a b' }, 'model.user.is_valid.username.app_error', 'username'],
    [
      'a name of 65 bytes',
      { username: 'a'.repeat(65) },
      'model.user.is_valid.username.app_error',
      'username',
    ],
    ['no e-mail address', { email: '' }, 'model.user.is_valid.email.app_error', 'email'],
    [
      'an address with a display name',
      { email: 'A <a@example.com>' },
      'model.user.is_valid.email.app_error',
      'email',
    ],
    [
      'an address of 129 bytes',
      { email: `${'a'.repeat(117)}@example.com` },
      'model.user.is_valid.email.app_error',
      'email',
    ],
    ['a short password', { password: '1234567' }, 'model.user.is_valid.pwd_min_length.app_error', 'password'],
    ['no password', { password: undefined }, 'model.user.is_valid.pwd_min_length.app_error', 'password'],
    [
      'a password of 73 bytes',
      { password: 'ä'.repeat(36) + 'x' },
      'model.user.is_valid.pwd_max_length.app_error',
      'password',
    ],
    ['a long nickname', { nickname: '😀'.repeat(65) }, 'model.user.is_valid.nickname.app_error', 'nickname'],
    [
      'a long first name',
      { first_name: 'x'.repeat(65) },
      'model.user.is_valid.first_name.app_error',
      'first_name',
    ],
    [
      'a long last name',
      { last_name: 'x'.repeat(65) },
      'model.user.is_valid.last_name.app_error',
      'last_name',
    ],
    ['a long position', { position: 'x'.repeat(129) }, 'model.user.is_valid.position.app_error', 'position'],
    [
      'a long time zone',
      { timezone: { a: 'x'.repeat(260) } },
      'model.user.is_valid.timezone_limit.app_error',
      'timezone',
    ],
    ['an id', { id: UNKNOWN }, 'app.user.save.existing.app_error', 'id'],
    [
      'a foreign identity',
      { auth_service: 'ldap', auth_data: 'x' },
      'model.user.is_valid.auth_data_type.app_error',
      'auth_service',
    ],
    ['a number instead of a name', { username: 5 }, BAD_BODY, 'username'],
    ['a list instead of props', { props: [] }, BAD_BODY, 'props'],
    ['props that are not strings', { props: { a: 1 } }, BAD_BODY, 'props'],
    ['a NUL character', { nickname: 'a\0b' }, BAD_BODY, 'nickname'],
  ])('refuses %s', async (_, fields, id, named) => {
    expectError(await server.admin.post('/users', newAccount(fields)), 400, id, named);
  });

  it('accepts the service of password accounts', async () => {
    const account = newAccount({ auth_service: 'email' });
    expect((await server.admin.post('/users', account)).status).toBe(201);
    const { username: login_id, password } = account;
    expect((await server.anonymous.post('/users/login', { login_id, password })).status).toBe(200);
  });

  it.each(['', '{', '[]', '"x"', '7'])('refuses the body %s', async (raw) => {
    expectError(await server.admin.post('/users', undefined, { raw }), 400, BAD_BODY, 'user');
  });

  it('accepts 64 code points, 72 bytes and 128 bytes at the limits', async () => {
    const fields = {
      nickname: '😀'.repeat(64),
      password: 'ä'.repeat(36),
      email: `${newId()}${'a'.repeat(90)}@example.com`,
    };
    expect((await server.admin.post('/users', newAccount(fields))).body.nickname).toBe('😀'.repeat(64));
  });

  it('refuses a taken e-mail address and a taken name', async () => {
    expectError(
      await server.admin.post('/users', newAccount({ email: anna.email.toUpperCase() })),
      400,
      'app.user.save.email_exists.app_error',
      'email',
    );
    expectError(
      await server.admin.post('/users', newAccount({ username: anna.username.toUpperCase() })),
      400,
      'app.user.save.username_exists.app_error',
      'username',
    );
  });

  it.each<[string, string]>([
    ['username', 'app.user.save.username_exists.app_error'],
    ['email', 'app.user.save.email_exists.app_error'],
  ])('creates one account for simultaneous requests of the same %s', async (field, id) => {
    const value = newAccount()[field];
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => server.admin.post('/users', newAccount({ [field]: value }))),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 201)) expectError(answer, 400, id, field);
  });

  it('returns 501 while sign-up is disabled', async () => {
    await server.withSettings({ enableUserCreation: false }, async () => {
      const id = 'api.user.create_user.signup_email_disabled.app_error';
      expectError(await server.anonymous.post('/users', newAccount()), 501, id);
      expectError(await server.admin.post('/users', newAccount()), 501, id);
      expectError(await server.admin.post('/users', undefined, { raw: '{' }), 400);
    });
  });

  it('is closed to callers without a session and to members, and open on an open server', async () => {
    expectError(
      await server.anonymous.post('/users', newAccount()),
      403,
      'api.user.create_user.no_open_server',
    );
    expectError(await anna.client.post('/users', newAccount()), 403, 'api.user.create_user.no_open_server');
    expectError(
      await server.anonymous.as(UNKNOWN).post('/users', newAccount()),
      403,
      'api.user.create_user.no_open_server',
    );
    await server.withSettings({ enableOpenServer: true }, async () => {
      expect((await server.anonymous.post('/users', newAccount())).status).toBe(201);
    });
  });

  it('rejects unknown invitations', async () => {
    const account = newAccount();
    expect((await server.anonymous.post(`/users?iid=${UNKNOWN}`, account)).status).toBe(404);
    expectError(
      await server.anonymous.post('/users?t=abc', account),
      400,
      'api.user.create_user.signup_link_invalid.app_error',
    );
    expectError(await server.admin.get(`/users/username/${String(account['username'])}`), 404);
  });
});

describe('looking a user up', () => {
  it('returns the own record, that of another user, and the view of an administrator', async () => {
    const me = await anna.client.get('/users/me');
    expect(me.status).toBe(200);
    expect(me.body).toMatchObject({ id: anna.id, notify_props: { email: 'true' } });
    expect(me.body).not.toHaveProperty('last_login');
    const other = (await anna.client.get(`/users/${server.adminId}`)).body;
    for (const field of [
      'notify_props',
      'auth_data',
      'last_password_update',
      'failed_attempts',
      'last_login',
      'email_verified',
    ]) {
      expect(other).not.toHaveProperty(field);
    }
    expect(other).toMatchObject({ username: 'admin', email: 'admin@localhost.localdomain' });
    const seen = (await server.admin.get(`/users/${anna.id}`)).body;
    expect(seen.notify_props).toBeDefined();
    expect(seen.last_login).toBeGreaterThan(0);
  });

  it('returns 304 if the ETag matches', async () => {
    const first = await anna.client.get('/users/me');
    const tag = first.headers['etag'] as string;
    expect(tag).toMatch(/^W\/".+"$/);
    // Clients add no-cache when they reload.
    const headers = { 'if-none-match': tag, 'cache-control': 'no-cache' };
    const again = await anna.client.get('/users/me', { headers });
    expect(again.status).toBe(304);
    expect(again.text).toBe('');
    await anna.client.put('/users/me/patch', { nickname: newId() });
    expect((await anna.client.get('/users/me', { headers: { 'if-none-match': tag } })).status).toBe(200);
  });

  it('finds by name and by e-mail address', async () => {
    for (const name of [anna.username, `${anna.username.toUpperCase()}%20`])
      expect((await anna.client.get(`/users/username/${name}`)).body.id).toBe(anna.id);
    expect((await anna.client.get(`/users/email/${anna.email.toUpperCase()}`)).body.id).toBe(anna.id);
  });

  it.each([
    ['/users/junk', 400, BAD_URL],
    ['/users/a-b', 404, 'api.context.404.app_error'],
    [`/users/${UNKNOWN}`, 404, 'app.user.missing_account.const'],
    ['/users/username/nobody.here', 404, 'app.user.get_by_username.app_error'],
    ['/users/username/Not%20a%20name', 400, BAD_URL],
    ['/users/email/nobody@example.com', 404, 'app.user.missing_account.const'],
    ['/users/email/nobody', 400, BAD_URL],
    [`/users/${UNKNOWN}/image`, 404, 'app.user.missing_account.const'],
    ['/users/junk/image', 400, BAD_URL],
    [`/users/${UNKNOWN}/status`, 404, 'app.user.missing_account.const'],
    ['/users/junk/status', 400, BAD_URL],
    ['/users/stats/x', 404, 'api.context.404.app_error'],
  ])('GET %s is %i', async (path, status, id) => {
    expectError(await server.admin.get(path), status, id);
  });

  it('returns several by id or by name, and skips unknown ones', async () => {
    const ids = [server.adminId, UNKNOWN, anna.id, anna.id];
    const byId = await anna.client.post('/users/ids', ids);
    expect(
      listOf(byId)
        .map((user) => user.id as string)
        .sort(),
    ).toEqual([anna.id, server.adminId].sort());
    const byName = await anna.client.post('/users/usernames', [
      ` ${anna.username.toUpperCase()}`,
      'nobody.here',
    ]);
    expect(listOf(byName).map((user) => user.id as string)).toEqual([anna.id]);
    const since = (await server.admin.get(`/users/${anna.id}`)).body.update_at as number;
    expect((await anna.client.post(`/users/ids?since=${since - 1}`, [anna.id])).body).toHaveLength(1);
    expect((await anna.client.post(`/users/ids?since=${since}`, [anna.id])).body).toHaveLength(0);
  });

  it.each(['/users/ids', '/users/usernames', '/users/status/ids'])(
    'POST %s refuses what is not a list of strings',
    async (path) => {
      for (const body of [[], [1], {}, 'x']) expectError(await server.admin.post(path, body), 400, BAD_BODY);
      expectError(await server.admin.post(path, undefined, { raw: '[' }), 400, BAD_BODY);
    },
  );

  it('returns a picture', async () => {
    const answer = await anna.client.get(`/users/${anna.id}/image`);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('image/png');
    const raw = await fetch(`${server.url}/api/v4/users/${anna.id}/image`, {
      headers: { authorization: `Bearer ${anna.client.token}` },
    });
    const png = Buffer.from(await raw.arrayBuffer());
    const { status, headers } = raw;
    checkAnswer(
      { status, headers: Object.fromEntries(headers), body: png },
      'GET',
      `/api/v4/users/${anna.id}/image`,
    );
    expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([128, 128]);
    const data = png.indexOf('IDAT');
    expect(inflateSync(png.subarray(data + 4, data + 4 + png.readUInt32BE(data - 4)))).toHaveLength(128 * 17);
    const again = await anna.client.get(`/users/${anna.id}/image`, {
      headers: { 'if-none-match': answer.headers['etag'] as string },
    });
    expect(again.status).toBe(304);
  });
});

describe('lists', () => {
  const prefix = `l${newId().slice(0, 8)}`;
  let members: BuiltUser[];

  beforeAll(async () => {
    members = [];
    for (const letter of ['a', 'b', 'c']) {
      members.push(
        await buildUser(server, {
          username: `${prefix}.${letter}`,
          first_name: `Zoë_${letter}`,
          last_name: '100%',
        }),
      );
    }
    await server.admin.put(`/users/${members[2]!.id}/active`, { active: false });
  });

  it('GET /users returns pages by username', async () => {
    const all = listOf(await anna.client.get('/users?per_page=200')).map((user) => user.username as string);
    expect(all).toEqual([...all].sort());
    expect(all).toEqual(expect.arrayContaining(['admin', anna.username, `${prefix}.c`]));
    const pages = await Promise.all([0, 1].map((page) => anna.client.get(`/users?per_page=2&page=${page}`)));
    expect(pages.flatMap((page) => listOf(page).map((user) => user.username as string))).toEqual(
      all.slice(0, 4),
    );
    expect((await anna.client.get('/users?per_page=0')).body).toEqual([]);
    expect((await anna.client.get('/users?page=999999999999')).body).toEqual([]);
  });

  it('GET /users filters by activity and by role', async () => {
    const names = async (query: string): Promise<string[]> =>
      listOf(await server.admin.get(`/users?per_page=200&${query}`)).map((user) => user.username as string);
    expect(await names('active=true')).not.toContain(`${prefix}.c`);
    expect(await names('inactive=true')).toContain(`${prefix}.c`);
    expect(await names('role=system_admin')).toEqual(['admin']);
    expect(await names('roles=system_admin,system_user')).toContain(`${prefix}.a`);
    expect(await names('role=system')).toEqual([]);
    expect(await names('without_team=true')).toContain(anna.username);
  });

  it.each([
    ['active=true&inactive=true', 400, 'inactive'],
    ['in_team=junk', 400, 'in_team'],
    [`not_in_channel=${UNKNOWN}`, 400, 'in_team'],
    ['sort=create_at', 400, 'sort'],
    ['sort=status', 400, 'sort'],
    ['sort=nonsense', 400, 'sort'],
    ['role=system%20admin', 400, 'role'],
    ['team_roles=team_user', 400, 'team_roles'],
    [`in_team=${UNKNOWN}&team_roles=nobody`, 400, 'team_roles'],
    [`in_team=${UNKNOWN}`, 403, ''],
    [`in_channel=${UNKNOWN}`, 403, ''],
  ])('GET /users?%s is %i', async (query, status, named) => {
    expectError(await anna.client.get(`/users?${query}`), status, status === 403 ? DENIED : BAD_URL, named);
  });

  it('POST /users/search finds by prefixes of names', async () => {
    const found = async (body: Record<string, unknown>): Promise<string[]> =>
      listOf(await anna.client.post('/users/search', body)).map((user) => user.username as string);
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

  it.each<[Record<string, unknown>, string]>([
    [{ term: '' }, 'term'],
    [{}, 'term'],
    [{ term: 5 }, 'term'],
    [{ term: 'x'.repeat(257) }, 'term in request body: it must have 1 to 256 characters'],
    [{ term: 'x', limit: -1 }, 'limit'],
    [{ term: 'x', limit: 1001 }, 'limit in request body: it must be 1 to 1000'],
    [{ term: 'x', team_id: 'junk' }, 'team_id'],
    [{ term: 'x', not_in_channel_id: UNKNOWN }, 'team_id'],
  ])('POST /users/search refuses %j', async (body, named) => {
    expectError(await anna.client.post('/users/search', body), 400, BAD_BODY, named);
  });

  it('POST /users/search requires permission in its scope', async () => {
    expectError(await anna.client.post('/users/search', { term: 'x', team_id: UNKNOWN }), 403, DENIED);
    expectError(await anna.client.post('/users/search', { term: 'x', in_channel_id: UNKNOWN }), 403, DENIED);
  });

  it('GET /users/autocomplete completes', async () => {
    const answer = await anna.client.get(`/users/autocomplete?name=${prefix}`);
    expect(answer.body).toEqual({
      users: [
        expect.objectContaining({ username: `${prefix}.a` }),
        expect.objectContaining({ username: `${prefix}.b` }),
      ],
    });
    expect((await anna.client.get(`/users/autocomplete?name=${prefix}&limit=1`)).body.users).toHaveLength(1);
    expectError(await anna.client.get(`/users/autocomplete?in_channel=${UNKNOWN}`), 403, DENIED);
    expectError(await anna.client.get('/users/autocomplete?in_team=x'), 400, BAD_URL);
    expectError(await anna.client.get(`/users/autocomplete?team_id=${UNKNOWN}`), 403, DENIED);
    expectError(await anna.client.get(`/users/autocomplete?channel_id=${UNKNOWN}`), 403, DENIED);
  });

  it('GET /users/stats counts active ones', async () => {
    const { total_users_count: before } = (await anna.client.get('/users/stats')).body;
    await buildUser(server);
    expect((await anna.client.get('/users/stats')).body).toEqual({ total_users_count: before + 1 });
  });
});

describe('lists by team and channel', () => {
  const prefix = `m${newId().slice(0, 8)}`;
  let teamId: string;
  let channelId: string;
  let insiders: BuiltUser[];
  let outsider: BuiltUser;

  const post = async (path: string, body: unknown, client = server.admin): Promise<any> => {
    const answer = await client.post(path, body);
    if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.text}`);
    return answer.body;
  };
  const names = async (query: string, client = insiders[0]!.client): Promise<string[]> => {
    const answer = await client.get(`/users?per_page=200&${query}`);
    if (answer.status !== 200) throw new Error(answer.text);
    return listOf(answer)
      .map((user) => user.username as string)
      .filter((name) => name.startsWith(prefix))
      .map((name) => name.slice(prefix.length + 1));
  };

  beforeAll(async () => {
    insiders = [];
    for (const letter of ['a', 'b', 'c'])
      insiders.push(await buildUser(server, { username: `${prefix}.${letter}` }));
    outsider = await buildUser(server, { username: `${prefix}.x` });
    const team = { name: prefix, display_name: prefix, type: 'O' };
    teamId = (await post('/teams', team, insiders[0]!.client)).id as string;
    const channel = { team_id: teamId, name: 'inside', display_name: 'Inside', type: 'O' };
    channelId = (await post('/channels', channel, insiders[0]!.client)).id as string;
    for (const { id } of insiders.slice(1))
      await post(`/teams/${teamId}/members`, { team_id: teamId, user_id: id });
    await post(`/channels/${channelId}/members`, { user_id: insiders[1]!.id });
  });

  it('GET /users filters by membership', async () => {
    expect(await names(`in_team=${teamId}`)).toEqual(['a', 'b', 'c']);
    expect(await names(`not_in_team=${teamId}`)).toEqual(['x']);
    expect(await names(`in_channel=${channelId}`)).toEqual(['a', 'b']);
    expect(await names(`in_team=${teamId}&not_in_channel=${channelId}`)).toEqual(['c']);
    expect(await names('without_team=true')).toEqual(['x']);
    expect(await names(`in_team=${teamId}&team_roles=team_admin`)).toEqual(['a']);
    expect(await names(`in_channel=${channelId}&channel_roles=channel_user,channel_admin`)).toEqual([
      'a',
      'b',
    ]);
    expectError(await outsider.client.get(`/users?in_team=${teamId}`), 403, DENIED);
    expectError(await outsider.client.get(`/users?in_channel=${channelId}`), 403, DENIED);
  });

  it('GET /users sorts', async () => {
    expect(await names(`in_team=${teamId}&sort=create_at`)).toEqual(['c', 'b', 'a']);
    expect((await names(`in_team=${teamId}&sort=last_activity_at`)).sort()).toEqual(['a', 'b', 'c']);
    expect(await names(`in_channel=${channelId}&sort=admin`)).toEqual(['a', 'b']);
    const { id, client } = insiders[1]!;
    await client.put('/users/me/status', { user_id: id, status: 'online' });
    expect(await names(`in_channel=${channelId}&sort=status`)).toEqual(['b', 'a']);
    await client.put('/users/me/status', { user_id: id, status: 'offline' });
    expect(await names(`in_channel=${channelId}&sort=status`)).toEqual(['a', 'b']);
    expectError(
      await client.get(`/users?in_team=${teamId}&in_channel=${channelId}&sort=create_at`),
      400,
      BAD_URL,
      'sort',
    );
  });

  it('search and autocomplete respect their scope', async () => {
    const { client } = insiders[0]!;
    const found = async (body: Record<string, unknown>): Promise<string[]> =>
      listOf(await client.post('/users/search', { term: prefix, ...body })).map((user) =>
        (user.username as string).slice(-1),
      );
    expect(await found({ team_id: teamId })).toEqual(['a', 'b', 'c']);
    expect(await found({ not_in_team_id: teamId })).toEqual(['x']);
    expect(await found({ in_channel_id: channelId })).toEqual(['a', 'b']);
    expect(await found({ team_id: teamId, not_in_channel_id: channelId })).toEqual(['c']);
    expect(await found({ without_team: true })).toEqual(['x']);
    const { body } = await client.get(
      `/users/autocomplete?in_team=${teamId}&in_channel=${channelId}&name=${prefix}`,
    );
    expect(body.users).toHaveLength(2);
    expect(body.out_of_channel).toEqual([expect.objectContaining({ id: insiders[2]!.id })]);
  });

  it('an invitation creates an account on a closed server, as a member of the team', async () => {
    const { invite_id: inviteId } = (await insiders[0]!.client.get(`/teams/${teamId}`)).body;
    const answer = await server.anonymous.post(
      `/users?iid=${inviteId}`,
      newAccount({ username: `${prefix}.invited` }),
    );
    expect(answer.status).toBe(201);
    expect(answer.body.roles).toBe('system_user');
    expect(await names(`in_team=${teamId}`)).toContain('invited');
  });
});

describe('PUT /users/{id} and /patch', () => {
  it('changes sent fields and keeps the rest', async () => {
    const user = await buildUser(server, { first_name: 'Anna', position: 'Ops' });
    const before = (await user.client.get('/users/me')).body;
    const patched = await user.client.put('/users/me/patch', {
      nickname: 'Nan',
      props: { a: 'b' },
      notify_props: { email: 'false' },
      last_name: null,
    });
    expect(patched.status).toBe(200);
    expect(patched.body).toMatchObject({
      nickname: 'Nan',
      first_name: 'Anna',
      position: 'Ops',
      props: { a: 'b' },
      notify_props: { email: 'false' },
    });
    expect(patched.body.update_at).toBeGreaterThanOrEqual(before.update_at);
    const put = await user.client.put(`/users/${user.id}`, {
      ...patched.body,
      username: user.username.toUpperCase(),
      locale: 'de',
    });
    expect(put.status).toBe(200);
    expect((await user.client.get('/users/me')).body).toMatchObject({
      nickname: 'Nan',
      locale: 'de',
      username: user.username,
    });
  });

  it('gives a new name at once', async () => {
    const user = await buildUser(server);
    const name = `renamed.${newId()}`;
    expect((await server.admin.get(`/users/username/${name}`)).status).toBe(404);
    await user.client.put('/users/me/patch', { username: name });
    expect((await server.admin.get(`/users/username/${name}`)).body.id).toBe(user.id);
    expect((await server.admin.get(`/users/username/${user.username}`)).status).toBe(404);
  });

  it('reports ten taken names per user and hour, and changes the rest', async () => {
    const user = await buildUser(server);
    const rename = (): Promise<Answer> => user.client.put('/users/me/patch', { username: 'admin' });
    const answers = await Promise.all(Array.from({ length: 11 + lateAttempts }, rename));
    const refused = answers.filter(({ status }) => status === 429);
    const told = answers.filter(({ status }) => status === 400);
    expect(told.length).toBeGreaterThanOrEqual(10);
    expect(told.length).toBeLessThanOrEqual(10 + lateAttempts);
    expectError(refused[0]!, 429, 'api.user.update_user.too_many_taken.app_error');
    expect(Number(refused[0]!.headers['retry-after'])).toBeGreaterThan(3_500);
    const same = { username: user.username, nickname: 'Ada' };
    expect((await user.client.put('/users/me/patch', same)).status).toBe(200);
    const asAdmin = await server.admin.put(`/users/${user.id}/patch`, { username: newId() });
    expect(asAdmin.status).toBe(200);
  });

  it('refuses the name and the e-mail address of a bot', async () => {
    const user = await buildUser(server);
    for (const username of ['hookline', 'webhook'])
      expectError(
        await user.client.put('/users/me/patch', { username }),
        400,
        'model.user.is_valid.username.app_error',
        'username',
      );
    const email = `${newId()}@localhost`;
    expectError(
      await user.client.put('/users/me/patch', { email, password: USER_PASSWORD }),
      400,
      'model.user.is_valid.email.app_error',
      'email',
    );
    await server.app.get(DataSource).query('UPDATE users SET email = ? WHERE id = ?', [email, user.id]);
    const { status, body } = await user.client.put('/users/me/patch', { nickname: 'Ada' });
    expect({ status, ...body }).toMatchObject({ status: 200, email, nickname: 'Ada' });
  });

  it('keeps a name that was free before it was reserved', async () => {
    const user = await buildUser(server);
    await server.app.get(DataSource).query("UPDATE users SET username = 'here' WHERE id = ?", [user.id]);
    const { body } = await server.admin.put(`/users/${user.id}/patch`, { nickname: 'Hera' });
    expect(body).toMatchObject({ username: 'here', nickname: 'Hera' });
    const renamed = await server.admin.put(`/users/${user.id}/patch`, { username: newId() });
    expect(renamed.status).toBe(200);
    expectError(
      await server.admin.put(`/users/${user.id}/patch`, { username: 'here' }),
      400,
      'model.user.is_valid.username.app_error',
    );
  });

  it('changes the own e-mail address with the password only, others’ without', async () => {
    const user = await buildUser(server);
    const email = `${newId()}@example.com`;
    expectError(await user.client.put('/users/me/patch', { email }), 400, BAD_BODY, 'password');
    expectError(
      await user.client.put('/users/me/patch', { email, password: 'not her password' }),
      400,
      BAD_BODY,
      'password',
    );
    expectError(
      await user.client.put(`/users/${user.id}`, { id: user.id, email }),
      400,
      BAD_BODY,
      'password',
    );
    expect((await user.client.put('/users/me/patch', { email, password: USER_PASSWORD })).body.email).toBe(
      email,
    );
    expect((await server.admin.put(`/users/${user.id}/patch`, { email: user.email })).body.email).toBe(
      user.email,
    );
  });

  it('locks out users who guess the password this way', async () => {
    const user = await buildUser(server);
    const email = `${newId()}@example.com`;
    for (let i = 0; i < 10; i++)
      await user.client.put('/users/me/patch', { email, password: 'not her password' });
    expectError(
      await user.client.put('/users/me/patch', { email, password: USER_PASSWORD }),
      429,
      'api.user.check_user_login_attempts.too_many.app_error',
    );
    expect((await user.client.get('/users/me')).status).toBe(200);
  });

  it('refuses taken and invalid values', async () => {
    const user = await buildUser(server);
    expectError(
      await user.client.put('/users/me/patch', { username: anna.username }),
      400,
      'app.user.save.username_exists.app_error',
    );
    expectError(
      await server.admin.put(`/users/${user.id}/patch`, { email: anna.email }),
      400,
      'app.user.save.email_exists.app_error',
    );
    expectError(
      await user.client.put('/users/me/patch', { username: '' }),
      400,
      'model.user.is_valid.username.app_error',
    );
    expectError(
      await user.client.put('/users/me/patch', { locale: 'toolong' }),
      400,
      'model.user.is_valid.locale.app_error',
    );
    expectError(
      await user.client.put('/users/me/patch', { position: 'x'.repeat(129) }),
      400,
      'model.user.is_valid.position.app_error',
    );
    expectError(
      await user.client.put('/users/me/patch', { props: { a: 'x'.repeat(9000) } }),
      400,
      'model.user.is_valid.props_limit.app_error',
    );
    expectError(await user.client.put('/users/me/patch', { nickname: 5 }), 400, BAD_BODY, 'nickname');
  });

  it('keeps names unique when several change at once', async () => {
    const users = await Promise.all(Array.from({ length: 4 }, () => buildUser(server)));
    const username = `same.${newId()}`;
    const answers = await Promise.all(users.map((user) => user.client.put('/users/me/patch', { username })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
  });

  it('refuses other users, and managers over administrators', async () => {
    const user = await buildUser(server);
    expectError(await anna.client.put(`/users/${user.id}/patch`, { nickname: 'x' }), 403, DENIED);
    expectError(await anna.client.put(`/users/${user.id}`, { id: user.id }), 403, DENIED);
    expectError(await anna.client.put(`/users/${UNKNOWN}/patch`, {}), 403, DENIED);
    expectError(await server.admin.put(`/users/${user.id}`, { id: UNKNOWN }), 400, BAD_BODY, 'user_id');
    expectError(await server.admin.put(`/users/${user.id}`, {}), 400, BAD_BODY, 'id');
    expectError(
      await server.admin.put(`/users/${UNKNOWN}`, { id: UNKNOWN }),
      404,
      'app.user.missing_account.const',
    );
    expectError(await server.admin.put(`/users/${UNKNOWN}/patch`, {}), 400, BAD_BODY, 'user_id');
    expectError(await server.admin.put('/users/junk/patch', {}), 400, BAD_URL);
    expectError(await server.admin.put('/users/me/patch', undefined, { raw: '{' }), 400, BAD_BODY, 'user');
  });
});

describe('PUT /users/{id}/roles', () => {
  it('grants and revokes roles at once', async () => {
    const user = await buildUser(server);
    expectError(await user.client.get('/roles'), 403);
    expect(
      (await server.admin.put(`/users/${user.id}/roles`, { roles: 'system_admin  system_user' })).body,
    ).toEqual({ status: 'OK' });
    expect((await user.client.get('/roles')).status).toBe(200);
    expect((await user.client.get('/users/me')).body.roles).toBe('system_admin system_user');
    await server.admin.put(`/users/${user.id}/roles`, { roles: 'system_user' });
    expectError(await user.client.get('/roles'), 403);
  });

  it.each<[unknown, string]>([
    [{ roles: 'system_admin' }, BAD_BODY],
    [{ roles: 'System User' }, BAD_BODY],
    [{ roles: 'a;b' }, BAD_BODY],
    [{ roles: 7 }, BAD_BODY],
    [{}, BAD_BODY],
    [{ roles: 'system_user nobody' }, 'app.role.check_roles_exist.role_not_found'],
    [
      { roles: Array.from({ length: 30 }, (_, i) => `a_rather_long_role_${i}`).join(' ') },
      'model.user.is_valid.roles_limit.app_error',
    ],
  ])('refuses %j', async (body, id) => {
    expectError(await server.admin.put(`/users/${anna.id}/roles`, body), 400, id);
  });

  it('validates the names before the permission, then refuses', async () => {
    expectError(
      await anna.client.put(`/users/${anna.id}/roles`, { roles: 'system_admin' }),
      400,
      BAD_BODY,
      'roles',
    );
    expectError(
      await anna.client.put(`/users/${anna.id}/roles`, { roles: 'system_admin system_user' }),
      403,
      DENIED,
    );
    expectError(
      await server.admin.put(`/users/${UNKNOWN}/roles`, { roles: 'system_user' }),
      400,
      'app.user.missing_account.const',
    );
    expectError(await server.admin.put('/users/junk/roles', { roles: 'system_user' }), 400, BAD_URL);
  });

  it('leaves one administrator, regardless of the order', async () => {
    expectError(
      await server.admin.put(`/users/${server.adminId}/roles`, { roles: 'system_user' }),
      400,
      'app.user.update.lastAdmin.app_error',
    );
    const second = await buildUser(server, { roles: 'system_admin system_user' });
    const answers = await Promise.all([
      server.admin.put(`/users/${second.id}/roles`, { roles: 'system_user' }),
      second.client.put(`/users/${server.adminId}/roles`, { roles: 'system_user' }),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1); // the other is refused, or has no rights any more
    const winner = (await server.admin.get('/roles')).status === 200 ? server.admin : second.client;
    await winner.put(`/users/${server.adminId}/roles`, { roles: 'system_admin system_user' });
    await server.admin.put(`/users/${second.id}/roles`, { roles: 'system_user' });
    expect((await server.admin.get('/roles')).status).toBe(200);
  });
});

describe('activation', () => {
  it('ends the sessions of a deactivated account, and lets it sign in after reactivation', async () => {
    const user = await buildUser(server);
    expect((await server.admin.put(`/users/${user.id}/active`, { active: false })).body).toEqual({
      status: 'OK',
    });
    expectError(await user.client.get('/users/me'), 401, EXPIRED);
    expect((await server.admin.get(`/users/${user.id}`)).body.delete_at).toBeGreaterThan(0);
    await server.admin.put(`/users/${user.id}/active`, { active: true });
    expectError(await user.client.get('/users/me'), 401, EXPIRED);
    expect((await server.login(user.username, USER_PASSWORD)).token).toMatch(/^[a-z0-9]{26}$/);
  });

  it('deactivates by DELETE', async () => {
    const user = await buildUser(server);
    expect((await server.admin.delete(`/users/${user.id}`)).body).toEqual({ status: 'OK' });
    expect((await server.admin.delete(`/users/${user.id}`)).status).toBe(200);
    expectError(await user.client.get('/users/me'), 401, EXPIRED);
  });

  it('refuses oneself, other users, unknown accounts, and invalid values', async () => {
    const user = await buildUser(server);
    expectError(
      await user.client.put('/users/me/active', { active: false }),
      401,
      'api.user.update_active.not_enable.app_error',
    );
    expectError(await user.client.delete('/users/me'), 401, 'api.user.update_active.not_enable.app_error');
    expectError(
      await user.client.put(`/users/${anna.id}/active`, { active: false }),
      403,
      'api.user.update_active.permissions.app_error',
    );
    expectError(await user.client.delete(`/users/${anna.id}`), 403, DENIED);
    expectError(
      await server.admin.put(`/users/${UNKNOWN}/active`, { active: false }),
      404,
      'app.user.missing_account.const',
    );
    expectError(await server.admin.delete(`/users/${UNKNOWN}`), 404, 'app.user.missing_account.const');
    expectError(await server.admin.delete('/users/junk'), 400, BAD_URL);
    for (const body of [{}, { active: null }, { active: 'yes' }]) {
      expectError(await server.admin.put(`/users/${user.id}/active`, body), 400, BAD_BODY, 'active');
    }
    expectError(
      await server.admin.delete(`/users/${user.id}?permanent=true`),
      401,
      'api.user.delete_user.not_enabled.for_admin.app_error',
    );
    expect((await user.client.get('/users/me')).status).toBe(200);
  });

  it('keeps the last administrator', async () => {
    expectError(
      await server.admin.delete(`/users/${server.adminId}`),
      400,
      'app.user.update.lastAdmin.app_error',
    );
    expectError(await server.admin.put(`/users/${server.adminId}/active`, { active: false }), 401);
    const second = await buildUser(server, { roles: 'system_admin system_user' });
    expect((await second.client.delete(`/users/${second.id}`)).status).toBe(200);
  });

  it('leaves administrators to administrators', async () => {
    const { body: role } = await server.admin.get('/roles/name/system_post_all');
    const permissions = [...role.permissions, 'edit_other_users', 'sysconsole_write_user_management_users'];
    await server.admin.put(`/roles/${role.id}/patch`, { permissions });
    const manager = await buildUser(server, { roles: 'system_user system_post_all' });
    expect((await manager.client.put(`/users/${anna.id}/patch`, { nickname: 'managed' })).status).toBe(200);
    for (const answer of [
      await manager.client.put(`/users/${server.adminId}/patch`, { nickname: 'x' }),
      await manager.client.put(`/users/${server.adminId}/active`, { active: false }),
      await manager.client.delete(`/users/${server.adminId}`),
      await manager.client.put(`/users/${server.adminId}/password`, { new_password: USER_PASSWORD }),
    ]) {
      expect(answer.status).toBe(403);
    }
    await server.admin.put(`/roles/${role.id}/patch`, { permissions: role.permissions });
  });
});

describe('an account with more permissions', () => {
  const change = async (name: string, ...more: string[]): Promise<() => Promise<unknown>> => {
    const { body: role } = await server.admin.get(`/roles/name/${name}`);
    const path = `/roles/${role.id}/patch`;
    await server.admin.put(path, { permissions: [...role.permissions, ...more] });
    return () => server.admin.put(path, { permissions: role.permissions });
  };
  it('is not created by changing roles', async () => {
    const write = 'sysconsole_write_user_management_permissions';
    const back = await change('system_post_all', write, 'view_members');
    const manager = await buildUser(server, { roles: 'system_user system_post_all' });
    const patch = async (name: string, edit: (permissions: string[]) => string[]): Promise<Answer> => {
      const { body: role } = await server.admin.get(`/roles/name/${name}`);
      return manager.client.put(`/roles/${role.id}/patch`, { permissions: edit(role.permissions) });
    };
    const refused = [
      await patch('system_post_all', (all) => [...all, 'manage_shared_channels']),
      await patch('system_post_all', (all) => all),
      await patch('system_user', (all) => [...all, write]),
      await patch('system_user_access_token', (all) => [...all, 'edit_other_users']),
      await patch('team_admin', (all) => all.filter((each) => each !== 'manage_team')),
    ];
    const allowed = [
      await patch('system_post_all_public', (all) => [...all, 'view_members']),
      await patch('system_post_all_public', (all) => all.filter((each) => each !== 'view_members')),
    ];
    await back();
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
    expect(allowed.map(({ status }) => status)).toEqual([200, 200]);
  });

  it('keeps stock names that this server does not enforce', async () => {
    const back = await change('system_post_all_public');
    const { body: role } = await server.admin.get('/roles/name/system_post_all_public');
    const path = `/roles/${role.id}/patch`;
    const permissions = [...role.permissions, 'playbook_run_create', 'use_slash_commands'];
    expect((await server.admin.put(path, { permissions })).body.permissions).toEqual(permissions);
    expect((await server.admin.get(`/roles/${role.id}`)).body.permissions).toEqual(permissions);
    const many = Array.from({ length: 601 }, (_, index) => `p${index}`);
    for (const wrong of [['no name'], ['x'.repeat(65)], [''], many])
      expectError(await server.admin.put(path, { permissions: wrong }), 400, BAD_BODY, 'permissions');
    await back();
  });

  const actsOn = ({ id }: { id: string }, session_id: string, token_id: string) =>
    [
      ['get', `/users/${id}/sessions`],
      ['post', `/users/${id}/sessions/revoke`, { session_id }],
      ['post', `/users/${id}/sessions/revoke/all`],
      ['get', `/users/${id}/tokens`],
      ['post', `/users/${id}/tokens`, { description: 'x' }],
      ['get', `/users/tokens/${token_id}`],
      ...['revoke', 'disable', 'enable'].map(
        (way) => ['post', `/users/tokens/${way}`, { token_id }] as const,
      ),
      ['put', `/users/${id}/patch`, { email: `${newId()}@example.com` }],
      ['put', `/users/${id}`, { id, nickname: 'x' }],
      ['put', `/users/${id}/password`, { new_password: USER_PASSWORD }],
      ['put', `/users/${id}/roles`, { roles: 'system_user' }],
      ['put', `/users/${id}/active`, { active: false }],
      ['delete', `/users/${id}`],
      ['get', `/users/${id}/preferences`],
      ['put', `/users/${id}/preferences`, [{ user_id: id, category: 'a', name: 'b', value: 'c' }]],
      ['put', `/users/${id}/status`, { user_id: id, status: 'away' }],
      ['get', `/users/${id}/channels`],
      ['post', `/channels/members/${id}/view`, { channel_id: '', prev_channel_id: '' }],
    ] as const;

  it.each([
    ['an administrator', 'system_user system_admin'],
    ['who may change what roles grant', 'system_user system_post_all_public'],
  ])('is protected from user managers: %s', async (_, roles) => {
    const restore = [
      await change('system_post_all', 'edit_other_users', 'sysconsole_write_user_management_users'),
      await change('system_post_all_public', 'sysconsole_write_user_management_permissions'),
    ];
    const manager = await buildUser(server, {
      roles: 'system_user system_user_access_token system_post_all',
    });
    const above = await buildUser(server, { roles });
    const plain = await buildUser(server);
    const { id: tokenId } = (await server.admin.post(`/users/${above.id}/tokens`, { description: 'x' })).body;
    const [{ id: sessionId }] = (await above.client.get(`/users/${above.id}/sessions`)).body;
    expect((await manager.client.get(`/users/${plain.id}/sessions`)).status).toBe(200);
    expect((await manager.client.post(`/users/${plain.id}/tokens`, { description: 'x' })).status).toBe(200);
    for (const [method, path, body] of actsOn(above, sessionId, tokenId)) {
      const answer = await manager.client.send(method.toUpperCase(), path, body);
      expect([method, path, answer.status]).toEqual([method, path, 403]);
    }
    expect((await above.client.get('/users/me')).status).toBe(200);
    for (const undo of restore) await undo();
  });
});

describe('POST /users/{id}/email/verify/member', () => {
  it('marks the e-mail address as verified', async () => {
    const user = await buildUser(server);
    const path = `/users/${user.id}/email/verify/member`;
    const answer = await server.admin.post(path, {});
    expect([answer.status, answer.body]).toEqual([
      200,
      expect.objectContaining({ id: user.id, email_verified: true }),
    ]);
    expect((await server.admin.post(path, {})).status).toBe(200);
    expect((await server.admin.get(`/users/${user.id}`)).body.email_verified).toBe(true);
    expect((await user.client.post(path, {})).status).toBe(403);
    expect((await server.admin.post(`/users/${newId()}/email/verify/member`, {})).status).toBe(404);
  });
});

describe('PUT /users/{id}/password', () => {
  it('changes the own one with the current one, and ends the other sessions', async () => {
    const user = await buildUser(server);
    const other = await server.login(user.username, USER_PASSWORD);
    const next = 'another long password';
    const answer = await user.client.put('/users/me/password', {
      current_password: USER_PASSWORD,
      new_password: next,
    });
    expect(answer.body).toEqual({ status: 'OK' });
    expect((await user.client.get('/users/me')).status).toBe(200);
    expectError(await other.get('/users/me'), 401, EXPIRED);
    await expect(server.login(user.username, USER_PASSWORD)).rejects.toThrow('401');
    expect((await server.login(user.username, next)).token).toBeTruthy();
  });

  it('lets an administrator set one, which ends all sessions', async () => {
    const user = await buildUser(server);
    expect(
      (await server.admin.put(`/users/${user.id}/password`, { new_password: 'set by the admin' })).status,
    ).toBe(200);
    expectError(await user.client.get('/users/me'), 401, EXPIRED);
    expect((await server.login(user.username, 'set by the admin')).token).toBeTruthy();
  });

  it('refuses invalid requests', async () => {
    const user = await buildUser(server);
    const put = (body: unknown, path = `/users/${user.id}/password`, client = user.client): Promise<Answer> =>
      client.put(path, body);
    expectError(await put({ new_password: 'long enough' }), 400, BAD_BODY, 'current_password');
    expectError(
      await put({ current_password: 'wrong', new_password: 'long enough' }),
      400,
      'api.user.update_password.incorrect.app_error',
      'current_password',
    );
    expectError(await put({ current_password: USER_PASSWORD }), 400, BAD_BODY, 'new_password');
    expectError(
      await put({ current_password: USER_PASSWORD, new_password: 'short' }),
      400,
      'model.user.is_valid.pwd_min_length.app_error',
    );
    expectError(
      await put({ new_password: 'long enough' }, `/users/${anna.id}/password`),
      403,
      'api.user.update_password.context.app_error',
    );
    expectError(
      await put({ new_password: 'long enough' }, `/users/${UNKNOWN}/password`, server.admin),
      404,
      'app.user.missing_account.const',
    );
    expectError(
      await put({ new_password: 'long enough' }, '/users/junk/password', server.admin),
      400,
      BAD_URL,
    );
    expect((await server.login(user.username, USER_PASSWORD)).token).toBeTruthy();
  });
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
    expect(await storedHash(user.id)).toBe(hash);
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

  it.each<[string, () => Promise<Answer>]>([
    ['a password', () => server.admin.put(`/users/${id}/password`, { new_password: USER_PASSWORD })],
    ['roles', () => server.admin.put(`/users/${id}/roles`, { roles: 'system_admin system_user' })],
    ['another name', () => server.admin.put(`/users/${id}/patch`, { username: 'berta' })],
    ['another address', () => server.admin.put(`/users/${id}`, { id, email: 'berta@example.com' })],
    ['another nickname', () => server.admin.put(`/users/${id}/patch`, { nickname: 'Berta' })],
    ['a token', () => server.admin.post(`/users/${id}/tokens`, { description: 'a program' })],
  ])('gets no %s here', async (_, call) => {
    const before = (await server.admin.get(`/users/${id}`)).body;
    expectError(await call(), 400, REMOTE_USER, 'another server');
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
  let ids: string[];
  let names: string[];

  /** Inserted at once, because creating them one by one takes a minute. */
  beforeAll(async () => {
    const repository = server.app.get(DataSource).getRepository(User);
    const model = await repository.findOneByOrFail({ id: anna.id });
    const large = { a: '😀'.repeat(7_990) };
    const users = Array.from({ length: 300 }, (_, at): User => {
      const username = `${PREFIX}${at}`;
      const email = `${username}@example.com`;
      return { ...model, id: newId(), username, email, props: large, notifyProps: large };
    });
    for (let from = 0; from < users.length; from += 20) await repository.insert(users.slice(from, from + 20));
    ids = users.map(({ id }) => id);
    names = users.map(({ username }) => username);
  });
  afterAll(() =>
    server.app
      .get(DataSource)
      .getRepository(User)
      .delete({ username: In(names) }),
  );

  it('are refused by ids and by names above the response limit', async () => {
    const TOO_LARGE = 'api.user.list.too_large.app_error';
    expectError(await server.admin.post('/users/ids', ids), 400, TOO_LARGE, 'user_ids');
    expectError(await server.admin.post('/users/usernames', names), 400, TOO_LARGE, String(16 * MIB));
    const some = await server.admin.post('/users/ids', [...ids.slice(0, 210), anna.id]);
    expect(listOf(some)).toHaveLength(211);
    const found = listOf(some).map(({ username }) => username as string);
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
  const one = (user: BuiltUser, name: string, value = 'x', category = 'display') => ({
    user_id: user.id,
    category,
    name,
    value,
  });

  it('are stored, read and deleted', async () => {
    const user = await buildUser(server);
    const path = '/users/me/preferences';
    expect((await user.client.get(path)).body).toEqual([]);
    const stored = [one(user, 'b'), one(user, 'a', ''), one(user, 'c', 'y', 'other')];
    expect((await user.client.put(path, stored)).body).toEqual({ status: 'OK' });
    expect((await user.client.put(path, [one(user, 'b', 'old'), one(user, 'b', 'ü😀')])).status).toBe(200);
    expect((await user.client.get(path)).body).toEqual([
      one(user, 'a', ''),
      one(user, 'b', 'ü😀'),
      one(user, 'c', 'y', 'other'),
    ]);
    expect((await user.client.get(`${path}/display`)).body).toHaveLength(2);
    expect((await user.client.get(`${path}/display/name/b`)).body).toEqual(one(user, 'b', 'ü😀'));
    expect((await user.client.post(`${path}/delete`, [one(user, 'b'), one(user, 'a')])).body).toEqual({
      status: 'OK',
    });
    expectError(await user.client.get(`${path}/display`), 404, 'app.preference.get_category.app_error');
    expectError(await user.client.get(`${path}/display/name/b`), 400, 'app.preference.get.app_error');
    expect((await server.admin.get(`/users/${user.id}/preferences`)).body).toHaveLength(1);
  });

  it('survive concurrent writes', async () => {
    const user = await buildUser(server);
    const writes = Array.from({ length: 8 }, (_, i) =>
      user.client.put('/users/me/preferences', [one(user, 'same', String(i)), one(user, `own${i}`)]),
    );
    expect((await Promise.all(writes)).map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect((await user.client.get('/users/me/preferences')).body).toHaveLength(9);
  });

  describe('preference limits', () => {
    const MAX_BYTES = 2 * 1024 * 1024;
    const TOO_LARGE = 'app.preference.size.app_error';
    const path = '/users/me/preferences';
    const KEY = 'display'.length + 'b000'.length;
    let user: BuiltUser;

    /** Stores preferences as they were stored before there was a limit. */
    const store = async (sizes: readonly number[]): Promise<void> => {
      user = await buildUser(server);
      const rows = sizes.map((size, at) => ({
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
      await store(Array<number>(128).fill(MAX_BYTES / 128));
      const write = jest.spyOn(server.app.get(PreferencesRepository), 'put');
      expectError(await put('c000', KEY), 400, TOO_LARGE, String(MAX_BYTES));
      expect(write).not.toHaveBeenCalled();
      write.mockRestore();
      expect((await put('b001', 1_000)).status).toBe(200);
      expect((await put('c000', 15_000)).status).toBe(200);
      expectError(await put('c001', 1_011, 'é'), 400, TOO_LARGE);
    });

    it('allow shrinking and deleting above the limit, but not growing', async () => {
      await store(Array<number>(130).fill(18_000));
      expect(listOf(await user.client.get(path))).toHaveLength(130);
      expectError(await put('b000', 18_001), 400, TOO_LARGE);
      expect((await put('b000', 10_000)).status).toBe(200);
      expectError(await put('b000', 10_001), 400, TOO_LARGE);
      const gone = listOf(await user.client.get(path)).slice(0, 20);
      expect(
        (
          await user.client.post(
            `${path}/delete`,
            gone.map((each) => ({ ...each, value: '' })),
          )
        ).status,
      ).toBe(200);
      expect((await put('b999', 20_000)).status).toBe(200);
    });

    it('hold for concurrent requests', async () => {
      await store(Array<number>(128).fill(MAX_BYTES / 128 - 100));
      const writes = Array.from({ length: 8 }, (_, at) => put(`c00${at}`, 10_000));
      const statuses = (await Promise.all(writes)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    });
  });

  it('refuse invalid values and those of others', async () => {
    const path = `/users/${anna.id}/preferences`;
    const put = (body: unknown): Promise<Answer> => anna.client.put(path, body);
    for (const body of [
      {},
      [],
      ['x'],
      [{ ...one(anna, 'a'), name: 5 }],
      Array.from({ length: 101 }, () => one(anna, 'a')),
    ]) {
      expectError(await put(body), 400, BAD_BODY);
      expectError(await anna.client.post(`${path}/delete`, body), 400, BAD_BODY);
    }
    expectError(
      await put([{ ...one(anna, 'a'), category: '' }]),
      400,
      'model.preference.is_valid.category.app_error',
    );
    expectError(await put([one(anna, 'n'.repeat(33))]), 400, 'model.preference.is_valid.name.app_error');
    expectError(
      await put([one(anna, 'a', 'v'.repeat(20_001))]),
      400,
      'model.preference.is_valid.value.app_error',
      '20000 characters',
    );
    expectError(
      await put([one(anna, 'a', '😀'.repeat(16_384))]),
      400,
      'model.preference.is_valid.value.app_error',
      '65535 bytes',
    );
    expect((await put([one(anna, 'a', '😀'.repeat(16_383))])).status).toBe(200);
    const foreign = [{ ...one(anna, 'a'), user_id: server.adminId }];
    expectError(await put(foreign), 403, 'api.preference.update_preferences.set.app_error');
    expectError(
      await anna.client.post(`${path}/delete`, foreign),
      403,
      'api.preference.delete_preferences.delete.app_error',
    );
    for (const target of [path.replace(anna.id, server.adminId), path.replace(anna.id, UNKNOWN)]) {
      expectError(await anna.client.get(target), 403, DENIED);
      expectError(await anna.client.get(`${target}/display`), 403, DENIED);
      expectError(await anna.client.get(`${target}/display/name/x`), 403, DENIED);
    }
    expectError(
      await server.admin.get(`/users/${UNKNOWN}/preferences`),
      404,
      'app.user.missing_account.const',
    );
    expectError(await server.admin.get('/users/junk/preferences'), 400, BAD_URL);
  });
});

describe('presence', () => {
  it('is offline until chosen, and visible to others', async () => {
    const user = await buildUser(server);
    const offline = {
      user_id: user.id,
      status: 'offline',
      manual: false,
      last_activity_at: 0,
      dnd_end_time: 0,
    };
    expect((await anna.client.get(`/users/${user.id}/status`)).body).toEqual(offline);
    const chosen = await user.client.put('/users/me/status', {
      user_id: user.id,
      status: 'dnd',
      dnd_end_time: 4_000_000_000,
    });
    expect(chosen.body).toMatchObject({ status: 'dnd', manual: true, dnd_end_time: 4_000_000_000 });
    const { body } = await anna.client.post('/users/status/ids', [user.id, anna.id]);
    expect(body).toEqual([
      expect.objectContaining({ status: 'dnd' }),
      expect.objectContaining({ user_id: anna.id, status: 'offline' }),
    ]);
    await user.client.put('/users/me/status', { user_id: user.id, status: 'dnd', dnd_end_time: 1 });
    expect((await anna.client.get(`/users/${user.id}/status`)).body.status).toBe('online');
  });

  it('refuses invalid requests', async () => {
    const put = (body: unknown, id = anna.id): Promise<Answer> =>
      anna.client.put(`/users/${id}/status`, body);
    expectError(await put({ user_id: anna.id, status: 'asleep' }), 400, BAD_BODY, 'status');
    expectError(await put({ user_id: anna.id }), 400, BAD_BODY, 'status');
    expectError(await put({ status: 'away' }), 400, BAD_BODY, 'user_id');
    expectError(await put({ user_id: UNKNOWN, status: 'away' }), 400, BAD_BODY, 'user_id');
    expectError(
      await put({ user_id: anna.id, status: 'dnd', dnd_end_time: -1 }),
      400,
      BAD_BODY,
      'dnd_end_time',
    );
    expectError(await put({ user_id: server.adminId, status: 'away' }, server.adminId), 403, DENIED);
    expectError(
      await server.admin.put(`/users/${UNKNOWN}/status`, { user_id: UNKNOWN, status: 'away' }),
      404,
    );
    expectError(await anna.client.post('/users/status/ids', ['junk']), 400, BAD_BODY, 'user_ids');
  });
});

it('every route but sign-up requires a session', async () => {
  const id = anna.id;
  const calls: [string, string, unknown?][] = [
    ['GET', '/users'],
    ['GET', '/users/me'],
    ['GET', `/users/${id}`],
    ['GET', `/users/username/${anna.username}`],
    ['GET', `/users/email/${anna.email}`],
    ['GET', '/users/stats'],
    ['GET', '/users/autocomplete?name=a'],
    ['GET', `/users/${id}/image`],
    ['GET', `/users/${id}/status`],
    ['GET', `/users/${id}/preferences`],
    ['GET', `/users/${id}/preferences/a`],
    ['GET', `/users/${id}/preferences/a/name/b`],
    ['POST', '/users/ids', [id]],
    ['POST', '/users/usernames', [anna.username]],
    ['POST', '/users/search', { term: 'a' }],
    ['POST', '/users/status/ids', [id]],
    ['PUT', `/users/${id}`, { id }],
    ['PUT', `/users/${id}/patch`, {}],
    ['PUT', `/users/${id}/roles`, { roles: 'system_user' }],
    ['PUT', `/users/${id}/active`, { active: true }],
    ['PUT', `/users/${id}/password`, { new_password: 'x' }],
    ['PUT', `/users/${id}/status`, { user_id: id, status: 'away' }],
    ['PUT', `/users/${id}/preferences`, []],
    ['POST', `/users/${id}/preferences/delete`, []],
    ['DELETE', `/users/${id}`],
  ];
  for (const [method, path, body] of calls) {
    expectError(await server.anonymous.send(method, path, body), 401, EXPIRED);
    expectError(await server.anonymous.as(UNKNOWN).send(method, path, body), 401, EXPIRED);
  }
});

it('audits who changed what', async () => {
  const user = await buildUser(server, { roles: 'system_user system_user_access_token' });
  await user.client.put(`/users/${server.adminId}/roles`, { roles: 'system_user' });
  const { body } = await server.admin.get('/audits?per_page=100');
  expect(body).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        action: 'create_user',
        target: user.id,
        user_id: server.adminId,
        result: 'success',
      }),
      expect.objectContaining({ action: 'update_user_roles', target: user.id, result: 'success' }),
      expect.objectContaining({
        action: 'update_user_roles',
        target: server.adminId,
        user_id: user.id,
        result: 'fail',
        status_code: 403,
      }),
    ]),
  );
  expect(JSON.stringify(body)).not.toContain(USER_PASSWORD);
});
