import { request as httpRequest } from 'node:http';
import { DataSource } from 'typeorm';
import { AuthenticationService } from '../src/messaging/auth/authentication.service.js';
import { Clock } from '../src/platform/common/clock.js';
import { newId } from '../src/platform/common/ids.js';
import { Session } from '../src/messaging/auth/session.entity.js';
import { UserAccessToken } from '../src/messaging/auth/user-access-token.entity.js';
import { User } from '../src/messaging/users/user.entity.js';
import { AttemptLimits } from '../src/messaging/users/passwords/attempt-throttle.js';
import { CredentialsService } from '../src/messaging/users/passwords/credentials.service.js';
import { PasswordHasher } from '../src/messaging/users/passwords/password-hasher.js';
import { buildRemoteUser, type BuiltUser, buildUser, newAccount, USER_PASSWORD } from './factories/users.js';
import type { Answer, ApiClient } from './support/api-client.mjs';
import { expectError } from './support/expect-error.js';
import { createTestDatabase, lateAttempts, type TestDatabase } from './support/test-database.js';
import { ADMIN_PASSWORD, eventually, startTestServer, type TestServer } from './support/test-server.js';
import { ExpiryReminders } from '../src/failure-messages/expiry-reminders.js';
import { UnitOfWork } from '../src/platform/database/unit-of-work.js';
import { committed } from './support/unit-of-work.js';

const UNKNOWN = newId();
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const EXPIRED = 'api.context.session_expired.app_error';
const DENIED = 'api.context.permissions.app_error';
const BAD_BODY = 'api.context.invalid_body_param.app_error';
const BAD_URL = 'api.context.invalid_url_param.app_error';
const MISSING = 'app.user.missing_account.const';
const NO_TOKEN = 'app.user_access_token.get_by_user.app_error';
const BLANK = 'api.user.login.blank_pwd.app_error';
const MASKED = 'api.user.login.invalid_credentials_email_username';
const LOCKED = 'api.user.check_user_login_attempts.too_many.app_error';
const XHR = { 'x-requested-with': 'XMLHttpRequest' };

let database: TestDatabase;
let server: TestServer;
let anna: BuiltUser;
let addresses = 0;

/** The list in a response. */
const listOf = (answer: Answer): any[] => answer.body as any[];

/** Logs in from a separate address, so that failures of one test do not count in another. */
function from(
  address = `10.0.${addresses >> 8}.${addresses++ & 255}`,
): (body: unknown, headers?: Record<string, string>) => Promise<Answer> {
  return (body, headers) =>
    server.anonymous.post('/users/login', body, { headers: { 'x-forwarded-for': address, ...headers } });
}

const cookiesOf = (answer: Answer): string[] => [answer.headers['set-cookie'] ?? []].flat();
const cookieHeader = (answer: Answer): string =>
  cookiesOf(answer)
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
const valueOf = (answer: Answer, name: string): string =>
  cookiesOf(answer)
    .find((cookie) => cookie.startsWith(`${name}=`))!
    .split(';')[0]!
    .slice(name.length + 1);
const sessions = () => server.app.get(DataSource).getRepository(Session);
const users = () => server.app.get(DataSource).getRepository(User);

const limit = (limits: Partial<AttemptLimits>): void =>
  server.everywhere(AttemptLimits).forEach((each) => Object.assign(each, limits));

function expectAllowedAtOnce(allowed: readonly unknown[], max: number): void {
  expect(allowed.length).toBeGreaterThanOrEqual(max);
  expect(allowed.length).toBeLessThanOrEqual(max + lateAttempts);
}

/** Sets the server's clock forward while `action` runs. */
async function later<T>(ms: number, action: () => Promise<T>): Promise<T> {
  const clock = jest.spyOn(server.app.get(Clock), 'now').mockImplementation(() => Date.now() + ms);
  try {
    return await action();
  } finally {
    clock.mockRestore();
  }
}

const start = (): Promise<TestServer> =>
  startTestServer({ TRUSTED_PROXIES: 'loopback' }, database, { hasQuickPasswords: false });

beforeAll(async () => {
  database = await createTestDatabase();
  server = await start();
  anna = await buildUser(server);
});
afterAll(async () => {
  await server.close();
  await database.drop();
});

