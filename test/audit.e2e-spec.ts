import { DataSource } from 'typeorm';
import { Purge } from '../src/platform/database/purge.js';
import { Audit } from '../src/platform/audit/audit.entity.js';
import { AuditRepository } from '../src/platform/audit/audit.repository.js';
import { Clock } from '../src/platform/common/clock.js';
import { newId } from '../src/platform/common/ids.js';
import { Transactions } from '../src/platform/database/transactions.js';
import {
  buildIncomingHook,
  buildMember,
  buildTeam,
  type BuiltTeam,
  type BuiltUser,
} from './factories/incoming-hooks.js';
import { buildOutgoingHook } from './factories/outgoing-hooks.js';
import { expectError } from './support/expect-error.js';
import { onlyWhere } from './support/only-where.js';
import { createTestDatabase, isAlone, isMysql } from './support/test-database.js';
import { eventually, startTestServer, type TestServer } from './support/test-server.js';

const DAY_MS = 86_400_000;
const onAlone = onlyWhere(isAlone, 'several processes count the webhooks of a team before one is added');

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const rows = (): Promise<Audit[]> => server.app.get(DataSource).getRepository(Audit).find();

/** The rows that `action` adds to the log. */
async function added(action: () => Promise<unknown>): Promise<Audit[]> {
  const before = new Set((await rows()).map(({ id }) => id));
  await action();
  return (await rows()).filter(({ id }) => !before.has(id));
}

describe('a refusal', () => {
  it('is not logged for unknown callers, no matter what they try', async () => {
    const unknown = server.anonymous.as(newId());
    const peer = { headers: { 'X-RemoteCluster-Id': newId(), 'X-RemoteCluster-Token': newId() } };
    const fresh = await added(async () => {
      const refused = [
        await server.anonymous.delete(`/hooks/incoming/${newId()}`),
        await unknown.delete(`/hooks/incoming/${newId()}`),
        await server.anonymous.put('/users/junk/roles', { roles: 'system_admin' }),
        await server.anonymous.post('/users', { email: 'a@example.com', username: 'a', password: 'x' }),
        await server.anonymous.post(`/users?iid=${newId()}`, {}),
        await server.anonymous.send('POST', '/remotecluster/msg', {}, peer),
        await server.anonymous.send('POST', '/remotecluster/confirm_invite', {}, peer),
      ];
      expect(refused.map(({ status }) => status)).toEqual([401, 401, 401, 403, 404, 401, 401]);
    });
    expect(fresh).toEqual([]);
  });
});

describe('many refusals of one caller', () => {
  const onlyOf = async (userId: string): Promise<Audit[]> =>
    (await rows()).filter((row) => row.userId === userId);
  const counts = async (userId: string): Promise<number[]> =>
    (await server.admin.get(`/audits?user_id=${userId}&per_page=200`)).body
      .map(({ count }: any) => count)
      .sort((a: number, b: number) => a - b);
  const attack = async ({ client }: BuiltUser, times: number): Promise<void> => {
    for (let i = 0; i < times; i++)
      expect((await client.delete(`/hooks/incoming/${newId()}`)).status).toBe(404);
  };

  it('within a minute have ten rows, and one more that counts the rest', async () => {
    const [one, other] = [await buildMember(server), await buildMember(server)];
    await attack(one, 10);
    expect(await counts(one.id)).toEqual(Array(10).fill(1));
    await attack(one, 1);
    expect(await onlyOf(one.id)).toHaveLength(11);
    await attack(one, 14);
    await attack(other, 2);
    expect((await one.client.put(`/users/${other.id}/patch`, { nickname: 'N' })).status).toBe(403);
    await eventually(async () => (await counts(one.id)).at(-1) === 16);
    expect(await counts(one.id)).toEqual([...Array<number>(10).fill(1), 16]);
    expect(await counts(other.id)).toEqual([1, 1]);
    const [shared] = (await onlyOf(one.id)).filter(({ repeats }) => repeats > 0);
    expect(shared).toMatchObject({
      action: 'delete_incoming_webhook',
      result: 'fail',
      status: 404,
      repeats: 15,
    });
  });

  it('start again after a minute', async () => {
    const caller = await buildMember(server);
    await attack(caller, 12);
    const clock = server.app.get(Clock);
    const later = clock.now() + 61_000;
    const now = jest.spyOn(clock, 'now').mockImplementation(() => later);
    await attack(caller, 12);
    now.mockRestore();
    await eventually(
      async () => (await onlyOf(caller.id)).filter(({ repeats }) => repeats === 1).length === 2,
    );
    expect(await onlyOf(caller.id)).toHaveLength(22);
  });

  it('are not lost when the server stops', async () => {
    const database = await createTestDatabase();
    const first = await startTestServer({}, database);
    const { id, client } = await buildMember(first);
    for (let i = 0; i < 30; i++) await client.delete(`/hooks/incoming/${newId()}`);
    await first.close();
    const next = await startTestServer({}, database);
    const stored = await next.app.get(DataSource).getRepository(Audit).findBy({ userId: id });
    expect(stored.reduce((sum, { repeats }) => sum + repeats + 1, 0)).toBe(30);
    expect(stored).toHaveLength(11);
    await next.close();
    await database.drop();
  });
});

