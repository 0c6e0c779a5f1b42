import type { ServerResponse } from 'node:http';
import { DispatcherService } from '../src/delivery/dispatch/dispatcher.service.js';
import { newId } from '../src/platform/common/ids.js';
import { buildChannel } from './factories/channels.js';
import { insertDeliveries } from './factories/deliveries.js';
import { buildOutgoingHook } from './factories/outgoing-hooks.js';
import { Receiver } from './fakes/receiver.js';
import { eventually, startTestServer, type TestServer } from './support/test-server.js';

const HOOKS = '/api/v4/hooks/outgoing';
/** Far less than the timeout of a call. */
const SOON_MS = 10_000;
/** Concurrent calls to one host. */
const MOST = 8;

/** Webhooks on one host, each with its own path. */
describe('webhooks on one host', () => {
  let server: TestServer;
  let teamId: string;
  let receiver: Receiver;
  /** Calls that wait for a response, by path. */
  const waiting = new Map<string, ServerResponse[]>();
  const hanging = new Set<string>();

  beforeAll(async () => {
    server = await startTestServer({
      ...{
        ALLOWED_INTERNAL_HOSTS: '127.0.0.1',
        OUTGOING_SCHEDULE: '0s,200ms,200ms',
        OUTGOING_PER_ENDPOINT: `${MOST}`,
      },
    });
    teamId = (await server.admin.get('/teams/name/main')).body.id;
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    receiver = await Receiver.start(({ path }, response) => {
      if (!hanging.has(path)) return void response.end();
      waiting.set(path, [...(waiting.get(path) ?? []), response]);
    });
  });
  afterEach(async () => {
    const { body } = await server.admin.get(`/hooks/outgoing?per_page=200`);
    for (const { id } of body) await server.admin.delete(`${HOOKS}/${id}`);
    waiting.clear();
    hanging.clear();
    await receiver.close();
  });

  const hookTo = async (...paths: string[]): Promise<any> => {
    const { id } = await buildChannel(server.admin, teamId);
    return buildOutgoingHook(server.admin, teamId, {
      ...{ channel_id: id, trigger_words: [], content_type: 'application/json' },
      callback_urls: paths.map((path) => receiver.url(path)),
    });
  };
  const hung = async (): Promise<any> => {
    const path = `/hung-${newId()}`;
    hanging.add(path);
    return hookTo(path);
  };
  const say = async (hook: any, count: number): Promise<void> => {
    for (let index = 0; index < count; index++)
      await server.admin.call('POST', '/posts', { channel_id: hook.channel_id, message: `message ${index}` });
  };
  const callsOf = (hook: any): Receiver['calls'] => receiver.callsTo(new URL(hook.callback_urls[0]).pathname);
  const hasReceived = (hook: any, count: number): Promise<unknown> =>
    eventually(() => callsOf(hook).length >= count, SOON_MS);

  const deliveredOf = async (hook: any): Promise<number> =>
    (await server.admin.get(`${HOOKS}/${hook.id}/deliveries?status=delivered&per_page=200`)).body.deliveries
      .length;
  /** Answers the calls that wait there, and from now on all others at once. */
  const recover = (path: string): void => {
    hanging.delete(path);
    for (const response of waiting.get(path) ?? []) response.end();
    waiting.delete(path);
  };
  const pathOf = (hook: any): string => new URL(hook.callback_urls[0]).pathname;

  it('receive while another one hangs', async () => {
    const [bad, good] = [await hung(), await hookTo('/good')];
    await say(bad, 60);
    await say(good, 14);
    await hasReceived(good, 14);
    expect(callsOf(good)).toHaveLength(14);
    expect(new Set(callsOf(good).map(({ body }) => JSON.parse(body).text)).size).toBe(14);
  });

  it('receive while more of them hang than the host gets calls', async () => {
    const good = await hookTo('/good');
    await say(good, 5);
    await hasReceived(good, 5);
    const bad = [];
    for (let index = 0; index < 10; index++) bad.push(await hung());
    for (const hook of bad) await say(hook, 6);
    await say(good, 14);
    await hasReceived(good, 19);
    expect(bad.reduce((sum, hook) => sum + callsOf(hook).length, 0)).toBeLessThan(MOST);
  });

  it('receive at one URL while another of the same webhook hangs', async () => {
    hanging.add('/hung');
    const hook = await hookTo('/good', '/hung');
    await say(hook, 30);
    await hasReceived(hook, 30);
    expect(receiver.callsTo('/hung').length).toBeLessThanOrEqual(2);
  });

  it('receive while thousands of deliveries wait for one that hangs, even in the table', async () => {
    const [bad, good] = [await hung(), await hookTo('/good')];
    const body = { channel_id: good.channel_id, text: 'due' };
    await insertDeliveries(server, bad, 2_500, { nextAttemptAt: 1, body });
    await insertDeliveries(server, bad, 2_500, {
      status: 'retrying',
      nextAttemptAt: 1,
      body,
    });
    await insertDeliveries(server, good, 7);
    await insertDeliveries(server, good, 7, { status: 'retrying' });
    server.app.get(DispatcherService).wake(receiver.origin);
    await hasReceived(good, 14);
    await say(good, 14);
    await hasReceived(good, 28);
    await eventually(async () => (await deliveredOf(good)) === 28);
    expect(callsOf(bad).length).toBeLessThanOrEqual(2);
  }, 60_000);

  it('get their first attempts before others get retries', async () => {
    const [retried, fresh] = [await hookTo('/retried'), await hookTo('/fresh')];
    await insertDeliveries(server, retried, 300, { status: 'retrying', nextAttemptAt: 1 });
    await insertDeliveries(server, fresh, 40);
    server.app.get(DispatcherService).wake(receiver.origin);
    await hasReceived(fresh, 40);
    expect(callsOf(retried).length).toBeLessThan(150);
    await hasReceived(retried, 300);
  }, 60_000);

  it('regain their calls after a recovery', async () => {
    const [bad, good] = [await hung(), await hookTo('/good')];
    await say(bad, 60);
    await say(good, 5);
    await hasReceived(good, 5);
    recover(pathOf(bad));
    await hasReceived(bad, 60);
    await eventually(async () => (await deliveredOf(bad)) === 60);
    hanging.add(pathOf(bad));
    await say(bad, 20);
    await eventually(() => (waiting.get(pathOf(bad))?.length ?? 0) > 2);
  });

  it('do not open the circuit of their host for the others when they fail', async () => {
    const [bad, good] = [await hookTo('/bad'), await hookTo('/good')];
    const answer = receiver.answer;
    receiver.answer = (call, response) =>
      call.path === '/bad' ? void response.writeHead(500).end() : answer(call, response);
    await say(good, 1);
    await hasReceived(good, 1);
    await say(bad, 100);
    await eventually(() => callsOf(bad).length > 80);
    const { circuit } = server.app.get(DispatcherService)['bulkheads'].lane(receiver.origin).calls;
    const paused = jest.spyOn(circuit as any, 'pause');
    await eventually(() => callsOf(bad).length > 150);
    expect(paused).not.toHaveBeenCalled();
    await say(good, 14);
    await hasReceived(good, 15);
  }, 60_000);
});
