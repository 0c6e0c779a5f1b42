import { DataSource, type EntityTarget, In, type ObjectLiteral } from 'typeorm';
import {
  Delivery,
  DeliveryAttempt,
  DeliveryPayload,
  DeliveryRecovery,
  LaneLimit,
} from '../src/delivery/dispatch/delivery.entity.js';
import { LaneLimitsRepository } from '../src/delivery/dispatch/lane-limits.repository.js';
import { CredentialsService } from '../src/messaging/users/passwords/credentials.service.js';
import { Session } from '../src/messaging/auth/session.entity.js';
import { IdempotencyKey } from '../src/messaging/posts/idempotency-key.entity.js';
import { Audit } from '../src/platform/audit/audit.entity.js';
import { Clock } from '../src/platform/common/clock.js';
import { newId } from '../src/platform/common/ids.js';
import { Purge } from '../src/platform/database/purge.js';
import { MessageKey } from '../src/incoming-hooks/messages/message.entity.js';
import { PreviousUrl } from '../src/incoming-hooks/url-rotation/previous-url.entity.js';
import { KeptRequest } from '../src/incoming-hooks/kept-requests/kept-request.entity.js';
import { DeliveryStat } from '../src/outgoing-hooks/delivery-stats/delivery-stat.entity.js';
import { DeliveryStatsRepository } from '../src/outgoing-hooks/delivery-stats/delivery-stats.repository.js';
import { noCounts } from '../src/outgoing-hooks/delivery-stats/counts.js';
import { insertKeptRequest } from './factories/kept-requests.js';
import { insertDeliveries } from './factories/deliveries.js';
import { buildIncomingHook, buildTeam } from './factories/incoming-hooks.js';
import { buildUser, USER_PASSWORD } from './factories/users.js';
import type { Answer } from './support/api-client.mjs';
import { expectError } from './support/expect-error.js';
import { isAlone } from './support/test-database.js';
import { eventually, startTestServer, type TestServer } from './support/test-server.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/* Each retention time at its default: one millisecond before and after it, with a stopped clock. */

let server: TestServer;
let clock: jest.SpyInstance<number, []>;
/** The start time of each test. */
let start: number;
const elapse = (ms: number): void => void clock.mockReturnValue(start + ms);

beforeAll(async () => {
  server = await startTestServer({ TRUSTED_PROXIES: '127.0.0.1' });
  clock = jest.spyOn(server.app.get(Clock), 'now');
});
beforeEach(() => {
  start = Date.now();
  elapse(0);
});
afterAll(async () => {
  clock?.mockRestore();
  await server?.close();
});