describe('the list', () => {
  const list = async (query: string): Promise<any[]> => {
    const { status, body } = await server.admin.get(`/audits?${query}`);
    expect(status).toBe(200);
    return body;
  };
  const at = Date.now() - 40 * DAY_MS;
  const [one, other] = [newId(), newId()];
  const texts = { target: '', errorId: '', address: '', parameters: '', affected: '', repeats: 0 };
  const ids = (found: any[]): string[] => found.map(({ id }) => id);
  const row = (minute: number, userId: string, action: string, result: string): Audit => ({
    ...{ ...texts, id: newId(), requestId: newId(), createAt: at + minute * 60_000 },
    ...{ userId, action, result, status: result === 'fail' ? 403 : 200 },
  });
  const made = [
    row(0, one, 'water', 'success'),
    row(1, one, 'water', 'fail'),
    row(2, other, 'water', 'success'),
    row(3, one, 'weed', 'success'),
  ];
  // TypeORM writes defaults back into its input.
  beforeAll(() =>
    server.app
      .get(DataSource)
      .getRepository(Audit)
      .insert(made.map((one) => ({ ...one }))),
  );

  it.each<[string, number[]]>([
    [`user_id=${one}`, [3, 1, 0]],
    ['action=water', [2, 1, 0]],
    [`user_id=${one}&action=water`, [1, 0]],
    [`user_id=${one}&action=water&result=fail`, [1]],
    [`action=water&result=success&user_id=`, [2, 0]],
    [`user_id=${one}&before=${at + 60_000}`, [0]],
    [`since=${at}&before=${at + 180_000}`, [2, 1, 0]],
    [`user_id=${one}&after=${made[3]!.id}&per_page=1&page=4`, [1]],
    [`user_id=${one}&action=water&after=${made[0]!.id}`, []],
    [`action=water&since=${at}&after=${made[2]!.id}`, [1, 0]],
    [`since=${at}&before=${at + 180_000}&after=${made[1]!.id}`, [0]],
  ])('filtered by %s contains the matching rows, newest first', async (query, expected) => {
    expect(ids(await list(query))).toEqual(expected.map((index) => made[index]!.id));
  });

  it.each([
    ['user_id', 'x'],
    ['action', 'two words'],
    ['result', 'maybe'],
    ['since', 'now'],
    ['after', 'x'],
    ['after', newId()],
    ['action=weed&after', made[0]!.id],
  ])('refuses %s=%s', async (name, value) => {
    const answer = await server.admin.get(`/audits?${name}=${encodeURIComponent(value)}`);
    expectError(answer, 400, 'api.context.invalid_url_param.app_error', name.split('&').at(-1));
  });
});

it('has a row for each account created without a session', async () => {
  const team = await buildTeam(server.admin);
  const { invite_id: inviteId } = (await server.admin.get(`/teams/${team.id}`)).body;
  const name = `stranger.${newId().slice(0, 8)}`;
  const fresh = await added(async () => {
    const body = { email: `${name}@example.com`, username: name, password: 'long enough words' };
    expect((await server.anonymous.post(`/users?iid=${inviteId}`, body)).status).toBe(201);
  });
  expect(fresh).toEqual([expect.objectContaining({ action: 'create_user', userId: '', result: 'success' })]);
});

/** Requests that change something, each with its status; `team` is one in which they are allowed. */
const changes = (team: BuiltTeam, hook: any, outgoing: any): readonly [number, string, string, object?][] => [
  [201, 'POST', '/hooks/incoming', { channel_id: team.channelId }],
  [200, 'DELETE', `/hooks/incoming/${hook.id}`],
  [
    201,
    'POST',
    '/hooks/outgoing',
    {
      team_id: team.id,
      channel_id: team.channelId,
      display_name: 'Out',
      trigger_words: ['audited'],
      callback_urls: ['http://nowhere.example/'],
    },
  ],
  [200, 'PATCH', `/hooks/outgoing/${outgoing.id}`, { display_name: 'New' }],
  [200, 'POST', `/hooks/outgoing/${outgoing.id}/recover`, { since: 0 }],
  [200, 'POST', `/hooks/outgoing/${outgoing.id}/regen_token`],
  [201, 'POST', '/channels', { team_id: team.id, name: 'audited', display_name: 'Audited', type: 'O' }],
  [201, 'POST', '/teams', { name: `audited-${newId().slice(0, 8)}`, display_name: 'Audited', type: 'O' }],
  [
    201,
    'POST',
    '/users',
    { username: 'audited', email: 'audited@example.com', password: 'long enough words' },
  ],
  [200, 'POST', `/users/${server.adminId}/tokens`, { description: 'audited' }],
  [
    201,
    'POST',
    '/remotecluster',
    { name: 'audited', default_team_id: team.id, password: 'long enough words' },
  ],
];