describe('login', () => {
  it.each<[string, () => object]>([
    ['username', () => ({ login_id: anna.username })],
    ['username in another case', () => ({ login_id: anna.username.toUpperCase() })],
    ['e-mail address', () => ({ login_id: ` ${anna.email} ` })],
    ['id', () => ({ id: anna.id })],
  ])('works by %s', async (_, by) => {
    const answer = await from()({ ...by(), password: USER_PASSWORD });
    expect(answer.body).toMatchObject({ id: anna.id, notify_props: { email: 'true' } });
    const token = String(answer.headers['token']);
    expect(token).toMatch(/^[a-z0-9]{26}$/);
    expect((await server.anonymous.as(token).get('/users/me')).body.id).toBe(anna.id);
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  it('returns the same error for a wrong password and an unknown account', async () => {
    const login = from();
    const known = await login({ login_id: anna.username, password: 'wrong' });
    const byId = await login({ id: UNKNOWN, password: 'wrong' });
    const unknown = await login({ login_id: 'nobody.here', password: 'wrong' });
    for (const answer of [known, byId, unknown]) expectError(answer, 401, MASKED);
    expect(new Set([known, byId, unknown].map(({ body }) => body.message)).size).toBe(1);
    expect(known.headers['token']).toBeUndefined();
    expectError(await login({ login_id: '', password: 'x' }), 401, MASKED);
    expectError(await login({ login_id: 'x'.repeat(5000), password: 'x'.repeat(5000) }), 401, MASKED);
  });

  it('reports a blank password, even for an unreadable body', async () => {
    const login = from();
    const name = { login_id: anna.username };
    for (const body of [{ ...name, password: '' }, name, {}, [], 'x', { password: 5 }])
      expectError(await login(body), 400, BLANK, 'password');
    for (const raw of ['', '{', '{"password":"a\\u0000"}'])
      expectError(await server.anonymous.post('/users/login', undefined, { raw }), 400, BLANK);
    const device = { ...name, password: 'x', device_id: 'd'.repeat(513) };
    expectError(await login(device), 400, BAD_BODY, 'device_id');
  });

  it.each(['login_id', 'id', 'device_id'])('names %s when it is not a string', async (field) => {
    for (const value of [5, true, ['a'], { a: 'b' }]) {
      const body = { login_id: anna.username, password: USER_PASSWORD, [field]: value };
      expectError(await from()(body), 400, BAD_BODY, `${field} in request body`);
      expectError(await from()({ ...body, password: '' }), 400, BLANK);
    }
  });

  it('reports the deactivation to a deactivated user if the password is correct', async () => {
    const user = await buildUser(server);
    await server.admin.put(`/users/${user.id}/active`, { active: false });
    const login = from();
    const login_id = user.username;
    const right = await login({ login_id, password: USER_PASSWORD });
    expectError(right, 401, 'api.user.login.inactive.app_error');
    expectError(await login({ login_id, password: 'wrong' }), 401, MASKED);
  });

  it('stores neither password nor token', async () => {
    const { token } = await server.login(anna.username, USER_PASSWORD);
    const { passwordHash } = await users().findOneByOrFail({ id: anna.id });
    expect(passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    const rows = JSON.stringify(await sessions().findBy({ userId: anna.id }));
    expect(rows).not.toContain(token);
  });
});

describe('guessing', () => {
  const usual = new AttemptLimits();
  const right = ({ username }: BuiltUser) => ({ login_id: username, password: USER_PASSWORD });
  const wrong = ({ username }: BuiltUser) => ({ login_id: username, password: 'wrong' });

  beforeAll(() => {
    for (const credentials of server.everywhere<object>(CredentialsService))
      jest.spyOn(credentials as { delay(): Promise<void> }, 'delay').mockResolvedValue();
  });
  afterAll(() => jest.restoreAllMocks());
  afterEach(() => limit(usual));

  it('locks an account for an address after ten wrong passwords, and unlocks it again', async () => {
    const user = await buildUser(server);
    const login = from();
    for (let i = 0; i < 10; i++) expectError(await login(wrong(user)), 401, MASKED);
    expect((await server.admin.get(`/users/${user.id}`)).body.failed_attempts).toBe(10);
    const refused = await login(right(user));
    expectError(refused, 429, LOCKED);
    expect(refused.body.message).toContain('10 in 10 minutes');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await user.client.get('/users/me')).status).toBe(200); // existing sessions stay valid
    expect((await from()(right(user))).status).toBe(200); // other addresses are not locked out
    const failures = async (): Promise<number> =>
      (await users().findOneByOrFail({ id: user.id })).failedAttempts;
    const before = await failures();
    await later(9 * MINUTE, async () => expectError(await login(wrong(user)), 429, LOCKED)); // prolongs nothing
    expect(await failures()).toBe(before);
    await later(10 * MINUTE + 1000, async () => {
      expectError(await login(wrong(user)), 401, MASKED); // the first one of a new count
      expect((await login(right(user))).status).toBe(200);
    });
    expect((await server.admin.get(`/users/${user.id}`)).body).not.toHaveProperty('failed_attempts');
  });

  it('starts a new count when an administrator sets the password', async () => {
    const user = await buildUser(server);
    const login = from();
    for (let i = 0; i < 10; i++) await login(wrong(user));
    expectError(await login(right(user)), 429, LOCKED);
    await server.admin.call('PUT', `/users/${user.id}/password`, { new_password: USER_PASSWORD });
    expectError(await login(wrong(user)), 401, MASKED);
    expect((await login(right(user))).status).toBe(200);
  });

  it('does not lock out known addresses when many addresses guess', async () => {
    limit({ perName: { max: 5, windowMs: 60 * MINUTE } });
    const user = await buildUser(server);
    const home = from();
    expect((await home(right(user))).status).toBe(200);
    for (let i = 0; i < 5; i++) expectError(await from()(wrong(user)), 401, MASKED);
    const refused = await from()(right(user));
    expectError(refused, 429, 'api.user.login.too_many_for_name.app_error');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3500);
    expect((await home(right(user))).status).toBe(200);
    const change = { current_password: USER_PASSWORD, new_password: USER_PASSWORD };
    expect((await user.client.put('/users/me/password', change)).status).toBe(200);
  });

  it('knows every address after simultaneous logins to an account', async () => {
    const user = await buildUser(server);
    const clients = Array.from({ length: 4 }, () => from());
    const answers = await Promise.all(clients.map((login) => login(right(user))));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { knownAddresses } = await users().findOneByOrFail({ id: user.id });
    expect(knownAddresses.split(' ')).toHaveLength(1 + clients.length); // and where the account was created
  });

  it.each(['an account', 'an unknown name'])(
    'cannot be bypassed by many attempts at once: %s',
    async (what) => {
      const { username } =
        what === 'an account' ? await buildUser(server) : { username: `nobody.${newId()}` };
      const login = from();
      const attempt = (): Promise<Answer> => login({ login_id: username, password: 'wrong' });
      const answers = await Promise.all(Array.from({ length: 30 }, attempt));
      const allowed = answers.filter(({ body }) => body.id === MASKED);
      expectAllowedAtOnce(allowed, 10);
      expect(answers.filter(({ body }) => body.id === LOCKED)).toHaveLength(30 - allowed.length);
    },
  );

  it('counts all names of an account together', async () => {
    limit({ perNameAndAddress: { max: 3, windowMs: 10 * MINUTE } });
    const { id, username, email } = await buildUser(server);
    const login = from();
    const claims: object[] = [{ login_id: username }, { login_id: email }, { id }];
    for (const claim of claims) expectError(await login({ ...claim, password: 'wrong' }), 401, MASKED);
    for (const claim of claims) expectError(await login({ ...claim, password: USER_PASSWORD }), 401, MASKED); // as without an account
    expect((await from()({ login_id: email, password: USER_PASSWORD })).status).toBe(200);
  });

  it('takes the same time, no matter what is wrong with the account', async () => {
    const deactivated = await buildUser(server);
    await server.admin.put(`/users/${deactivated.id}/active`, { active: false });
    const blank = await buildUser(server);
    await users().update({ id: blank.id }, { passwordHash: '' });
    const claims = [
      wrong(anna),
      wrong(deactivated),
      wrong(blank),
      { id: blank.id, password: USER_PASSWORD },
      { id: await buildRemoteUser(server), password: 'wrong' },
      { login_id: `nobody.${newId()}`, password: 'wrong' },
      { login_id: `${newId()}@example.com`, password: 'wrong' },
      { id: UNKNOWN, password: 'wrong' },
      { id: 'junk', password: 'wrong' },
      { login_id: 'x'.repeat(5000), password: 'wrong' },
    ];
    const { passwordHash } = await users().findOneByOrFail({ id: anna.id });
    const hashers = server.everywhere(PasswordHasher);
    const hashes = hashers.map((hasher) => jest.spyOn(hasher['limit'], 'run'));
    for (const hasher of hashers) {
      await from()({ login_id: newId(), password: 'wrong' }); // by now there is a decoy
      const decoy = await hasher['decoy'];
      expect(decoy?.split('$').slice(0, 4)).toEqual(passwordHash.split('$').slice(0, 4));
    }
    for (const claim of claims) {
      hashes.forEach((each) => each.mockClear());
      const answer = await from()(claim);
      expectError(answer, 401, MASKED);
      expect(hashes.flatMap(({ mock }) => mock.calls.map(([lane]) => lane))).toEqual(['login']);
    }
    hashes.forEach((each) => each.mockRestore());
  });

  it('counts a /64 as one address', async () => {
    limit({ perAddress: { max: 3, windowMs: 5 * MINUTE } });
    const fail = (host: string): Promise<Answer> => from(host)({ login_id: newId(), password: 'wrong' });
    for (let i = 1; i <= 3; i++) expectError(await fail(`2001:db8:1:2::${i}`), 401, MASKED);
    expectError(await fail('2001:db8:1:2::4'), 429, 'api.user.login.too_many_from_address.app_error');
    expectError(await fail('2001:db8:1:3::1'), 401, MASKED);
  });
});

