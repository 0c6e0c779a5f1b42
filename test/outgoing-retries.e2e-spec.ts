import { createServer } from 'node:http';
import { DataSource } from 'typeorm';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { DeliveriesService } from '../src/delivery/dispatch/deliveries.service.js';
import { Delivery } from '../src/delivery/dispatch/delivery.entity.js';
import { DispatcherService } from '../src/delivery/dispatch/dispatcher.service.js';
import { newId } from '../src/platform/common/ids.js';
import { buildChannel } from './factories/channels.js';
import { insertDeliveries } from './factories/deliveries.js';
import { buildMember } from './factories/incoming-hooks.js';
import { buildOutgoingHook } from './factories/outgoing-hooks.js';
import { Receiver } from './fakes/receiver.js';
import type { Answer } from './support/api-client.mjs';
import { expectError } from './support/expect-error.js';
import { eventually, startTestServer, type TestServer } from './support/test-server.js';

const HOOKS = '/api/v4/hooks/outgoing';
const RETRY = `${HOOKS}/deliveries/retry`;
const CHANGED = 'app.deliveries.changed.app_error';
const IN_FLIGHT = 'app.deliveries.in_flight.app_error';
const DAY_MS = 86_400_000;

describe('resending', () => {
  let server: TestServer;
  let receiver: Receiver;
  let team: any;
  let channel: any;

  beforeAll(async () => {
    server = await startTestServer({ ALLOWED_INTERNAL_HOSTS: '127.0.0.1' });
    receiver = await Receiver.start((_, response) => void response.end());
    team = (await server.admin.get('/teams/name/main')).body;
    channel = await buildChannel(server.admin, team.id);
  });
  afterAll(async () => {
    await server?.close();
    await receiver?.close();
  });
  afterEach(() => {
    receiver.answer = (_, response) => void response.end();
    jest.restoreAllMocks();
  });

  const hookTo = (url: string, fields: object = {}): Promise<any> =>
    buildOutgoingHook(server.admin, team.id, {
      ...{ channel_id: channel.id, trigger_words: [newId()], callback_urls: [url] },
      ...fields,
    });
  const failed = (hook: any, count: number, fields: Partial<Delivery> = {}): Promise<Delivery[]> =>
    insertDeliveries(server, hook, count, {
      ...{ status: 'failed', reason: 'attempts_exhausted', finishAt: Date.now(), lastCode: 500 },
      ...fields,
    });
  const retry = (ids: unknown): Promise<Answer> => server.admin.post(RETRY, { ids });
  const detail = async (hook: any, id: string): Promise<any> =>
    (await server.admin.get(`${HOOKS}/${hook.id}/deliveries/${id}`)).body;
  const callsOf = (path: string): string[] =>
    receiver.callsTo(path).map(({ headers }) => String(headers['webhook-id']));

  describe('many deliveries', () => {
    it('reports what was sent before the database failed, and the rest as not sent', async () => {
      const hook = await hookTo(receiver.url('/outage'));
      const ids = (await failed(hook, 4)).map(({ id }) => id);
      const fail = (calls: number): void => {
        for (const service of server.everywhere(DeliveriesService)) {
          const real = service.retry.bind(service);
          let left = calls;
          jest.spyOn(service, 'retry').mockImplementation((delivery) => {
            if (left-- > 0) return real(delivery);
            throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }); // as drivers do
          });
        }
      };
      fail(2);
      const { status, body } = await retry(ids);
      expect(status).toBe(200);
      expect(body).toMatchObject({ retried_count: 2, refused_count: 2 });
      expect(body.results.map(({ error }: any) => error?.status_code)).toEqual([
        ...[undefined, undefined, 503, 503],
      ]);
      jest.restoreAllMocks();
      fail(0);
      const answer = await server.admin.post(RETRY, { ids: ids.slice(2) }, { isBroken: true });
      expectError(answer, 503, 'app.database.unavailable.app_error');
    });

    it('resends each possible one, of any webhook, and says why not for others', async () => {
      const [one, two, off] = await Promise.all(
        ['one', 'two', 'off'].map((name) => hookTo(receiver.url(`/many-${name}`))),
      );
      const [first, second] = await failed(one, 2);
      const [other] = await failed(two, 1, { status: 'cancelled' });
      const [removed] = await failed(two, 1, { url: receiver.url('/many-removed') });
      const [final] = await failed(one, 1, { reason: 'post_deleted' });
      const [left] = await failed(off, 1);
      await server.admin.delete(`${HOOKS}/${off.id}`);
      const [foreign] = await failed(one, 1, { kind: 'peer_message', ownerId: newId() });
      const unknown = newId();
      const ids = [first!.id, removed!.id, other!.id, final!.id, left!.id, foreign!.id, unknown, second!.id];
      const { status, body } = await retry([...ids, first!.id]);
      expect(status).toBe(200);
      expect(body).toMatchObject({ retried_count: 3, refused_count: 5 });
      expect(body.results.map(({ id, retried, error }: any) => [id, retried, error?.id ?? null])).toEqual([
        [first!.id, true, null],
        [removed!.id, false, 'app.deliveries.retry.url_removed.app_error'],
        [other!.id, true, null],
        [final!.id, false, 'app.deliveries.post_deleted.app_error'],
        [left!.id, false, 'app.webhooks.get_outgoing.app_error'],
        [foreign!.id, false, 'app.deliveries.get.app_error'],
        [unknown, false, 'app.deliveries.get.app_error'],
        [second!.id, true, null],
      ]);
      const alone = await server.admin.post(`${HOOKS}/${one.id}/deliveries/${final!.id}/retry`);
      expect(body.results[3].error).toEqual({
        ...{ id: alone.body.id, message: alone.body.message, detailed_error: '', status_code: alone.status },
      });
      await eventually(() => callsOf('/many-one').length === 2 && callsOf('/many-two').length === 1);
      expect(callsOf('/many-removed')).toEqual([]);
    });

    it('resends each once for several simultaneous requests', async () => {
      const path = `/${newId()}`;
      const hook = await hookTo(receiver.url(path));
      const ids = (await failed(hook, 20)).map(({ id }) => id);
      let readers = 0;
      let release = (): void => undefined;
      const haveAllRead = new Promise<void>((resolve) => (release = resolve));
      for (const service of server.everywhere(DeliveriesService)) {
        const read = service.listByIds.bind(service);
        jest.spyOn(service, 'listByIds').mockImplementation(async (...query) => {
          const found = await read(...query);
          if (++readers === 2) release();
          await haveAllRead;
          return found;
        });
      }
      const answers = await Promise.all([retry(ids), retry(ids)]);
      const results = answers.flatMap(({ body }) => body.results as any[]);
      const sent = results.filter(({ retried }) => retried).map(({ id }) => id as string);
      expect(sent.sort()).toEqual([...ids].sort());
      const refusals = new Set(results.filter(({ error }) => error).map(({ error }) => error.id as string));
      refusals.delete(IN_FLIGHT);
      expect([...refusals]).toEqual([CHANGED]);
      await eventually(() => callsOf(path).length === ids.length);
      await eventually(async () => (await detail(hook, ids[0]!)).status === 'delivered');
      expect(callsOf(path).sort()).toEqual([...ids].sort());
    });

    it.each([500, 200])(
      'does not report one as resent by another request if only the dispatcher sent it: response %p',
      async (code) => {
        const path = `/${newId()}`;
        receiver.answer = (_, response) => void response.writeHead(code).end();
        const hook = await hookTo(receiver.url(path));
        const rows = await failed(hook, 100, { attempts: 2, step: 1 });
        const ids = rows.map(({ id }) => id);
        for (let round = 0; round < 4; round++) {
          const { body } = await retry(ids);
          const refusals = body.results.map(({ error }: any) => error?.id ?? IN_FLIGHT);
          expect(refusals.filter((refusal: string) => refusal !== IN_FLIGHT)).toEqual([]);
        }
        await eventually(() => new Set(callsOf(path)).size === 100);
      },
      30_000,
    );

    it.each(['retrying', 'failed'] as const)(
      'skips one that was resent since it was read: %s',
      async (status) => {
        const hook = await hookTo(receiver.url(`/${newId()}`));
        const later = { nextAttemptAt: Date.now() + DAY_MS, attempts: 2 };
        const settled = status === 'failed' ? {} : { finishAt: 0, reason: '' };
        const [row] = await failed(hook, 1, { status, ...later, ...settled });
        const service = server.app.get(DeliveriesService);
        await expect(service.retry({ ...row!, attempts: 1 })).rejects.toMatchObject({ id: CHANGED });
        expect(await detail(hook, row!.id)).toMatchObject({ attempts: 2, finish_at: row!.finishAt });
        expect(await service.retry(row!)).toMatchObject({ id: row!.id, finishAt: 0 });
        await eventually(async () => (await detail(hook, row!.id)).status === 'delivered');
      },
    );

    it.each([
      [[]],
      [Array.from({ length: 201 }, () => newId())],
      [['no id']],
      [[newId(), '']],
      ['all'],
      [[1]],
      [null],
      [undefined],
    ])('is refused without ids of 1 to 200 deliveries, naming them (%#)', async (ids) => {
      const answer = await retry(ids);
      expectError(answer, 400, 'api.context.invalid_body_param.app_error', 'ids');
    });

    it('accepts 200 at once', async () => {
      const hook = await hookTo(receiver.url(`/${newId()}`));
      const rows = await failed(hook, 200);
      const { body } = await retry(rows.map(({ id }) => id));
      expect(body).toMatchObject({ retried_count: 200, refused_count: 0 });
    }, 20_000);

    it('is for system administrators, while the feature is on, and audited with its numbers', async () => {
      const hook = await hookTo(receiver.url(`/${newId()}`));
      const [row] = await failed(hook, 1);
      const teamAdmin = await buildMember(server, [team.id], true);
      expect((await server.anonymous.post(RETRY, { ids: [row!.id] })).status).toBe(401);
      expectError(await teamAdmin.client.post(RETRY, { ids: [row!.id] }), 403);
      await server.withSettings({ enableOutgoingWebhooks: false }, async () => {
        expectError(await retry([row!.id]), 501, 'api.outgoing_webhook.disabled.app_error');
      });
      expect(await detail(hook, row!.id)).toMatchObject({ status: 'failed' });
      await retry([row!.id, newId()]);
      const { body: audits } = await server.admin.get('/audits?per_page=50');
      const own = audits.find(({ action }: any) => action.startsWith('retry_deliveries'));
      expect(JSON.stringify(own)).toMatch(/retried_count.{1,4}:1.*refused_count.{1,4}:1/);
    });
  });

  describe('a recovery after a receiver is fixed', () => {
    const recover = async (hook: any, fields: object): Promise<any> =>
      (await server.admin.post(`${HOOKS}/${hook.id}/recover`, fields)).body;
    const delivered = async (hook: any): Promise<number> =>
      (await server.admin.get(`${HOOKS}/${hook.id}/deliveries?status=delivered&per_page=200`)).body.deliveries
        .length;

    it('sends deliveries that wait for their next attempt, and returns their number', async () => {
      const path = `/${newId()}`;
      const hook = await hookTo(receiver.url(path));
      const since = Date.now() - 1;
      const open = { status: 'retrying', reason: '', finishAt: 0 } as const;
      await failed(hook, 3, { ...open, attempts: 4, step: 4, nextAttemptAt: Date.now() + DAY_MS });
      const counted = { total: 3, waiting: 3, requeued: 0 };
      expect(await recover(hook, { since, dry_run: true })).toMatchObject({ ...counted, status: 'dry_run' });
      await failed(hook, 1);
      const ordered = await recover(hook, { since });
      expect(ordered).toMatchObject({ total: 4, waiting: 3, status: 'running' });
      await eventually(async () => (await delivered(hook)) === 4);
      expect(callsOf(path)).toHaveLength(4);
      const [latest] = (await server.admin.get(`${HOOKS}/${hook.id}/recover`)).body;
      expect(latest).toMatchObject({ id: ordered.id, total: 4, waiting: 3, requeued: 4, status: 'finished' });
      expect(await recover(hook, { since })).toMatchObject({ total: 0, waiting: 0, status: 'finished' });
    });

    it('is audited as a count or as an order', async () => {
      const hook = await hookTo(receiver.url(`/${newId()}`));
      const since = Date.now() - 1;
      await failed(hook, 2);
      const actions = async (): Promise<string[]> => {
        const { body } = await server.admin.get('/audits?per_page=50');
        const own = body.filter(({ target }: any) => target === hook.id);
        return own.map(({ action }: any) => action).filter((action: string) => action.includes('recover'));
      };
      await recover(hook, { since, dry_run: true });
      expect(await actions()).toEqual(['recover_deliveries_dry_run']);
      await recover(hook, { since });
      expect(await actions()).toEqual(['recover_deliveries', 'recover_deliveries_dry_run']);
    });

    it('sends deliveries of a paused endpoint, which is probed at once', async () => {
      const gone = await Receiver.start();
      const url = gone.url('/spared');
      const { origin, port } = new URL(url);
      await gone.close();
      const hook = await hookTo(url);
      const since = Date.now() - 1;
      await failed(hook, 100, { status: 'pending', reason: '', finishAt: 0 });
      for (const dispatcher of server.everywhere(DispatcherService)) dispatcher.wake(origin);
      const list = `${HOOKS}/${hook.id}/deliveries?status=retrying&per_page=200`;
      await eventually(async () => (await server.admin.get(list)).body.deliveries.length >= 64);
      const back = createServer((_, response) => void response.end());
      await new Promise<void>((resolve) => back.listen(Number(port), '127.0.0.1', resolve));
      const { waiting } = await recover(hook, { since });
      expect(waiting).toBeGreaterThanOrEqual(64);
      await eventually(async () => (await delivered(hook)) === 100);
      back.closeAllConnections();
      back.close();
    }, 30_000);
  });

  describe('all that match a filter', () => {
    const OPEN = { status: 'retrying', reason: '', finishAt: 0, nextAttemptAt: Date.now() + DAY_MS } as const;
    const post = (body: object, path = RETRY): Promise<Answer> => server.admin.post(path, body);
    const progress = async (id: string): Promise<any> =>
      (await server.admin.get(`${HOOKS}/deliveries/recoveries`)).body.find((one: any) => one.id === id);
    const finished = (id: string) => eventually(async () => (await progress(id)).status === 'finished');

    it('are resent as one recovery, which counts what it sends', async () => {
      const [path, other] = [`/${newId()}`, `/${newId()}`];
      const hook = await hookTo(receiver.url(path));
      const neighbour = await hookTo(receiver.url(other));
      await failed(hook, 150, { ...OPEN, lastError: 'timeout', lastCode: 0 });
      await failed(hook, 100, { lastError: 'timeout', lastCode: 0 });
      await failed(hook, 2, { lastCode: 503 });
      await failed(neighbour, 1, { lastError: 'timeout', lastCode: 0 });
      await failed(hook, 1, { status: 'delivered', reason: '', lastCode: 200 });

      const filter = { hook_id: hook.id, error: 'timeout' };
      const counted = await post({ filter, dry_run: true });
      expect([counted.status, counted.body]).toEqual([
        200,
        expect.objectContaining({ id: '', hook_id: hook.id, total: 250, waiting: 150, status: 'dry_run' }),
      ]);
      expect(callsOf(path)).toEqual([]);
      const { body: ordered } = await post({ filter });
      expect(ordered).toMatchObject({ hook_id: hook.id, total: 250, waiting: 150, status: 'running' });
      await eventually(async () => new Set(callsOf(path)).size === 250, 20_000);
      await eventually(async () => {
        const [latest] = (await server.admin.get(`${HOOKS}/${hook.id}/recover`)).body;
        return latest.status === 'finished' && latest.requeued === 250;
      });
      expect(callsOf(other)).toEqual([]);
      expect((await post({ filter, dry_run: true })).body.total).toBe(0);
    }, 40_000);

    it('can belong to all webhooks: by endpoint, status, HTTP status and time', async () => {
      const own = await Receiver.start((_, response) => void response.end());
      const { origin: endpoint } = new URL(own.url('/'));
      const [first, second] = [await hookTo(own.url('/a')), await hookTo(own.url('/b'))];
      const elsewhere = await hookTo(receiver.url(`/${newId()}`));
      await failed(first, 2, { lastCode: 503 });
      await failed(second, 3, { ...OPEN, lastCode: 502 });
      await failed(second, 1, { lastCode: 404 });
      await failed(elsewhere, 1, { lastCode: 503 });
      const total = async (filter: object): Promise<unknown> =>
        (await post({ filter, dry_run: true })).body.total;
      expect(await total({ endpoint })).toBe(6);
      expect(await total({ endpoint, http_status: '5xx' })).toBe(5);
      expect(await total({ endpoint, http_status: 404 })).toBe(1);
      expect(await total({ endpoint, status: 'retrying' })).toBe(3);
      expect(await total({ endpoint, status: ['failed', 'cancelled'] })).toBe(3);
      expect(await total({ endpoint, since: Date.now() + DAY_MS })).toBe(0);
      expect(await total({ endpoint, before: Date.now() - DAY_MS })).toBe(0);

      const filter = { endpoint, http_status: '5xx' };
      const { body: ordered } = await post({ filter }, `${HOOKS}/endpoints/deliveries/retry`);
      expect(ordered).toMatchObject({ hook_id: '', total: 5, waiting: 3 });
      await finished(ordered.id);
      await eventually(() => own.calls.length === 5);
      expect(await progress(ordered.id)).toMatchObject({ total: 5, requeued: 5 });
      expect(await total({ endpoint })).toBe(1);
      await own.close();
    });

    it('can belong to one webhook on its own route, for its managers', async () => {
      const path = `/${newId()}`;
      const hook = await hookTo(receiver.url(path));
      const other = await hookTo(receiver.url(`/${newId()}`));
      await failed(hook, 3);
      const [foreign] = await failed(other, 1);
      const teamAdmin = await buildMember(server, [team.id], true);
      const route = `${HOOKS}/${hook.id}/deliveries/retry`;
      expectError(await teamAdmin.client.post(RETRY, { filter: { hook_id: hook.id } }), 403);
      const { body: ids } = await teamAdmin.client.post(route, { ids: [foreign!.id] });
      expect(ids).toMatchObject({ retried_count: 0, refused_count: 1 });
      const ordered = await teamAdmin.client.post(route, { filter: {} });
      expect(ordered.body).toMatchObject({ hook_id: hook.id, total: 3 });
      await eventually(() => new Set(callsOf(path)).size === 3);
      const member = await buildMember(server, [team.id]);
      expectError(await member.client.post(route, { filter: {} }), 403);
    });

    it('are sent to an endpoint that responds although another one does not', async () => {
      const gone = await Receiver.start();
      const dead = await hookTo(gone.url('/dead'));
      await gone.close();
      const path = `/${newId()}`;
      const alive = await hookTo(receiver.url(path));
      await failed(dead, 250, { lastError: 'dns', lastCode: 0 });
      await failed(alive, 3, { lastError: 'dns', lastCode: 0 });
      const { body: ordered } = await post({ filter: { error: 'dns' } });
      expect(ordered).toMatchObject({ total: 253 });
      await eventually(() => new Set(callsOf(path)).size === 3);
      await finished(ordered.id);
    }, 20_000);

    it('can be stopped', async () => {
      let open = (): void => undefined;
      const isOpen = new Promise<void>((resolve) => (open = resolve));
      receiver.answer = (_, response) => void isOpen.then(() => response.end());
      const path = `/${newId()}`;
      const hook = await hookTo(receiver.url(path));
      await failed(hook, 400, { lastError: 'tls', lastCode: 0 });
      const { body: ordered } = await post({ filter: { error: 'tls' } });
      expect(ordered).toMatchObject({ hook_id: '', total: 400 });
      expectError(await post({ filter: { error: 'tls' } }), 409);
      const stop = `${HOOKS}/deliveries/recoveries/${ordered.id}/stop`;
      expect((await post({}, stop)).body).toMatchObject({ id: ordered.id, status: 'stopped' });
      expectError(await post({}, `${HOOKS}/deliveries/recoveries/${newId()}/stop`), 404);
      expect((await progress(ordered.id)).requeued).toBeLessThan(400);
      open();
    });

    it.each([
      [{}, 'ids'],
      [{ filter: {} }, 'filter'],
      [{ filter: { status: '', error: null, endpoint: '' } }, 'filter'],
      [{ filter: { status: [] } }, 'filter'],
      [{ ids: [newId()], filter: { error: 'timeout' } }, 'filter'],
      [{ ids: [newId()], dry_run: true }, 'dry_run'],
      [{ filter: [] }, 'filter'],
      [{ filter: { hook: newId() } }, 'filter.hook'],
      [{ filter: { hook_id: 'x' } }, 'filter.hook_id'],
      [{ filter: { status: 'delivered' } }, 'filter.status'],
      [{ filter: { status: 'failed,in_flight' } }, 'filter.status'],
      [{ filter: { error: 'bad luck' } }, 'filter.error'],
      [{ filter: { http_status: 'abc' } }, 'filter.http_status'],
      [{ filter: { endpoint: 'https://a.example/path' } }, 'filter.endpoint'],
      [{ filter: { since: 'yesterday' } }, 'filter.since'],
      [{ filter: { before: {} } }, 'filter.before'],
    ])('are refused as %j, naming %s', async (body, named) => {
      expectError(await post(body), 400, 'api.context.invalid_body_param.app_error', named);
    });

    it('are refused without an endpoint, or for an unknown webhook', async () => {
      const route = `${HOOKS}/endpoints/deliveries/retry`;
      expectError(await post({ filter: { error: 'tls' } }, route), 400, undefined, 'filter.endpoint');
      expectError(await post({ filter: { hook_id: newId() } }), 404);
    });
  });

  describe('a stopped recovery', () => {
    const recoverPath = (hook: any): string => `${HOOKS}/${hook.id}/recover`;
    const latest = async (hook: any): Promise<any> => (await server.admin.get(recoverPath(hook))).body[0];

    it('leaves the rest unchanged, and due deliveries are sent', async () => {
      const path = `/${newId()}`;
      let open = (): void => undefined;
      const isOpen = new Promise<void>((resolve) => (open = resolve));
      receiver.answer = (_, response) => void isOpen.then(() => response.end());
      const hook = await hookTo(receiver.url(path));
      const since = Date.now() - 1;
      await failed(hook, 10);
      const waiting = {
        status: 'pending',
        reason: '',
        finishAt: 0,
        nextAttemptAt: Date.now() + DAY_MS,
      } as const;
      const blocking = await failed(hook, 97, waiting);
      const { body: ordered } = await server.admin.post(recoverPath(hook), { since });
      expect(ordered).toMatchObject({ total: 10, status: 'running' });
      await eventually(async () => (await latest(hook)).requeued === 3);
      const stop = `${recoverPath(hook)}/${ordered.id}/stop`;
      const stopped = await server.admin.post(stop);
      expect(stopped.status).toBe(200);
      expect(stopped.body).toMatchObject({ id: ordered.id, total: 10, requeued: 3, status: 'stopped' });
      expect(stopped.body.finish_at).toBeGreaterThan(0);
      expect((await server.admin.post(stop)).body).toEqual(stopped.body);
      await server.app
        .get(DataSource)
        .getRepository(Delivery)
        .delete(blocking.map(({ id }) => id));
      open();
      const count = async (status: string): Promise<number> =>
        (await server.admin.get(`${HOOKS}/${hook.id}/deliveries?status=${status}`)).body.deliveries.length;
      await eventually(async () => (await count('delivered')) === 3);
      expect(await count('failed')).toBe(7);
      // Another one may start, and takes the rest.
      expect((await server.admin.post(recoverPath(hook), { since })).body).toMatchObject({ total: 7 });
      await eventually(async () => (await latest(hook)).status === 'finished');
      await eventually(async () => (await count('delivered')) === 10);
      expect(new Set(callsOf(path)).size).toBe(10);
      expect(callsOf(path)).toHaveLength(10);
      const all = (await server.admin.get(recoverPath(hook))).body;
      expect(all.map(({ status, requeued }: any) => [status, requeued])).toEqual([
        ['finished', 7],
        ['stopped', 3],
      ]);
    }, 20_000);

    it('stays finished if it had ended, and is not found under other webhooks', async () => {
      const [hook, other] = await Promise.all([1, 2].map(() => hookTo(receiver.url(`/${newId()}`))));
      const { body: ended } = await server.admin.post(recoverPath(hook), { since: Date.now() + DAY_MS });
      expect(ended.status).toBe('finished');
      expect((await server.admin.post(`${recoverPath(hook)}/${ended.id}/stop`)).body).toEqual(ended);
      for (const path of [`${recoverPath(other)}/${ended.id}`, `${recoverPath(hook)}/${newId()}`])
        expectError(await server.admin.post(`${path}/stop`), 404, 'app.deliveries.recovery.app_error');
      expectError(await server.admin.post(`${recoverPath(hook)}/abc/stop`), 400);
      expect((await server.anonymous.post(`${recoverPath(hook)}/${ended.id}/stop`)).status).toBe(401);
      const member = await buildMember(server, [team.id]);
      expectError(await member.client.post(`${recoverPath(hook)}/${ended.id}/stop`), 403);
    });
  });

  describe('a newly signed call of a delivery', () => {
    const request = (hook: any, id: string): Promise<Answer> =>
      server.admin.post(`${HOOKS}/${hook.id}/deliveries/${id}/request`);
    const fire = async (hook: any): Promise<any> => {
      const message = `${hook.trigger_words[0]} it's "quoted" & <so on>`;
      const { body: post } = await server.admin.post('/posts', { channel_id: channel.id, message });
      const row = await eventually(
        async () =>
          (await server.admin.get(`${HOOKS}/${hook.id}/deliveries?status=delivered`)).body.deliveries[0],
      );
      return { ...row, post };
    };

    it.each(['application/json', 'application/x-www-form-urlencoded'])(
      'is the sent request with a new signature (%s)',
      async (type) => {
        const path = `/${newId()}`;
        const hook = await hookTo(receiver.url(path), { content_type: type });
        const { id } = await fire(hook);
        const [call] = receiver.callsTo(path);
        const { status, body, text } = await request(hook, id);
        expect(status).toBe(200);
        expect(body).toMatchObject({ method: 'POST', url: receiver.url(path), body: call!.body });
        expect(body.headers).toMatchObject({ 'content-type': type, 'webhook-id': id });
        expect(Object.keys(call!.headers)).toEqual(expect.arrayContaining(Object.keys(body.headers)));
        const at = new Date(Number(body.headers['webhook-timestamp']) * 1_000);
        expect(body.headers['webhook-signature']).toBe(
          new StandardWebhook(hook.signing_secret).sign(id, at, body.body),
        );
        expect(text).not.toContain(hook.signing_secret);
        expect(text).not.toContain(hook.signing_secret.slice('whsec_'.length));
        expect(receiver.callsTo(path)).toHaveLength(1);
      },
    );

    it('has the current secrets and token of the webhook', async () => {
      const hook = await hookTo(receiver.url(`/${newId()}`), { content_type: 'application/json' });
      const { id } = await fire(hook);
      const { body: renewed } = await server.admin.post(`${HOOKS}/${hook.id}/regen_token`);
      const { body } = await request(hook, id);
      expect(JSON.parse(body.body).token).toBe(renewed.token);
      new StandardWebhook(renewed.signing_secret).verify(body.body, body.headers);
      new StandardWebhook(hook.signing_secret).verify(body.body, body.headers); // for a day
    });

    it('is available for a removed URL, but not for a deleted message', async () => {
      const hook = await hookTo(receiver.url(`/${newId()}`));
      const { id, post, callback_url: url } = await fire(hook);
      const moved = { callback_urls: [receiver.url('/elsewhere')] };
      expect((await server.admin.patch(`${HOOKS}/${hook.id}`, moved)).status).toBe(200);
      expect((await request(hook, id)).body).toMatchObject({ url });
      await server.admin.delete(`/posts/${post.id}`);
      expectError(await request(hook, id), 409, 'app.deliveries.post_deleted.app_error');
    });

    it('is for users who manage the webhook and can read the channel', async () => {
      const hook = await hookTo(receiver.url(`/${newId()}`));
      const { id } = await fire(hook);
      expectError(await request(hook, newId()), 404, 'app.deliveries.get.app_error');
      expectError(await request({ id: newId() }, id), 404, 'app.webhooks.get_outgoing.app_error');
      expect((await server.anonymous.post(`${HOOKS}/${hook.id}/deliveries/${id}/request`)).status).toBe(401);
      const member = await buildMember(server, [team.id]);
      expectError(await member.client.post(`${HOOKS}/${hook.id}/deliveries/${id}/request`), 403);
      const teamAdmin = await buildMember(server, [team.id], true);
      expect((await teamAdmin.client.post(`${HOOKS}/${hook.id}/deliveries/${id}/request`)).status).toBe(200);
      const closed = await buildChannel(server.admin, team.id, { type: 'P' });
      const [hidden] = await failed(hook, 1, { body: { channel_id: closed.id, text: 'hidden' } });
      expectError(await teamAdmin.client.post(`${HOOKS}/${hook.id}/deliveries/${hidden!.id}/request`), 403);
      await server.withSettings({ enableOutgoingWebhooks: false }, async () => {
        expectError(await request(hook, id), 501);
      });
    });

    it('is refused to users who cannot read a public channel, like its message', async () => {
      const hook = await hookTo(receiver.url(`/${newId()}`));
      const { id } = await fire(hook);
      const { client } = await buildMember(server, [team.id], true);
      const { body: role } = await server.admin.get('/roles/name/team_user');
      const grant = (permissions: string[]): Promise<unknown> =>
        server.admin.put(`/roles/${role.id}/patch`, { permissions });
      await grant(role.permissions.filter((name: string) => name !== 'read_public_channel'));
      try {
        const path = `${HOOKS}/${hook.id}/deliveries/${id}`;
        expect((await client.get(path)).body.payload).toEqual({});
        expectError(await client.post(`${path}/request`), 403);
      } finally {
        await grant(role.permissions);
      }
      expect((await client.post(`${HOOKS}/${hook.id}/deliveries/${id}/request`)).status).toBe(200);
    });

    it('is refused while the secrets cannot be decrypted, like a test call', async () => {
      const hook = await hookTo(receiver.url(`/${newId()}`));
      const { id } = await fire(hook);
      await server.app
        .get(DataSource)
        .query('UPDATE outgoing_webhooks SET sealed_signing_secret = sealed_token WHERE id = ?', [hook.id]);
      for (const path of [`deliveries/${id}/request`, 'test']) {
        const answer = await server.admin.post(`${HOOKS}/${hook.id}/${path}`, {});
        expectError(answer, 409, 'app.webhooks.secrets_unreadable.app_error');
      }
    });
  });
});