describe('rows with a retention time', () => {
  interface Kept {
    readonly forMs: number;
    readonly entity: EntityTarget<ObjectLiteral>;
    readonly key: string;
    /** Inserts a row of that time. Returns its key. */
    readonly insert: (at: number) => Promise<string>;
  }
  const rows = (entity: EntityTarget<ObjectLiteral>) => server.app.get(DataSource).getRepository(entity);
  const insertDelivery = async (fields: Partial<Delivery>): Promise<string> => {
    const hook = { id: newId(), channel_id: newId(), callback_urls: ['http://127.0.0.1:9/'] };
    const [delivery] = await insertDeliveries(server, hook, 1, fields);
    const { id } = delivery!;
    const attempt = { startAt: 1, durationMs: 1, firstByteMs: 1, statusCode: 200, errorClass: '', note: '' };
    await rows(DeliveryAttempt).insert({ deliveryId: id, number: 1, ...attempt, reply: '' });
    return id;
  };
  const insertRecovery = async (finishAt: number): Promise<string> => {
    const counts = { since: 1, until: 2, total: 0, requeued: 0, cursorSeq: 0 };
    const row = { id: newId(), ownerId: newId(), createAt: 1, ...counts, finishAt };
    await rows(DeliveryRecovery).insert(row);
    return row.id;
  };
  const insertKey = async (createAt: number): Promise<string> => {
    const keyHash = newId();
    await rows(IdempotencyKey).insert({ keyHash, createAt, postIds: [] });
    return keyHash;
  };
  const insertAudit = async (createAt: number): Promise<string> => {
    const texts = { userId: '', action: 'old', target: '', result: 'fail', errorId: '', address: '' };
    const row = {
      id: newId(),
      createAt,
      ...texts,
      status: 401,
      requestId: newId(),
      parameters: '',
      affected: '',
      repeats: 0,
    };
    await rows(Audit).insert(row);
    return row.id;
  };
  const insertStat = async (stepSeconds: number, startAt: number): Promise<string> => {
    const span = { subject: newId(), stepSeconds, startAt, counts: noCounts() };
    await server.app.get(DeliveryStatsRepository).add([span]);
    return span.subject;
  };

  const insertLimit = async (notedAt: number): Promise<string> => {
    const limit = { lane: newId(), callsLimit: 2, standing: 'unknown' as const, pausedUntil: 0, notedAt };
    await server.app.get(LaneLimitsRepository).note([{ ...limit, changes: [] }]);
    return limit.lane;
  };

  const KEPT: Readonly<Record<string, Kept>> = {
    'idempotency keys': { forMs: DAY, entity: IdempotencyKey, key: 'keyHash', insert: insertKey },
    'audit rows': { forMs: 365 * DAY, entity: Audit, key: 'id', insert: insertAudit },
    deliveries: {
      forMs: 30 * DAY,
      entity: Delivery,
      key: 'id',
      insert: (finishAt) => insertDelivery({ status: 'delivered', createAt: 1, finishAt }),
    },
    'keys of incoming webhooks': {
      forMs: 30 * DAY,
      entity: MessageKey,
      key: 'keyHash',
      insert: async (usedAt) => {
        const keyHash = newId();
        await rows(MessageKey).insert({ keyHash, originId: newId(), postId: newId(), usedAt });
        return keyHash;
      },
    },
    'previous URLs of incoming webhooks': {
      forMs: MINUTE,
      entity: PreviousUrl,
      key: 'id',
      insert: async (expiresAt) => {
        const id = newId();
        const use = { uses: 0, lastUsed: 0 };
        await rows(PreviousUrl).insert({ id, hookId: newId(), createAt: 1, expiresAt, ...use });
        return id;
      },
    },
    'calls of incoming webhooks': {
      forMs: 7 * DAY,
      entity: KeptRequest,
      key: 'id',
      insert: async (createAt) => (await insertKeptRequest(server, { createAt })).id,
    },
    recoveries: { forMs: 30 * DAY, entity: DeliveryRecovery, key: 'id', insert: insertRecovery },
    'limits of endpoints': { forMs: DAY, entity: LaneLimit, key: 'lane', insert: insertLimit },
    'statistics of deliveries by five minutes': {
      forMs: 2 * DAY,
      entity: DeliveryStat,
      key: 'subject',
      insert: (startAt) => insertStat(300, startAt),
    },
    'statistics of deliveries by the hour': {
      forMs: 31 * DAY,
      entity: DeliveryStat,
      key: 'subject',
      insert: (startAt) => insertStat(3_600, startAt),
    },
  };

  const left = async ({ entity, key }: Kept, keys: readonly string[]): Promise<string[]> => {
    const found = await rows(entity).findBy({ [key]: In([...keys]) });
    return keys.filter((each) => found.some((row) => row[key] === each));
  };
  const purge = (): Promise<void> => server.app.get(Purge).run();

  it('are all listed here', () => {
    // Rows that fail instead of being deleted: outgoing-pull.e2e-spec.ts.
    const failing = ['deliveries to pull'];
    const others = isAlone ? [] : ['changes', 'turns of lanes'];
    const known = [...Object.keys(KEPT), ...failing, ...others];
    expect([...server.app.get(Purge)['tasks'].keys()].sort()).toEqual(known.sort());
  });

  it.each(Object.keys(KEPT))('%s: to the millisecond', async (name) => {
    const kept = KEPT[name]!;
    const young = await kept.insert(start);
    const last = await kept.insert(start - kept.forMs);
    const first = await kept.insert(start - kept.forMs - 1);
    const ancient = await kept.insert(start - 10 * kept.forMs);
    await purge();
    expect(await left(kept, [young, last, first, ancient])).toEqual([young, last]);
    elapse(1);
    await purge();
    expect(await left(kept, [young, last])).toEqual([young]);
  });

  it('deliveries: with their attempts, except open ones', async () => {
    const old = start - 31 * DAY;
    const open = await insertDelivery({ status: 'pending', createAt: old, nextAttemptAt: start + 40 * DAY });
    const young = await insertDelivery({ status: 'failed', createAt: old, finishAt: start - 29 * DAY });
    const gone = await insertDelivery({ status: 'failed', createAt: old, finishAt: old });
    await purge();
    const ids = [open, young, gone];
    expect(await left(KEPT['deliveries']!, ids)).toEqual([open, young]);
    const attempts = await rows(DeliveryAttempt).findBy({ deliveryId: In(ids) });
    expect(attempts.map(({ deliveryId }) => deliveryId).sort()).toEqual([open, young].sort());
  });

  it('deliveries: shared data is deleted with the last of them', async () => {
    const old = start - 31 * DAY;
    const [subjectId, otherId] = [newId(), newId()];
    const shared = { subjectId, sharesPayload: true, status: 'delivered', createAt: 1 } as const;
    for (const id of [subjectId, otherId])
      await rows(DeliveryPayload).insert({ subjectId: id, kind: 'outgoing_hook', body: { text: 'hello' } });
    await insertDelivery({ ...shared, finishAt: old });
    await insertDelivery({ ...shared, subjectId: otherId, finishAt: old });
    await insertDelivery({ ...shared, finishAt: start });
    const isShared = (id: string): Promise<boolean> => rows(DeliveryPayload).existsBy({ subjectId: id });
    await purge();
    expect([await isShared(subjectId), await isShared(otherId)]).toEqual([true, false]);
    elapse(31 * DAY);
    await purge();
    expect(await isShared(subjectId)).toBe(false);
  });
});