describe('sign-up', () => {
  const signUp = (address: string, body = newAccount(), query = ''): Promise<Answer> =>
    server.anonymous.post(`/users${query}`, body, { headers: { 'x-forwarded-for': address } });

  it('returns and hashes nothing before the invite is checked', async () => {
    const hashes = server.everywhere(PasswordHasher).map((hasher) => jest.spyOn(hasher, 'hash'));
    for (const invite of [UNKNOWN, 'junk'])
      for (const body of [newAccount(), newAccount({ email: anna.email }), newAccount({ password: 'x' })])
        expectError(await signUp('10.8.0.1', body, `?iid=${invite}`), 404, /get_by_invite_id\.finding/);
    for (const each of hashes) {
      expect(each).not.toHaveBeenCalled();
      each.mockRestore();
    }
  });

  it('is counted per address, except for administrators', async () => {
    const { signUpsPerAddress } = server.app.get(AttemptLimits, { strict: false });
    limit({ signUpsPerAddress: { max: 2, windowMs: 60 * MINUTE } });
    await server.withSettings({ enableOpenServer: true }, async () => {
      expect((await signUp('10.8.0.2')).status).toBe(201);
      expectError(await signUp('10.8.0.2', newAccount({ email: anna.email })), 400);
      const refused = await signUp('10.8.0.2');
      expectError(refused, 429, 'api.user.create_user.too_many_from_address.app_error');
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      expect(refused.body.message).toContain('2 in 60 minutes');
      expect((await signUp('10.8.0.3')).status).toBe(201);
      const headers = { 'x-forwarded-for': '10.8.0.2' };
      for (let i = 0; i < 3; i++)
        expect((await server.admin.post('/users', newAccount(), { headers })).status).toBe(201);
    });
    limit({ signUpsPerAddress });
  });
});

