import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildChannel, buildIncomingHook } from './factories/incoming-hooks.js';
import { buildOutgoingHook } from './factories/outgoing-hooks.js';
import { Collector, type ReceivedSpan } from './fakes/collector.js';
import { json, Receiver } from './fakes/receiver.js';
import { ServerProcess } from './support/server-process.mjs';
import { createTestDatabase } from './support/test-database.js';
import { eventually, startTestServer, type TestServer } from './support/test-server.js';

const REMOTE = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const SECRET_TEXT = 'the quick brown fox';

let collector: Collector;
let receiver: Receiver;
let server: TestServer;

beforeEach(async () => {
  collector = await Collector.start();
  receiver = await Receiver.start();
});
afterEach(async () => {
  await receiver.close();
  await collector.close();
});

const start = async (env: Record<string, string> = {}): Promise<void> => {
  server = await startTestServer({
    ALLOWED_INTERNAL_HOSTS: '127.0.0.0/8',
    OUTGOING_SCHEDULE: '0s,50ms',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    ...env,
  });
};
const teamId = async (): Promise<string> => (await server.admin.get('/teams/name/main')).body.id;
/** An outgoing webhook in a separate channel. */
const triggering = async (): Promise<{ channelId: string; hook: any }> => {
  const team = await teamId();
  const channelId = await buildChannel(server.admin, team);
  const hook = await buildOutgoingHook(server.admin, team, {
    channel_id: channelId,
    trigger_words: [],
    callback_urls: [receiver.url('/secret-path')],
    content_type: 'application/json',
  });
  return { channelId, hook };
};
const deliveriesOf = async (hook: any): Promise<any[]> =>
  (await server.admin.get(`/hooks/outgoing/${hook.id}/deliveries`)).body.deliveries;
/** Stops the server, which flushes its spans. */
const sent = async (): Promise<ReceivedSpan[]> => {
  await server.close();
  return collector.spans;
};
/** The only span of this name. */
const only = (spans: readonly ReceivedSpan[], name: string, below?: ReceivedSpan): ReceivedSpan => {
  const found = spans.filter(
    (span) => span.name === name && (below === undefined || span.parentSpanId === below.spanId),
  );
  expect(found.map((span) => span.name)).toEqual([name]);
  return found[0]!;
};

