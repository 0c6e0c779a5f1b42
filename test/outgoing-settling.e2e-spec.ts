import { DataSource } from 'typeorm';
import { DatabaseUnavailable } from '../src/platform/common/errors/common-errors.js';
import { Clock } from '../src/platform/common/clock.js';
import { newId } from '../src/platform/common/ids.js';
import { UnitOfWork } from '../src/platform/database/unit-of-work.js';
import { DeliveriesRepository } from '../src/delivery/dispatch/deliveries.repository.js';
import { OutcomesRepository } from '../src/delivery/dispatch/outcomes.repository.js';
import { DeliveriesService } from '../src/delivery/dispatch/deliveries.service.js';
import { Delivery } from '../src/delivery/dispatch/delivery.entity.js';
import { RecoveriesRepository } from '../src/delivery/dispatch/recoveries.repository.js';
import { Replies } from '../src/outgoing-hooks/delivery/replies.js';
import { OutgoingHookRecords } from '../src/outgoing-hooks/outgoing-hook-records.js';
import { OutgoingHookSecrets } from '../src/outgoing-hooks/outgoing-hook-secrets.js';
import { PostWriter } from '../src/messaging/posts/writer/post-writer.js';
import { SecretUnreadable } from '../src/platform/secrets/secret-box.js';
import { buildChannel } from './factories/channels.js';
import { insertDeliveries } from './factories/deliveries.js';
import { buildOutgoingHook } from './factories/outgoing-hooks.js';
import { json, Receiver } from './fakes/receiver.js';
import { eventually, startTestServer, type TestServer } from './support/test-server.js';

const HOOKS = '/api/v4/hooks/outgoing';
const DAY_MS = 86_400_000;