describe('credentials', () => {
  const withHeader = (authorization: string): Promise<Answer> =>
    server.anonymous.get('/users/me', { headers: { authorization } });

  it.each([
    ['an unknown token', `Bearer ${UNKNOWN}`],
    ['nothing', ''],
    ['another scheme', 'Basic YTpi'],
    ['a token with trailing text', 'Bearer TOKENx'],
    ['a very long token', `Bearer ${'a'.repeat(4000)}`],
  ])('with %s are refused, and the cookie is cleared', async (_, header) => {
    const answer = await withHeader(header.replace('TOKEN', anna.client.token));
    expectError(answer, 401, EXPIRED);
    expect(cookiesOf(answer)).toEqual([
      expect.stringMatching(/^MMAUTHTOKEN=; Max-Age=0; Path=\/; Expires=.*; HttpOnly; SameSite=Lax$/),
    ]);
  });

  it('are not accepted in the URL', async () => {
    const inUrl = await server.anonymous.get(`/users/me?access_token=${anna.client.token}`);
    expectError(inUrl, 401, 'api.context.token_provided.app_error');
    expectError(await server.anonymous.get(`/users/me?access_token=${UNKNOWN}`), 401, EXPIRED);
    expect((await anna.client.get(`/users/me?access_token=${UNKNOWN}`)).status).toBe(200);
  });

  it('are ignored on public routes if they are invalid', async () => {
    const login = { login_id: anna.username, password: USER_PASSWORD };
    expect((await server.anonymous.as(UNKNOWN).post('/users/login', login)).status).toBe(200);
  });

  it('of a known session need no database query', async () => {
    const authentication = server.app.get(AuthenticationService, { strict: false });
    await anna.client.get('/users/me');
    const query = jest.spyOn(server.app.get(DataSource).logger, 'logQuery');
    expect((await authentication.find(anna.client.token))?.actor.userId).toBe(anna.id);
    expect(query).not.toHaveBeenCalled();
    query.mockRestore();
  });
});

describe('cookies', () => {
  let signedIn: Answer;
  let cookie: string;
  const act = (headers: Record<string, string>): Promise<Answer> =>
    server.anonymous.put('/users/me/patch', { nickname: 'by cookie' }, { headers: { cookie, ...headers } });

  beforeAll(async () => {
    signedIn = await from()({ login_id: anna.username, password: USER_PASSWORD }, XHR);
    cookie = cookieHeader(signedIn);
  });

  it('are set by a login from a page', () => {
    const attributes = 'Max-Age=2592000; Path=/; Expires=.* GMT';
    expect(cookiesOf(signedIn)).toEqual([
      expect.stringMatching(new RegExp(`^MMAUTHTOKEN=[a-z0-9]{26}; ${attributes}; HttpOnly; SameSite=Lax$`)),
      expect.stringMatching(new RegExp(`^MMUSERID=${anna.id}; ${attributes}; SameSite=Lax$`)),
      expect.stringMatching(new RegExp(`^MMCSRF=[a-z0-9]{26}; ${attributes}; SameSite=Lax$`)),
    ]);
    expect(valueOf(signedIn, 'MMAUTHTOKEN')).toBe(signedIn.headers['token']);
  });

  it('are sufficient for reading, and not for changes', async () => {
    expect((await server.anonymous.get('/users/me', { headers: { cookie } })).body.id).toBe(anna.id);
    const answer = await act({});
    expectError(answer, 401, EXPIRED);
    expect(answer.headers['set-cookie']).toBeUndefined(); // another site must not sign anybody out
    for (const csrf of [UNKNOWN, '']) expectError(await act({ 'x-csrf-token': csrf }), 401, EXPIRED);
  });

  it('are sufficient with the token of the page or its header', async () => {
    expect((await act({ 'x-csrf-token': valueOf(signedIn, 'MMCSRF') })).status).toBe(200);
    expect((await act(XHR)).status).toBe(200);
  });

  it('alone give no rights on public routes either', async () => {
    const admin = cookieHeader(await from()({ login_id: 'admin', password: ADMIN_PASSWORD }, XHR));
    const create = async (headers: object): Promise<number> =>
      (await server.anonymous.post('/users', newAccount(), { headers: { cookie: admin, ...headers } }))
        .status;
    expect([await create({}), await create(XHR)]).toEqual([403, 201]);
  });
});