describe('traces', () => {
  it('show an accepted post, its commit, the call that it triggers, and the commit of the reply', async () => {
    await start({ OTEL_SERVICE_NAME: 'chat' });
    receiver.answer = json({ text: 'an answer' });
    const { channelId, hook } = await triggering();
    await server.admin.post('/posts', { channel_id: channelId, message: SECRET_TEXT });
    const delivery = await eventually(async () =>
      (await deliveriesOf(hook)).find(({ status }) => status === 'delivered'),
    );
    const spans = await sent();

    const accepted = only(spans, 'POST /api/v4/posts');
    const committed = only(spans, 'commit', accepted);
    const called = only(spans, 'attempt', committed);
    const replied = only(spans, 'commit', called);
    expect(new Set([accepted, committed, called, replied].map(({ traceId }) => traceId)).size).toBe(1);
    expect(accepted).toMatchObject({ parentSpanId: undefined, kind: 2, status: 0 });
    expect(accepted.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/api/v4/posts',
      'http.response.status_code': 201,
    });
    expect(committed.attributes).toMatchObject({ 'hookline.posts': 1, 'hookline.origin': 'user' });
    expect(called.kind).toBe(3);
    expect(called.attributes).toEqual({
      'http.request.method': 'POST',
      'http.response.status_code': 200,
      'hookline.delivery.id': delivery.id,
      'hookline.delivery.kind': 'outgoing_hook',
      'hookline.delivery.attempt': 1,
    });
    expect(replied.attributes).toMatchObject({ 'hookline.origin': 'hook' });
    expect(committed.startMs).toBeGreaterThanOrEqual(accepted.startMs);
    expect(called.startMs).toBeGreaterThanOrEqual(committed.startMs);
    expect(accepted.resource).toMatchObject({ 'service.name': 'chat' });
  });

  it('contain no secrets', async () => {
    await start();
    const { channelId } = await triggering();
    const incoming = await buildIncomingHook(server.admin, channelId);
    const answer = await server.anonymous.post(`/hooks/${incoming.id}`, { text: SECRET_TEXT });
    expect(answer.text).toBe('ok');
    await server.admin.post('/posts', { channel_id: channelId, message: SECRET_TEXT });
    await eventually(() => receiver.calls.length > 0);
    const [call] = receiver.calls;
    const spans = await sent();

    const accepted = only(spans, 'POST /hooks/:id');
    expect(only(spans, 'commit', accepted).attributes['hookline.origin']).toBe('hook');
    const outgoingToken = JSON.parse(call!.body).token as string;
    expect(outgoingToken).toMatch(/^\w{26}$/);
    const secrets = [
      incoming.id,
      outgoingToken,
      server.admin.token,
      SECRET_TEXT,
      'secret-path',
      receiver.origin,
    ];
    for (const secret of secrets) expect(collector.everything).not.toContain(secret);
  });

  it('show each attempt, and why it failed', async () => {
    await start();
    receiver.answer = (_, response) => void response.writeHead(500).end();
    const { channelId, hook } = await triggering();
    await server.admin.post('/posts', { channel_id: channelId, message: 'hello' });
    await eventually(async () => (await deliveriesOf(hook))[0]?.status === 'failed');
    const spans = await sent();

    const [first, second] = spans.filter(({ name }) => name === 'attempt');
    expect(first).toMatchObject({
      status: 2,
      attributes: { 'hookline.delivery.attempt': 1, 'error.type': '500', 'http.response.status_code': 500 },
    });
    expect(first!.traceId).toBe(only(spans, 'POST /api/v4/posts').traceId);
    expect(second).toMatchObject({ parentSpanId: undefined, attributes: { 'hookline.delivery.attempt': 2 } });
    expect(second!.attributes['hookline.delivery.id']).toBe(first!.attributes['hookline.delivery.id']);
  });

  it('cross servers only on request', async () => {
    for (const isWanted of [true, false]) {
      await start({ OUTGOING_TRACEPARENT: String(isWanted) });
      const { channelId, hook } = await triggering();
      receiver.calls.length = 0;
      await fetch(`${server.url}/api/v4/posts`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${server.admin.token}`,
          'content-type': 'application/json',
          traceparent: REMOTE,
        },
        body: JSON.stringify({ channel_id: channelId, message: 'hello' }),
      });
      const { id } = await eventually(async () =>
        (await deliveriesOf(hook)).find(({ status }) => status === 'delivered'),
      );
      const { body: detail } = await server.admin.get(`/hooks/outgoing/${hook.id}/deliveries/${id}`);
      const [call] = receiver.calls;
      const spans = await sent();
      const called = spans.findLast(({ name }) => name === 'attempt')!;
      const accepted = spans.findLast(({ name }) => name === 'POST /api/v4/posts')!;
      expect(accepted.parentSpanId).toBe(isWanted ? '00f067aa0ba902b7' : undefined);
      expect(called.traceId === '4bf92f3577b34da6a3ce929d0e0e4736').toBe(isWanted);
      const traceparent = isWanted ? `00-${called.traceId}-${called.spanId}-01` : undefined;
      expect(call!.headers['traceparent']).toBe(traceparent);
      expect(detail.attempt_list[0].request_headers.traceparent).toBe(traceparent);
    }
  });

  it('are not exported by default', async () => {
    await start({ OTEL_SDK_DISABLED: 'true', OUTGOING_TRACEPARENT: 'true' });
    const { channelId } = await triggering();
    await server.admin.post('/posts', { channel_id: channelId, message: 'hello' });
    const call = await eventually(() => receiver.calls[0]);
    expect(call.headers['traceparent']).toBeUndefined();
    expect(await sent()).toEqual([]);
  });
});

describe('the bundle', () => {
  /** Runs a server until it has started, and returns the number of loaded OpenTelemetry files. */
  const loadedBy = async (env: Record<string, string>): Promise<number> => {
    const database = await createTestDatabase();
    const folder = mkdtempSync(join(tmpdir(), 'hookline-tracing-'));
    const tell = join(folder, 'tell.cjs');
    writeFileSync(
      tell,
      `process.on('exit', () => console.log('of OpenTelemetry:', Object.keys(require.cache).filter((file) => file.includes('opentelemetry')).length));`,
    );
    try {
      const running = await ServerProcess.start(
        { DATA_DIR: folder, ...database.env, NODE_OPTIONS: `--require ${tell}`, ...env },
        { cwd: folder },
      );
      const answer = await fetch(`${running.url}/hooks/unknown`, { method: 'POST', body: '{}' });
      expect(answer.status).toBe(400);
      expect(await running.stop()).toBe(0);
      return Number(/of OpenTelemetry: (\d+)/.exec(running.stdout)?.[1]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
      await database.drop();
    }
  };

  it('loads OpenTelemetry only if traces are exported, and flushes the last ones before it ends', async () => {
    expect(await loadedBy({})).toBe(0);
    expect(await loadedBy({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })).toBeGreaterThan(10);
    expect(only(collector.spans, 'POST /hooks/:id').attributes['http.response.status_code']).toBe(400);
  });
});