/** Deliveries whose outcome cannot be stored at once, or that change during their call. */
describe('settling a delivery', () => {
  let server: TestServer;
  let receiver: Receiver;
  let team: any;
  let channel: any;
  const answers = new Map<string, Receiver['answer']>();

  beforeAll(async () => {
    server = await startTestServer({
      ALLOWED_INTERNAL_HOSTS: '127.0.0.1',
      OUTGOING_SCHEDULE: '0s,50ms,100ms',
    });
    receiver = await Receiver.start((call, response) => {
      const answer = answers.get(call.path);
      return answer ? answer(call, response) : void response.end();
    });
    team = (await server.admin.get('/teams/name/main')).body;
  });
  afterAll(async () => {
    await server.close();
    await receiver.close();
  });
  beforeEach(async () => {
    channel = await buildChannel(server.admin, team.id);
  });

  /** Replaces a method with `stand`, which gets the first argument and a function that calls the original. */
  const replace = (
    provider: abstract new (...args: never[]) => unknown,
    method: string,
    stand: (original: () => unknown, first: any) => unknown,
  ): (() => void) => {
    const targets = server.everywhere<any>(provider as never);
    for (const target of targets)
      target[method] = function (this: unknown, ...args: unknown[]) {
        return stand(() => Object.getPrototypeOf(target)[method].apply(target, args), args[0]);
      };
    return () => targets.forEach((target) => delete target[method]);
  };
  const url = (answer?: Receiver['answer']): string => {
    const path = `/${newId()}`;
    if (answer) answers.set(path, answer);
    return receiver.url(path);
  };
  const hookTo = (...urls: string[]): Promise<any> =>
    buildOutgoingHook(server.admin, team.id, {
      channel_id: channel.id,
      trigger_words: [],
      callback_urls: urls,
      content_type: 'application/json',
    });
  const callOnly = async (hook: any, ...urls: string[]): Promise<void> => {
    expect((await server.admin.patch(`${HOOKS}/${hook.id}`, { callback_urls: urls })).status).toBe(200);
  };
  const callsOf = (hook: any): Receiver['calls'] => receiver.callsTo(new URL(hook.callback_urls[0]).pathname);
  const say = (message = 'go'): Promise<any> =>
    server.admin.post('/posts', { channel_id: channel.id, message });
  const list = async (hook: any, query = ''): Promise<any[]> =>
    (await server.admin.get(`${HOOKS}/${hook.id}/deliveries${query}`)).body.deliveries;
  const detailOf = async (hook: any, id: string): Promise<any> =>
    (await server.admin.get(`${HOOKS}/${hook.id}/deliveries/${id}`)).body;
  const reaches = (hook: any, wanted: string): Promise<any> =>
    eventually(async () => (await list(hook)).find(({ status }) => status === wanted));
  const replies = async (text: string): Promise<any[]> =>
    Object.values<any>((await server.admin.get(`/channels/${channel.id}/posts`)).body.posts).filter(
      ({ message }) => message === text,
    );
  const addDeliveries = (hook: any, count: number, fields: Partial<Delivery>): Promise<Delivery[]> => {
    const earlier = Date.now() - 1_000;
    return insertDeliveries(server, hook, count, { seq: earlier * 2048, nextAttemptAt: earlier, ...fields });
  };

  it('that is cancelled during its call counts that call when it is resent', async () => {
    const held: (() => void)[] = [];
    const hook = await hookTo(
      url((_, response) => {
        held.push(() => {
          response.statusCode = held.length > 2 ? 200 : 500;
          response.end(held.length > 2 ? '{"text":"sent again"}' : '');
        });
        if (held.length > 2) held.at(-1)?.();
      }),
    );
    await say('one');
    await say('two');
    await eventually(() => held.length === 2);
    await callOnly(hook, url());
    await eventually(async () => (await list(hook, '?status=cancelled')).length === 2);
    held.forEach((answer) => answer());
    for (const { id } of await list(hook))
      await eventually(async () => (await detailOf(hook, id)).attempt_list.length === 1);

    await callOnly(hook, ...hook.callback_urls);
    expect((await server.admin.post(`${HOOKS}/${hook.id}/recover`, { since: 0 })).body.total).toBe(2);
    await eventually(async () => (await list(hook, '?status=delivered')).length === 2);
    for (const { id, attempts } of await list(hook)) {
      expect(attempts).toBe(2);
      expect((await detailOf(hook, id)).attempt_list.map(({ number }: any) => number)).toEqual([1, 2]);
    }
    expect(callsOf(hook)).toHaveLength(4);
    expect(await replies('sent again')).toHaveLength(2);
  });

  it('is recovered although the clock was ahead when it was created', async () => {
    let isDown = true;
    const hook = await hookTo(
      url((_, response) => {
        response.statusCode = isDown ? 410 : 200;
        response.end();
      }),
    );
    const clock = jest.spyOn(server.app.get(Clock), 'now').mockImplementation(() => Date.now() + 3_600_000);
    try {
      await say();
      await reaches(hook, 'failed');
    } finally {
      clock.mockRestore();
    }
    isDown = false;
    // The URL is disabled a moment after the delivery has failed.
    await eventually(
      async () => (await server.admin.get(`${HOOKS}/${hook.id}`)).body.disabled_urls.length === 1,
    );
    await server.admin.post(`${HOOKS}/${hook.id}/enable`);
    expect((await server.admin.post(`${HOOKS}/${hook.id}/recover`, { since: 0 })).body.total).toBe(1);
    await reaches(hook, 'delivered');
  });

  it('is recovered although another process created it while its clock was ahead', async () => {
    const hook = await hookTo(url());
    const ahead = Date.now() + DAY_MS;
    await addDeliveries(hook, 1, { status: 'failed', finishAt: ahead, createAt: ahead, seq: ahead * 2048 });
    expect((await server.admin.post(`${HOOKS}/${hook.id}/recover`, { since: 0 })).body.total).toBe(1);
    await reaches(hook, 'delivered');
  });

  it.each([
    ['posted', PostWriter, 'write'],
    ['processed', Replies, 'receive'],
  ] as const)('does not repeat the call while a reply cannot be %s', async (_, provider, method) => {
    const hook = await hookTo(url(json({ text: 'Late' })));
    const other = await hookTo(url());
    let tries = 0;
    const restore = replace(provider, method, (original, request) => {
      if (method === 'write' && request.origin !== 'hook') return original();
      tries++;
      return Promise.reject(new DatabaseUnavailable());
    });
    await say('first');
    await eventually(() => tries >= 2);
    await say('second');
    expect(callsOf(hook)).toHaveLength(1);
    await eventually(() => tries >= 4);
    restore();
    await eventually(async () => (await list(hook, '?status=delivered')).length === 2);
    expect(callsOf(hook)).toHaveLength(2);
    expect(await replies('Late')).toHaveLength(2);
    await eventually(async () => (await list(other, '?status=delivered')).length === 2);
    expect(server.logs.filter((line) => line.includes('cannot be stored. They wait')).length).toBeGreaterThan(
      0,
    );
  });

  it('does not repeat the call when its reply can never be posted, and says so', async () => {
    const hook = await hookTo(url(json({ text: 'Never' })));
    const restore = replace(PostWriter, 'write', (original, request) =>
      request.origin === 'hook' ? Promise.reject(new TypeError('unknown')) : original(),
    );
    await say();
    const { id, attempts } = await reaches(hook, 'delivered');
    restore();
    expect(attempts).toBe(1);
    expect((await detailOf(hook, id)).attempt_list).toMatchObject([
      { status_code: 200, note: 'The effects of the reply could not be stored.' },
    ]);
    expect(callsOf(hook)).toHaveLength(1);
  });

  it('continues with others while some cannot be prepared', async () => {
    const locked = await hookTo(url());
    const hook = await hookTo(url());
    let isUnreadable = 0;
    const restore = replace(OutgoingHookSecrets, 'open', (original, { id }) => {
      if (id !== locked.id) return original();
      isUnreadable++;
      throw new SecretUnreadable('unreadable');
    });
    await addDeliveries(locked, 450, {});
    await addDeliveries(hook, 1, { seq: Date.now() * 2048, nextAttemptAt: Date.now() - 500 });
    server.app.get(DeliveriesService).wake(receiver.origin);
    await say();
    await eventually(async () => (await list(hook, '?status=delivered')).length === 2);
    await eventually(() => isUnreadable >= 451); // those that were not tried before `restore` would be called
    restore();
    await eventually(async () => (await list(locked)).every(({ status }) => status === 'pending'));
    expect(isUnreadable).toBe(451);
  });

  it('is found by its status alone, without reading the others', async () => {
    const hook = await hookTo(url());
    await addDeliveries(hook, 300, { status: 'delivered', finishAt: Date.now() });
    await addDeliveries(hook, 2, { nextAttemptAt: Date.now() + DAY_MS });
    const dataSource = server.app.get(DataSource);
    const isMysql = dataSource.options.type === 'mysql';
    const wanted = isMysql
      ? /^(deliveries (ref|range) ix_deliveries_status|delivery eq_ref PRIMARY)$/
      : /^SEARCH (deliveries USING INDEX ix_deliveries_status \(owner_id=\? AND status=\?|delivery USING INDEX \w+ \(id=\?\))/;
    for (const query of [
      '',
      '?status=pending',
      '?status=failed,in_flight,pending',
      '?since=1&status=cancelled',
    ]) {
      const logged = server.everywhere(DataSource).map(({ logger }) => jest.spyOn(logger, 'logQuery'));
      await list(hook, query);
      const all = logged.flatMap(({ mock }) => mock.calls);
      const [sql, parameters] = all.find(([text]) => text.includes('page'))!;
      logged.forEach((each) => each.mockRestore());
      const plan: any[] = await dataSource.query(`EXPLAIN ${isMysql ? '' : 'QUERY PLAN '}${sql}`, parameters);
      const steps = plan.map(
        ({ detail, table, type, key }) => detail ?? `${table} ${type} ${key}`,
      ) as string[];
      const reads = steps.filter((step) => /deliver(y|ies)\b/.test(step));
      expect(reads.length).toBeGreaterThan(1);
      for (const read of reads) expect(read).toMatch(wanted);
    }
  });

  it('is cancelled with its webhook, and after it if there are many', async () => {
    const hook = await hookTo(url());
    await addDeliveries(hook, 1_050, { nextAttemptAt: Date.now() + DAY_MS });
    await addDeliveries(hook, 50, { nextAttemptAt: Date.now() + DAY_MS, status: 'retrying' });
    await server.admin.delete(`${HOOKS}/${hook.id}`);
    const deliveries = server.app.get(DataSource).getRepository(Delivery);
    const cancelled = { ownerId: hook.id, status: 'cancelled' as const, reason: 'hook_deleted' };
    expect(await deliveries.countBy(cancelled)).toBeGreaterThanOrEqual(1_000);
    await eventually(async () => (await deliveries.countBy(cancelled)) === 1_100);
  });

  it('recovers although many deliveries wait for another attempt', async () => {
    const [broken, well] = [url((_, response) => void response.writeHead(500).end()), url()];
    const hook = await hookTo(broken, well);
    const finished = { status: 'failed' as const, finishAt: Date.now(), reason: 'attempts_exhausted' };
    await addDeliveries(hook, 150, finished);
    await addDeliveries(hook, 30, { ...finished, url: well, seq: Date.now() * 2048 });
    await server.withSettings({ outgoingScheduleMs: [0, DAY_MS] }, async () => {
      const order = await server.admin.post(`${HOOKS}/${hook.id}/recover`, { since: 0 });
      expect(order.body.total).toBe(180);
      await eventually(async () => {
        const [latest] = (await server.admin.get(`${HOOKS}/${hook.id}/recover`)).body as any[];
        return latest.status === 'finished';
      });
      await eventually(() => receiver.callsTo(new URL(well).pathname).length === 30);
    });
  }, 20_000);

  it('runs a recovery that is ordered just after a check found none', async () => {
    const hook = await hookTo(url());
    const recover = (): Promise<any> => server.admin.post(`${HOOKS}/${hook.id}/recover`, { since: 0 });
    let order: any;
    let isCounted = false;
    const restores = [
      replace(RecoveriesRepository, 'insert', async (original) => {
        await original();
        isCounted = true;
      }),
      // Every process looks, and some of them at any time: only the first look after the first order is held up.
      replace(RecoveriesRepository, 'listOpen', async (original) => {
        if (!isCounted) return original();
        isCounted = false;
        restores.forEach((restore) => restore());
        const found = await original();
        await addDeliveries(hook, 1, { status: 'failed', finishAt: Date.now() });
        order = (await recover()).body;
        return found;
      }),
    ];
    expect((await recover()).body.total).toBe(0); // it is over at once, and searched for once
    await eventually(() => order);
    expect(order).toMatchObject({ total: 1, status: 'running' });
    await reaches(hook, 'delivered');
  });

  it('does not disable a URL for failures before a long silence', async () => {
    const hook = await hookTo(url((_, response) => void response.writeHead(500).end()));
    const since = Date.now() - 9 * DAY_MS;
    const records = server.app.get(OutgoingHookRecords);
    const setFailing = async (): Promise<void> =>
      records.alter(await records.load(hook.id), (row) =>
        records.setHealth(row, { failingUrls: { [hook.callback_urls[0]]: since } }),
      );
    await setFailing();
    await server.withSettings({ outgoingScheduleMs: [0] }, async () => {
      await say();
      await reaches(hook, 'failed');
      const failing = await eventually(async () => {
        const at = (await records.load(hook.id)).failingUrls[hook.callback_urls[0]];
        return at !== since && at;
      });
      expect(failing).toBeGreaterThan(since + 8 * DAY_MS);
      expect((await records.load(hook.id)).disabledAt).toBe(0);

      await setFailing(); // now it was called a moment ago
      await say();
      await eventually(async () => (await records.load(hook.id)).disabledAt > 0);
    });
  });

  it('that was made due again is not deleted with old ones', async () => {
    const hook = await hookTo(url());
    await addDeliveries(hook, 2, { status: 'failed', finishAt: 1 });
    const repository = server.app.get(DeliveriesRepository);
    const [first] = await server.app.get(DataSource).getRepository(Delivery).findBy({ ownerId: hook.id });
    const restore = replace(UnitOfWork, 'run', async (original) => {
      restore();
      await repository.requeue([first!.id], Date.now() + DAY_MS);
      return original();
    });
    await repository.deleteFinishedBefore(1_000, 500);
    expect(await list(hook)).toMatchObject([{ id: first!.id }]);
  });

  it('does not delay the stop of the server during an outage', async () => {
    const second = await startTestServer({ ALLOWED_INTERNAL_HOSTS: '127.0.0.1' });
    const { id: teamId } = (await second.admin.get('/teams/name/main')).body;
    const { id: channelId } = await buildChannel(second.admin, teamId);
    await buildOutgoingHook(second.admin, teamId, {
      ...{ channel_id: channelId, trigger_words: [], callback_urls: [url()] },
    });
    let tries = 0;
    for (const attempts of second.everywhere(OutcomesRepository))
      attempts.insertStatements = () => {
        tries++;
        throw new DatabaseUnavailable();
      };
    await second.admin.post('/posts', { channel_id: channelId, message: 'go' });
    await eventually(() => tries > 0);
    await second.close();
  });
});