describe('logout', () => {
  it('ends only the session of the caller', async () => {
    const one = await server.login(anna.username, USER_PASSWORD);
    const other = await server.login(anna.username, USER_PASSWORD);
    const answer = await one.post('/users/logout');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ status: 'OK' });
    expectError(await one.get('/users/me'), 401, EXPIRED);
    expect((await other.get('/users/me')).status).toBe(200);
  });

  it('with a cookie requires the CSRF token, so that another site cannot sign anybody out', async () => {
    const signedIn = await from()({ login_id: anna.username, password: USER_PASSWORD }, XHR);
    const cookie = cookieHeader(signedIn);
    const logout = (headers: Record<string, string>, path = '/users/logout'): Promise<Answer> =>
      server.anonymous.post(path, undefined, { headers });
    const foreign: Record<string, string>[] = [
      { cookie },
      { cookie, 'x-csrf-token': UNKNOWN },
      { cookie, authorization: `Bearer ${UNKNOWN}` },
      { cookie, 'content-type': 'text/plain', 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of foreign) {
      const refused = await logout(headers);
      expectError(refused, 401, EXPIRED);
      expect(cookiesOf(refused)).toEqual([]);
    }
    const token = String(signedIn.headers['token']);
    const inUrl = await logout({}, `/users/logout?access_token=${token}`);
    expectError(inUrl, 401, 'api.context.token_provided.app_error');
    expect((await server.anonymous.as(token).get('/users/me')).status).toBe(200);
    const csrf = await logout({ cookie, 'x-csrf-token': valueOf(signedIn, 'MMCSRF') });
    expect([csrf.status, csrf.body]).toEqual([200, { status: 'OK' }]);
    expectError(await server.anonymous.as(token).get('/users/me'), 401, EXPIRED);
  });

  it('from a page clears the cookie', async () => {
    const signedIn = await from()({ login_id: anna.username, password: USER_PASSWORD }, XHR);
    const answer = await server.anonymous.post('/users/logout', undefined, {
      headers: { cookie: cookieHeader(signedIn), ...XHR },
    });
    expect(cookiesOf(answer)).toEqual([expect.stringMatching(/^MMAUTHTOKEN=; Max-Age=0/)]);
    expectError(await server.anonymous.as(String(signedIn.headers['token'])).get('/users/me'), 401, EXPIRED);
  });

  it('needs no session', async () => {
    for (const client of [server.anonymous, server.anonymous.as(UNKNOWN), server.anonymous.as('junk')]) {
      expect((await client.post('/users/logout')).body).toEqual({ status: 'OK' });
    }
  });
});

describe('session lifetime', () => {
  it('ends after thirty days without use', async () => {
    const client = await server.login(anna.username, USER_PASSWORD);
    await later(31 * DAY, async () => expectError(await client.get('/users/me'), 401, EXPIRED));
    expect((await client.get('/users/me')).status).toBe(200);
  });

  it('ends even for a session that this process has not seen', async () => {
    const client = await server.login(anna.username, USER_PASSWORD);
    await sessions().update({ userId: anna.id }, { expiresAt: Date.now() - 1 });
    expectError(await client.get('/users/me'), 401, EXPIRED);
    anna = { ...anna, client: await server.login(anna.username, USER_PASSWORD) };
    expect(await sessions().countBy({ userId: anna.id })).toBe(1); // expired sessions are gone
  });

  it('is extended by use, which is stored', async () => {
    const user = await buildUser(server);
    const before = await sessions().findOneByOrFail({ userId: user.id });
    await user.client.get('/users/me');
    await later(6 * MINUTE, () => user.client.get('/users/me'));
    const used = await eventually(async () => {
      const row = await sessions().findOneByOrFail({ userId: user.id });
      return row.lastActivityAt > before.lastActivityAt ? row : undefined;
    });
    expect(used.expiresAt).toBe(before.expiresAt);
    await later(DAY, () => user.client.get('/users/me'));
    await eventually(
      async () => (await sessions().findOneByOrFail({ userId: user.id })).expiresAt > before.expiresAt,
    );
    const caches = server.everywhere(AuthenticationService);
    const forgetting = server
      .everywhere(UnitOfWork)
      .map((unitOfWork, n) => committed(unitOfWork, () => caches[n]!.forgetUser(user.id)));
    await Promise.all(forgetting); // as another process does within minutes
    await later(30 * DAY + MINUTE, async () => expect((await user.client.get('/users/me')).status).toBe(200));
  });

  it('is extended together with the cookies of a browser', async () => {
    const signedIn = await from()({ login_id: anna.username, password: USER_PASSWORD }, XHR);
    const cookie = cookieHeader(signedIn);
    const answer = await later(DAY, () => server.anonymous.get('/users/me', { headers: { cookie } }));
    expect(cookieHeader(answer)).toBe(cookie);
  });

  it('beyond 500 sessions ends the least recently used one', async () => {
    const user = await buildUser(server);
    const first = await sessions().findOneByOrFail({ userId: user.id });
    const rows = Array.from({ length: 499 }, (_, i) => ({
      ...first,
      id: newId(),
      tokenHash: newId(),
      lastActivityAt: first.lastActivityAt + 1 + i,
    }));
    for (let at = 0; at < rows.length; at += 50) await sessions().insert(rows.slice(at, at + 50));
    const newest = await server.login(user.username, USER_PASSWORD);
    expect(await sessions().countBy({ userId: user.id })).toBe(500);
    expectError(await user.client.get('/users/me'), 401, EXPIRED);
    expect((await newest.get('/users/me')).status).toBe(200);
  });

  it('ends when the same device signs in again', async () => {
    const login = from();
    const body = { login_id: anna.username, password: USER_PASSWORD, device_id: `android:${newId()}` };
    const first = server.anonymous.as(String((await login(body)).headers['token']));
    expect((await first.get('/users/me')).status).toBe(200);
    const second = server.anonymous.as(String((await login(body)).headers['token']));
    expectError(await first.get('/users/me'), 401, EXPIRED);
    expect((await second.get('/users/me')).status).toBe(200);
  });
});