it('an idempotency key is valid for 24 hours', async () => {
  const team = await buildTeam(server.admin);
  const hook = await buildIncomingHook(server.admin, team.channelId);
  const execute = (): Promise<Answer> => {
    const headers = { 'idempotency-key': 'once' };
    return server.anonymous.post(`/hooks/${hook.id}`, { text: 'green' }, { headers });
  };
  const replayed = async (): Promise<boolean> => {
    const answer = await execute();
    expect(answer.status).toBe(200);
    return answer.headers['idempotency-replayed'] === 'true';
  };
  expect(await replayed()).toBe(false);
  elapse(DAY);
  expect(await replayed()).toBe(true);
  elapse(DAY + 1);
  expect(await replayed()).toBe(false);
  elapse(2 * DAY + 1);
  expect(await replayed()).toBe(true);
});

describe('a session', () => {
  const sessionOf = (userId: string): Promise<Session> =>
    server.app.get(DataSource).getRepository(Session).findOneByOrFail({ userId });

  it('ends after 720 hours without use', async () => {
    const { client: inside } = await buildUser(server);
    const { client: outside } = await buildUser(server);
    elapse(720 * HOUR);
    expectError(await outside.get('/users/me'), 401);
    elapse(720 * HOUR - 1);
    expect((await inside.get('/users/me')).status).toBe(200);
  });

  it('is extended by use after 7.2 hours', async () => {
    const { id, client } = await buildUser(server);
    const { expiresAt } = await sessionOf(id);
    elapse(7.2 * HOUR - 5 * MINUTE);
    await client.get('/users/me');
    await eventually(async () => (await sessionOf(id)).lastActivityAt === start + 7.2 * HOUR - 5 * MINUTE);
    expect((await sessionOf(id)).expiresAt).toBe(expiresAt);
    elapse(7.2 * HOUR);
    await client.get('/users/me');
    await eventually(async () => (await sessionOf(id)).lastActivityAt === start + 7.2 * HOUR);
    expect((await sessionOf(id)).expiresAt).toBe(start + 727.2 * HOUR);
  });

  it('stores its use every five minutes', async () => {
    const { id, client } = await buildUser(server);
    for (const ms of [5 * MINUTE - 1, 5 * MINUTE]) {
      elapse(ms);
      await client.get('/users/me');
    }
    await eventually(async () => (await sessionOf(id)).lastActivityAt !== start);
    expect((await sessionOf(id)).lastActivityAt).toBe(start + 5 * MINUTE);
  });

  it('is deleted at the next login after it has ended, but no other session is', async () => {
    const { id, username } = await buildUser(server);
    const sessions = server.app.get(DataSource).getRepository(Session);
    const first = await sessionOf(id);
    const variants = { over: start, soon: start + 1, never: 0 };
    for (const [tokenHash, expiresAt] of Object.entries(variants))
      await sessions.insert({ ...first, id: newId(), tokenHash: `${tokenHash} ${id}`, expiresAt });
    await server.login(username, USER_PASSWORD);
    const left = (await sessions.findBy({ userId: id })).map(({ tokenHash }) => tokenHash.split(' ')[0]);
    expect(left).toEqual(expect.arrayContaining(['soon', 'never', first.tokenHash]));
    expect(left).not.toContain('over');
  });
});

describe('after wrong passwords', () => {
  const LOCKED = 'api.user.check_user_login_attempts.too_many.app_error';
  const login = (loginId: string, password: string, address: string): Promise<Answer> =>
    server.anonymous.post(
      '/users/login',
      { login_id: loginId, password },
      { headers: { 'x-forwarded-for': address } },
    );

  // The increasing delay of the responses is tested elsewhere.
  beforeAll(() => {
    for (const credentials of server.everywhere<object>(CredentialsService))
      jest.spyOn(credentials as { delay(): Promise<void> }, 'delay').mockResolvedValue();
  });

  it.each(['known', 'unknown'])('an account that is %s is locked for ten minutes', async (which) => {
    const name = which === 'known' ? (await buildUser(server)).username : `nobody.${newId()}`;
    const fail = async (count: number): Promise<unknown[]> => {
      const answers = [];
      for (let i = 0; i < count; i++) answers.push(await login(name, 'wrong', '10.1.0.1'));
      return answers.map(({ body }) => body.id === LOCKED);
    };
    expect(await fail(11)).toEqual([...Array.from({ length: 10 }, () => false), true]);
    elapse(10 * MINUTE - 1);
    expect(await fail(1)).toEqual([true]);
    elapse(10 * MINUTE);
    expect(await fail(1)).toEqual([false]);
  });

  it('an address waits for five minutes', async () => {
    const address = '10.2.2.2';
    const attempt = () => login(`nobody.${newId()}`, 'wrong', address);
    for (let i = 0; i < 100; i++) expect((await attempt()).status).toBe(401);
    elapse(5 * MINUTE - 1);
    const refused = await attempt();
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1']);
    elapse(5 * MINUTE);
    expect((await attempt()).status).toBe(401);
  });
});