const CHANGED = new Set([
  'incoming_webhooks',
  'outgoing_webhooks',
  'delivery_recoveries',
  'channels',
  'channel_members',
  'teams',
  'team_members',
  'users',
  'user_access_tokens',
  'remote_clusters',
]);

describe('a change', () => {
  let team: BuiltTeam;
  let hook: any;
  let outgoing: any;
  beforeAll(async () => {
    team = await buildTeam(server.admin);
    hook = await buildIncomingHook(server.admin, team.channelId);
    outgoing = await buildOutgoingHook(server.admin, team.id);
  });
  afterEach(() => jest.restoreAllMocks());

  /** The tables that the requests change; others are written in the background too. */
  async function stored(): Promise<unknown> {
    const { entityMetadatas, manager } = server.app.get(DataSource);
    const tables = entityMetadatas.filter(({ tableName }) => CHANGED.has(tableName));
    expect(tables).toHaveLength(CHANGED.size);
    const all = await Promise.all(tables.map(({ target }) => manager.getRepository(target).find()));
    return all.map((found) => found.map((row) => JSON.stringify(row)).sort());
  }

  it('is stored only together with its row, and fails without it', async () => {
    const before = await stored();
    const broken = { sql: 'INSERT INTO nowhere VALUES (1)', parameters: [] };
    for (const audits of server.everywhere(AuditRepository))
      jest.spyOn(audits, 'insertStatements').mockReturnValue([broken]);
    for (const [, method, path, body] of changes(team, hook, outgoing)) {
      const answer = await server.admin.send(method, path, body, { isBroken: true });
      expect([method, path, answer.status]).toEqual([method, path, 500]);
    }
    expect(await stored()).toEqual(before);
  });

  it('has one row, which names its target', async () => {
    for (const [status, method, path, body] of changes(team, hook, outgoing)) {
      const fresh = await added(async () => {
        const answer = await server.admin.send(method, path, body);
        expect([method, path, answer.status]).toEqual([method, path, status]);
      });
      expect(fresh).toEqual([
        expect.objectContaining({ result: 'success', status, target: expect.stringMatching(/./) }),
      ]);
    }
  });

  onAlone.it('is a single commit without a read for a new webhook', async () => {
    // The background reads and writes too, though not each time.
    const costs: unknown[] = [];
    for (let i = 0; i < 10; i++) costs.push(await costOfHook());
    // On MySQL a separate connection sends everything in one round trip.
    const statements = isMysql
      ? []
      : [
          'BEGIN TRANSACTION',
          expect.stringContaining('INSERT INTO "incoming_webhooks"'),
          expect.stringContaining('INSERT INTO "audits"'),
          'COMMIT',
        ];
    expect(costs).toContainEqual({ commits: 1, statements });
  });

  /** The commits of creating a webhook, and the statements sent separately at that time. */
  async function costOfHook(): Promise<unknown> {
    const statements: string[] = [];
    const { logger } = server.app.get(DataSource);
    jest.spyOn(logger, 'logQuery').mockImplementation((sql) => void statements.push(sql));
    const commits = jest.spyOn(server.app.get(Transactions, { strict: false }), 'attempt');
    await buildIncomingHook(server.admin, team.channelId);
    const cost = { commits: commits.mock.calls.length, statements };
    jest.restoreAllMocks();
    return cost;
  }
});

describe('the retention', () => {
  const purge = (): Promise<void> => server.app.get(Purge).run();

  it('keeps rows forever when it is 0', async () => {
    const old: Audit = {
      ...{ id: newId(), createAt: Date.now() - 5_000 * DAY_MS, userId: '', action: 'old', target: '' },
      ...{ result: 'fail', status: 401, errorId: '', requestId: newId(), address: '' },
      ...{ parameters: '', affected: '', repeats: 0 },
    };
    const audits = server.app.get(DataSource).getRepository(Audit);
    await audits.insert({ ...old });
    await server.withSettings({ auditRetentionMs: 0 }, purge);
    expect(await audits.existsBy({ id: old.id })).toBe(true);
    await server.withSettings({ auditRetentionMs: DAY_MS }, purge);
    expect(await audits.existsBy({ id: old.id })).toBe(false);
  });
});