describe('sessions', () => {
  it('are listed without their tokens', async () => {
    const user = await buildUser(server);
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
    await from()(
      { login_id: user.username, password: USER_PASSWORD, device_id: 'ios:1' },
      { 'user-agent': agent },
    );
    const body = listOf(await user.client.get('/users/me/sessions'));
    expect(body).toHaveLength(2);
    const mobile = body.find((session) => session.device_id === 'ios:1');
    expect(mobile).toMatchObject({
      token: '',
      user_id: user.id,
      roles: 'system_user',
      is_oauth: false,
      props: { os: 'Linux', browser: 'Firefox/140', isMobile: 'true', isGuest: 'false' },
    });
    expect(mobile.expires_at - mobile.create_at).toBe(30 * DAY);
    expect(JSON.stringify(body)).not.toMatch(/csrf|hash/i);
    expect((await server.admin.get(`/users/${user.id}/sessions`)).body).toHaveLength(2);
  });

  it('end individually', async () => {
    const user = await buildUser(server);
    const other = await server.login(user.username, USER_PASSWORD);
    const [{ id }] = listOf(await user.client.get('/users/me/sessions')).sort(
      (a, b) => a.create_at - b.create_at,
    );
    const revoke = (): Promise<Answer> => other.post('/users/me/sessions/revoke', { session_id: id });
    expect((await revoke()).body).toEqual({ status: 'OK' });
    expectError(await user.client.get('/users/me'), 401, EXPIRED);
    expectError(await revoke(), 400, 'app.session.get.app_error');
    expect((await other.get('/users/me')).status).toBe(200);
  });

  it('end all at once', async () => {
    const user = await buildUser(server);
    const other = await server.login(user.username, USER_PASSWORD);
    expect((await server.admin.post(`/users/${user.id}/sessions/revoke/all`)).body).toEqual({ status: 'OK' });
    expectError(await user.client.get('/users/me'), 401, EXPIRED);
    expectError(await other.get('/users/me'), 401, EXPIRED);
  });

  it('reject invalid requests', async () => {
    const user = await buildUser(server);
    const [{ id: foreign }] = (await user.client.get('/users/me/sessions')).body;
    const path = `/users/${anna.id}/sessions`;
    expectError(await server.admin.get(`/users/${UNKNOWN}/sessions`), 404, MISSING);
    expectError(await server.admin.post(`/users/${UNKNOWN}/sessions/revoke/all`), 404, MISSING);
    expectError(await server.admin.post(`${path}/revoke`, { session_id: foreign }), 400, BAD_URL, 'user_id');
    for (const body of [{}, { session_id: '' }, { session_id: null }, { session_id: 5 }]) {
      expectError(await server.admin.post(`${path}/revoke`, body), 400, BAD_BODY, 'session_id');
    }
  });
});

describe('personal access tokens', () => {
  it('are limited to 1,000 per user, even when several are created at once', async () => {
    const user = await buildUser(server);
    const rows = Array.from({ length: 998 }, () => ({
      ...{ id: newId(), tokenHash: newId(), userId: user.id },
      ...{ description: 'a program', isActive: true, createAt: 1 },
    }));
    const tokens = server.app.get(DataSource).getRepository(UserAccessToken);
    for (let from = 0; from < rows.length; from += 100) await tokens.insert(rows.slice(from, from + 100));
    const make = (): Promise<Answer> => server.admin.post(`/users/${user.id}/tokens`, { description: 'x' });
    const answers = await Promise.all(Array.from({ length: 6 }, make));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    expectError(await make(), 400, 'app.user_access_token.limit.app_error', '1000 tokens');
    expect(await tokens.countBy({ userId: user.id })).toBe(1_000);
    const { id } = rows[0]!;
    expect((await server.admin.post('/users/tokens/revoke', { token_id: id })).status).toBe(200);
    expect((await make()).status).toBe(200);
    await tokens.delete({ userId: user.id }); // lists of other tests are read to their end
  });

  const ROLES = 'system_user system_user_access_token';
  const create = async (user: BuiltUser, client: ApiClient = user.client): Promise<any> =>
    (await client.post(`/users/${user.id}/tokens`, { description: 'a program' })).body;

  it('are shown once, stored as a hash, and act as their user', async () => {
    const user = await buildUser(server, { roles: ROLES });
    const answer = await user.client.post('/users/me/tokens', { description: 'a program' });
    expect(answer.status).toBe(200);
    const token = answer.body;
    expect(token).toEqual({
      id: expect.stringMatching(/^[a-z0-9]{26}$/),
      token: expect.stringMatching(/^[a-z0-9]{26}$/),
      user_id: user.id,
      description: 'a program',
      is_active: true,
      ...{ expires_at: 0, last_used: 0 },
    });
    const { token: value, ...record } = token;
    expect((await user.client.get('/users/me/tokens')).body).toEqual([record]);
    expect((await user.client.get(`/users/tokens/${token.id}`)).body).toEqual(record);
    const rows = await server.app.get(DataSource).getRepository(UserAccessToken).find();
    expect(JSON.stringify(rows)).not.toContain(value);
    const program = server.anonymous.as(value);
    expect((await program.get('/users/me')).body.id).toBe(user.id);
    expect((await program.put('/users/me/patch', { nickname: 'program' })).status).toBe(200); // no CSRF
  });

  it('stop working when they expire, which their user is told a week and a day before', async () => {
    const user = await buildUser(server, { roles: ROLES });
    const expires_at = Date.now() + 30 * DAY;
    const body = { description: 'nightly *build*', expires_at };
    const { id, token } = (await user.client.post('/users/me/tokens', body)).body;
    const program = server.anonymous.as(token);
    const record = (): Promise<any> => server.admin.call('GET', `/users/tokens/${id}`);
    expect(await record()).toMatchObject({ expires_at, last_used: 0 });
    const before = Date.now();
    expect((await program.get('/users/me')).status).toBe(200);
    await eventually(async () => (await record()).last_used >= before);
    await later(30 * DAY - 60_000, async () => expect((await program.get('/users/me')).status).toBe(200));
    await later(30 * DAY + 1, async () => expectError(await program.get('/users/me'), 401, EXPIRED));
    const remind = (ms: number): Promise<void> => later(ms, () => server.app.get(ExpiryReminders).remind());
    const reminders = async (): Promise<number> => {
      const { status, body: channels } = await server.admin.get(`/users/${user.id}/channels`);
      const direct = status === 404 ? undefined : channels.find(({ type }: any) => type === 'D');
      return direct ? (await server.admin.get(`/channels/${direct.id}`)).body.total_msg_count : 0;
    };
    await remind(22 * DAY);
    expect(await reminders()).toBe(0);
    for (const days of [24, 25]) await remind(days * DAY);
    expect(await reminders()).toBe(1);
    for (const days of [29.5, 29.6]) await remind(days * DAY);
    expect(await reminders()).toBe(2);
  });

  it.each([1, -5, 8.7e15, '9', 1.5])('refuse the expiry %p', async (expires_at) => {
    const made = await server.admin.post('/users/me/tokens', { description: 'x', expires_at });
    expectError(made, 400, undefined, 'expires_at');
  });

  it('act with the current roles of their user', async () => {
    const user = await buildUser(server, { roles: `${ROLES} system_admin` });
    const program = server.anonymous.as((await create(user)).token);
    expect((await program.get('/users/tokens')).status).toBe(200);
    await server.admin.put(`/users/${user.id}/roles`, { roles: ROLES });
    expectError(await program.get('/users/tokens'), 403, DENIED);
  });

  it('are disabled and enabled at once', async () => {
    const user = await buildUser(server, { roles: ROLES });
    const { id, token } = await create(user);
    const program = server.anonymous.as(token);
    const path = `/users/tokens/${id}`;
    for (const [way, status] of [
      ['disable', 401],
      ['enable', 200],
      ['revoke', 401],
    ] as const) {
      expect((await user.client.post(`/users/tokens/${way}`, { token_id: id })).body).toEqual({
        status: 'OK',
      });
      expect((await program.get('/users/me')).status).toBe(status);
      if (way !== 'revoke') expect((await user.client.get(path)).body.is_active).toBe(way === 'enable');
    }
    expectError(await user.client.get(path), 404, NO_TOKEN);
  });

  it('stop with the feature and the account, and survive the end of all sessions', async () => {
    const user = await buildUser(server, { roles: ROLES });
    const program = server.anonymous.as((await create(user)).token);
    expect((await program.get('/users/me')).status).toBe(200);
    await server.withSettings({ enableUserAccessTokens: false }, async () => {
      expectError(await program.get('/users/me'), 401, EXPIRED);
      const created = await user.client.post('/users/me/tokens', { description: 'x' });
      expectError(created, 501, 'app.user_access_token.disabled');
    });
    await server.admin.post(`/users/${user.id}/sessions/revoke/all`);
    expect((await program.get('/users/me')).status).toBe(200);
    await server.admin.put(`/users/${user.id}/active`, { active: false });
    expectError(await program.get('/users/me'), 401, EXPIRED);
    await server.admin.put(`/users/${user.id}/active`, { active: true });
    expect((await program.get('/users/me')).status).toBe(200);
  });

  it('are checked in the order of the contract', async () => {
    const plain = await buildUser(server);
    const user = await buildUser(server, { roles: ROLES });
    const post = (client: ApiClient, id: string, description: unknown): Promise<Answer> =>
      client.post(`/users/${id}/tokens`, { description });
    expectError(await post(plain.client, UNKNOWN, 'x'), 404, MISSING);
    for (const blank of ['', undefined])
      expectError(await post(plain.client, 'me', blank), 400, BAD_BODY, 'description');
    expectError(await post(plain.client, 'me', 'x'), 403, DENIED);
    const tooLong = 'model.user_access_token.is_valid.description.app_error';
    expectError(await post(user.client, 'me', 'ü'.repeat(128)), 400, tooLong, 'description');
    expect((await post(user.client, 'me', `${'ü'.repeat(127)}x`)).status).toBe(200);
    expect((await post(server.admin, plain.id, 'by the admin')).body.user_id).toBe(plain.id);
  });

  it('reject invalid requests', async () => {
    for (const action of ['revoke', 'disable', 'enable']) {
      const act = (token_id: unknown): Promise<Answer> =>
        server.admin.post(`/users/tokens/${action}`, { token_id });
      for (const wrong of [undefined, '', null, 5]) expectError(await act(wrong), 400, BAD_BODY, 'token_id');
      expectError(await act(UNKNOWN), 404, NO_TOKEN);
    }
    expectError(await server.admin.get(`/users/tokens/${UNKNOWN}`), 404, NO_TOKEN);
    expectError(await server.admin.get(`/users/${UNKNOWN}/tokens`), 404, MISSING);
    for (const body of [{}, { term: ' ' }, { term: 5 }])
      expectError(await server.admin.post('/users/tokens/search', body), 400, BAD_BODY, 'term');
  });

  it('are listed and found by administrators', async () => {
    const user = await buildUser(server, { roles: ROLES });
    const first = await create(user);
    const second = await create(user);
    const ids = [first.id, second.id].sort();
    const page = async (path: string, client = server.admin): Promise<string[]> =>
      listOf(await client.get(path)).map((token) => token.id as string);
    const own = [0, 1].map((at) => page(`/users/me/tokens?per_page=1&page=${at}`, user.client));
    expect((await Promise.all(own)).flat().sort()).toEqual(ids);
    expect(await page('/users/tokens?per_page=200')).toEqual(expect.arrayContaining(ids));
    for (const term of [user.username.slice(0, 12), user.id, first.id]) {
      const found = listOf(await server.admin.post('/users/tokens/search', { term }));
      expect(found.map((token) => token.id)).toContain(first.id);
      expect(JSON.stringify(found)).not.toContain(first.token);
    }
    expect((await server.admin.post('/users/tokens/search', { term: '%' })).body).toEqual([]);
  });
});

it('completes a login whose client has disconnected', async () => {
  const body = JSON.stringify({ login_id: anna.username, password: 'wrong' });
  const url = new URL(server.url);
  await new Promise<void>((resolve) => {
    const sent = httpRequest({
      host: url.hostname,
      port: url.port,
      method: 'POST',
      path: '/api/v4/users/login',
    });
    sent.on('error', () => resolve());
    sent.end(body, () => setImmediate(() => sent.destroy()));
    sent.on('close', () => resolve());
  });
  expect((await from()({ login_id: anna.username, password: USER_PASSWORD })).status).toBe(200);
});

it('signs everybody out at the request of an administrator', async () => {
  expect((await server.admin.post('/users/sessions/revoke/all')).body).toEqual({ status: 'OK' });
  expectError(await server.admin.get('/users/me'), 401, EXPIRED);
  expectError(await anna.client.get('/users/me'), 401, EXPIRED);
  expect((await server.login('admin')).token).toBeTruthy();
});

describe('after a restart', () => {
  it('does not lock out known addresses when many addresses guess', async () => {
    const { id, username } = anna;
    const right = { login_id: username, password: USER_PASSWORD };
    const home = from();
    expect((await home(right)).status).toBe(200);
    const { knownAddresses } = await users().findOneByOrFail({ id });
    await server.close();
    server = await start();
    limit({ perName: { max: 3, windowMs: 60 * MINUTE } });
    for (let i = 0; i < 3; i++) expectError(await from()({ ...right, password: 'wrong' }), 401, MASKED);
    expect((await users().findOneByOrFail({ id })).knownAddresses).toBe(knownAddresses);
    expectError(await from()(right), 429, 'api.user.login.too_many_for_name.app_error');
    expect((await home(right)).status).toBe(200);
  });
});
