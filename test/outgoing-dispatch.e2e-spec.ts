import { insertRows } from '../src/platform/database/rows.js';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { DataSource } from 'typeorm';
import { newId } from '../src/platform/common/ids.js';
import { DeliveriesService } from '../src/delivery/dispatch/deliveries.service.js';
import {
  DeliveryExhausted,
  DeliveryFailed,
  DeliverySucceeded,
} from '../src/delivery/dispatch/dispatch.events.js';
import { EndpointDisabled } from '../src/outgoing-hooks/outgoing-hooks.events.js';
import { Bulkheads } from '../src/delivery/dispatch/bulkheads.js';
import { LanesReadModel } from '../src/delivery/dispatch/lanes.read-model.js';
import { DeliveriesReadModel } from '../src/delivery/dispatch/deliveries.read-model.js';
import { Claims } from '../src/delivery/dispatch/claims.js';
import { DispatchLimits } from '../src/delivery/dispatch/dispatch.settings.js';
import { LaneReader } from '../src/delivery/dispatch/lane-reader.js';
import { ALWAYS, LaneTurns } from '../src/delivery/dispatch/turns/lane-turns.js';
import { Clock } from '../src/platform/common/clock.js';
import { DeliveryKinds, orderedLane } from '../src/delivery/dispatch/delivery-kind.js';
import { Delivery, DeliveryAttempt, NO_DETAIL } from '../src/delivery/dispatch/delivery.entity.js';
import { OutgoingHook } from '../src/outgoing-hooks/outgoing-hook.entity.js';
import { Purge } from '../src/platform/database/purge.js';
import { buildChannel, joinChannel } from './factories/channels.js';
import { buildMember } from './factories/incoming-hooks.js';
import { insertDeliveries } from './factories/deliveries.js';
import { buildOutgoingHook } from './factories/outgoing-hooks.js';
import { type Behaviour, forever, startHostileReceiver } from './fakes/hostile-receiver.js';
import { json, Receiver } from './fakes/receiver.js';
import { selfSigned } from './fakes/self-signed.js';
import { announcedBy } from './support/announcements.js';
import { LiveClient } from './support/live-client.js';
import { eventually, startTestServer, type TestServer } from './support/test-server.js';

const HOOKS = '/api/v4/hooks/outgoing';
const DAY_MS = 86_400_000;

let server: TestServer;
let receiver: Receiver;
let team: any;
let channel: any;
/** Responses by path; the default is an empty 200. */
const answers = new Map<string, Receiver['answer']>();

beforeAll(async () => {
  server = await startTestServer({ ALLOWED_INTERNAL_HOSTS: '127.0.0.1', OUTGOING_SCHEDULE: '0s,50ms,100ms' });
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

const status =
  (code: number, headers: Record<string, string> = {}): Receiver['answer'] =>
  (_, response) => {
    response.writeHead(code, headers);
    response.end(`status ${code}`);
  };
const hang: Receiver['answer'] = () => undefined;
const url = (answer?: Receiver['answer']): string => {
  const path = `/${newId()}`;
  if (answer) answers.set(path, answer);
  return receiver.url(path);
};
const callsOf = (hook: any, index = 0): Receiver['calls'] =>
  receiver.callsTo(new URL(hook.callback_urls[index]).pathname);
const hookTo = (...urls: string[]): Promise<any> =>
  buildOutgoingHook(server.admin, team.id, {
    channel_id: channel.id,
    trigger_words: [],
    callback_urls: urls,
    content_type: 'application/json',
  });
const say = async (message = 'go'): Promise<any> => {
  const answer = await server.admin.post('/posts', { channel_id: channel.id, message });
  expect(answer.status).toBe(201);
  return answer.body;
};
const list = async (hook: any, query = ''): Promise<any[]> =>
  (await server.admin.get(`${HOOKS}/${hook.id}/deliveries${query}`)).body.deliveries;
const reaches = (hook: any, wanted: string): Promise<any> =>
  eventually(async () => (await list(hook)).find((delivery) => delivery.status === wanted));
const detailOf = async (hook: any, id: string): Promise<any> =>
  (await server.admin.get(`${HOOKS}/${hook.id}/deliveries/${id}`)).body;
const again = (hook: any): Promise<any> => server.admin.get(`${HOOKS}/${hook.id}`).then(({ body }) => body);
const attemptOf = async (hook: any, wanted = 'delivered'): Promise<any> =>
  (await detailOf(hook, (await reaches(hook, wanted)).id)).attempt_list[0];
const postsOfHooks = async (): Promise<any[]> =>
  Object.values<any>((await server.admin.get(`/channels/${channel.id}/posts`)).body.posts).filter(
    (post) => post.props.from_webhook === 'true',
  );
/** Rows of recently failed deliveries of a hook, with some fields replaced. */
const missed = (hook: any, count: number, fields: Partial<Delivery> = {}): Promise<Delivery[]> =>
  insertDeliveries(server, hook, count, {
    ...{
      status: 'failed',
      reason: 'attempts_exhausted',
      attempts: 3,
      step: 2,
      finishAt: Date.now(),
      lastCode: 500,
    },
    ...fields,
  });
const recover = (hook: any, body: object): Promise<any> =>
  server.admin.post(`${HOOKS}/${hook.id}/recover`, body);
const recovered = (hook: any): Promise<any> =>
  eventually(async () => {
    const [latest] = (await server.admin.get(`${HOOKS}/${hook.id}/recover`)).body as any[];
    return latest?.status === 'finished' && latest;
  });

const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = `${OK}transfer-encoding: chunked\r\n\r\n`;
const says =
  (...pieces: (string | Buffer)[]): Behaviour =>
  (socket) => {
    for (const piece of pieces) socket.write(piece);
  };
const hangsUp =
  (text = ''): Behaviour =>
  (socket) =>
    void socket.end(text);
const withLength = (body: string | Buffer, headers = ''): Buffer =>
  Buffer.concat([
    Buffer.from(`${OK}${headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n`),
    Buffer.from(body),
  ]);
const TOO_LATE = { error: 'timeout', note: 'The call did not finish within 0.5 s.' };
const HUNG_UP = {
  error: 'reset',
  note: expect.stringMatching(/^The connection was closed before the reply was complete \(\w+\)\.$/),
};
const NO_HTTP = { error: 'protocol', note: expect.stringMatching(/^The reply is not valid HTTP \(.+\)\.$/) };
const TOO_LARGE = {
  ...{ result: 'delivered', status_code: 200 },
  ...{ note: 'The reply was not posted: it is larger than 300000 bytes.', reply: 'x times 4096' },
};
const NO_TLS = {
  error: 'tls',
  note: expect.stringMatching(/^The TLS connection is not trusted or could not be established/),
};
/** The behaviour of each kind of receiver, and the expected log: the fields that differ from an empty failure. */
type Kinds = Record<string, readonly [Behaviour | 'tls' | 'certificate', object]>;
const ENDLESS: Kinds = {
  'never answers': [() => undefined, TOO_LATE],
  'stops in the body': [
    says(`${OK}content-length: 9\r\n\r\npart`),
    { ...TOO_LATE, status_code: 200, reply: 'part' },
  ],
  'slowly sends its headers': [forever(`${OK}x: `, 'o', 50), TOO_LATE],
  'slowly sends its body': [
    forever(`${OK}content-length: 999\r\n\r\n`, 'o', 50),
    { ...TOO_LATE, status_code: 200, reply: expect.stringMatching(/^o+$/) },
  ],
};
const HOSTILE: Kinds = {
  'hangs up at once': [hangsUp(), HUNG_UP],
  'resets the connection': [(socket) => void socket.resetAndDestroy(), HUNG_UP],
  'hangs up in the headers': [hangsUp(`${OK}x-a: b\r\n`), HUNG_UP],
  'hangs up in the body': [
    hangsUp(`${OK}content-length: 9\r\n\r\npart`),
    { ...HUNG_UP, status_code: 200, reply: 'part' },
  ],
  'hangs up between chunks': [
    hangsUp(`${CHUNKED}4\r\npart\r\n`),
    { ...HUNG_UP, status_code: 200, reply: 'part' },
  ],
  'speaks SSH': [hangsUp('SSH-2.0-OpenSSH_9.2\r\n'), NO_HTTP],
  'sends two lengths': [says(`${OK}content-length: 1\r\ncontent-length: 2\r\n\r\nok`), NO_HTTP],
  'sends a text as chunk size': [says(`${CHUNKED}zz\r\n`), { ...NO_HTTP, status_code: 200 }],
  'sends endless headers': [forever(OK, 'x-header: some value\r\n'.repeat(500)), NO_HTTP],
  'floods with interim replies': [
    forever('', 'HTTP/1.1 102 Wait\r\n\r\n'),
    { error: 'protocol', note: 'The receiver sent too many interim replies.' },
  ],
  'switches protocols': [says('HTTP/1.1 101 Go\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'), NO_HTTP],
  'does not speak TLS': ['tls', NO_TLS],
  'has a self-signed certificate': ['certificate', NO_TLS],
  'redirects to the metadata of a cloud': [
    says('HTTP/1.1 307 On\r\nlocation: http://169.254.169.254/latest/\r\ncontent-length: 2\r\n\r\non'),
    { status_code: 307, reply: 'on' },
  ],
  'sends an endless body': [forever(`${OK}\r\n`, 'x'.repeat(65_536)), TOO_LARGE],
  'sends endless chunks': [forever(CHUNKED, `10000\r\n${'x'.repeat(65_536)}\r\n`), TOO_LARGE],
  'sends a gzip bomb': [
    says(withLength(gzipSync(Buffer.alloc(64 * 1_048_576, 'x')), 'content-encoding: gzip\r\n')),
    TOO_LARGE,
  ],
  'fails with an endless page': [
    forever('HTTP/1.1 500 No\r\n\r\n', 'x'.repeat(65_536)),
    { status_code: 500, reply: 'x times 4096' },
  ],
  'sends invalid gzip': [
    says(withLength('no gzip', 'content-encoding: gzip\r\n')),
    {
      ...{ result: 'delivered', status_code: 200 },
      note: expect.stringMatching(/^The reply cannot be decompressed \(\w+\)\.$/),
    },
  ],
  'fails with invalid gzip': [
    says('HTTP/1.1 500 No\r\ncontent-encoding: gzip\r\ncontent-length: 7\r\n\r\nno gzip'),
    {
      ...{ status_code: 500, error: 'decoding' },
      note: expect.stringMatching(/^The reply cannot be decompressed \(\w+\)\.$/),
    },
  ],
  'sends 204 with a body that nobody announced': [
    says('HTTP/1.1 204 Nothing\r\n\r\n{"text":"no"}'),
    { result: 'delivered', status_code: 204 },
  ],
  'sends 204 with a body': [
    hangsUp('HTTP/1.1 204 Nothing\r\ncontent-length: 13\r\n\r\n{"text":"no"}'),
    { result: 'delivered', status_code: 204 },
  ],
  'sends broken UTF-8': [
    says(withLength(Buffer.from([0x61, 0xff, 0xc3, 0x00, 0x7a]))),
    {
      ...{ result: 'delivered', status_code: 200, reply: 'a\uFFFD\uFFFD\uFFFDz' },
      note: 'The reply was not posted: it is not JSON.',
    },
  ],
  'cuts a character at the end of what is kept': [
    says(withLength(`${'x'.repeat(4095)}é and more`)),
    {
      ...{ result: 'delivered', status_code: 200, reply: 'x times 4095' },
      note: 'The reply was not posted: it is not JSON.',
    },
  ],
};

/** Makes a failure readable. */
const shortened = (text: string): string => (/^x{99,}$/.test(text) ? `x times ${text.length}` : text);

async function startKind(behaviour: Behaviour | 'tls' | 'certificate') {
  if (behaviour === 'certificate') {
    const untrusted = createTlsServer(selfSigned).listen(0, '127.0.0.1');
    await once(untrusted, 'listening');
    const { port } = untrusted.address() as AddressInfo;
    return { url: `https://127.0.0.1:${port}/`, close: async () => void untrusted.close() };
  }
  if (behaviour !== 'tls') return startHostileReceiver(behaviour);
  const plain = await startHostileReceiver(
    () => undefined,
    '127.0.0.1',
    (socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
  );
  return { url: plain.url.replace('http:', 'https:'), close: plain.close };
}

/** Calls one receiver of each kind, all by one post, and returns the log of the only attempt by kind. */
async function attemptsOfHostile(kinds: Kinds, outgoingTimeoutMs: number): Promise<Record<string, object>> {
  const receivers = await Promise.all(
    Object.entries(kinds).map(async ([kind, [behaviour]]) => ({ kind, ...(await startKind(behaviour)) })),
  );
  try {
    const hooks: any[] = [];
    for (let start = 0; start < receivers.length; start += 10)
      hooks.push(await hookTo(...receivers.slice(start, start + 10).map((one) => one.url)));
    return await server.withSettings({ outgoingTimeoutMs, outgoingScheduleMs: [0] }, async () => {
      await say();
      const told: Record<string, object> = {};
      for (const hook of hooks) {
        await eventually(
          async () => (await list(hook, '?status=delivered,failed')).length === hook.callback_urls.length,
        );
        for (const delivery of await list(hook)) {
          const { kind } = receivers.find((one) => one.url === delivery.callback_url)!;
          const { attempt_list: attempts } = await detailOf(hook, delivery.id);
          expect(attempts).toHaveLength(1);
          const [{ status_code, error, note, reply }] = attempts;
          told[kind] = { result: delivery.status, status_code, error, note, reply: shortened(reply) };
        }
      }
      expect(await postsOfHooks()).toEqual([]);
      return told;
    });
  } finally {
    await Promise.all(receivers.map((one) => one.close()));
  }
}

describe('an attempt', () => {
  it('succeeds with any 2xx', async () => {
    const hook = await hookTo(url(status(204)));
    const post = await say();
    const delivery = await reaches(hook, 'delivered');
    expect(delivery).toMatchObject({
      hook_id: hook.id,
      post_id: post.id,
      callback_url: hook.callback_urls[0],
      attempts: 1,
      reason: '',
      last_status_code: 204,
      last_error: '',
      next_attempt_at: 0,
    });
    const detail = await detailOf(hook, delivery.id);
    expect(detail.payload).toMatchObject({ post_id: post.id, text: 'go', trigger_word: '' });
    expect(JSON.stringify(detail)).not.toContain(hook.token);
    expect(detail.attempt_list).toEqual([
      {
        number: 1,
        start_at: expect.any(Number),
        duration_ms: expect.any(Number),
        first_byte_ms: expect.any(Number),
        status_code: 204,
        error: '',
        note: '',
        reply: '',
        timing: {
          name_ms: -1,
          connect_ms: expect.any(Number),
          tls_ms: -1,
          sent_ms: expect.any(Number),
        },
        request_headers: expect.objectContaining({ 'webhook-id': delivery.id }),
        reply_headers: expect.objectContaining({ connection: 'keep-alive' }),
        reply_bytes: 0,
        reply_is_cut: false,
      },
    ]);
    const [stored] = await server.app
      .get(DataSource)
      .query('SELECT detail FROM delivery_attempts WHERE delivery_id = ?', [delivery.id]);
    const known = Object.keys(JSON.parse(stored.detail));
    expect(known).toEqual(expect.arrayContaining(['connectMs', 'sentMs', 'headers', 'replyBytes']));
    for (const usual of ['tlsMs', 'isCut', 'traceparent']) expect(known).not.toContain(usual);
  });

  it.each([301, 302, 400, 404, 429, 500, 503])(
    'with %i is retried by the schedule, then abandoned',
    async (code) => {
      const hook = await hookTo(url(status(code, { location: receiver.url('/elsewhere') })));
      await say();
      const delivery = await reaches(hook, 'failed');
      expect(delivery).toMatchObject({ attempts: 3, reason: 'attempts_exhausted', last_status_code: code });
      expect(callsOf(hook)).toHaveLength(3);
      const { attempt_list: attempts } = await detailOf(hook, delivery.id);
      expect(attempts.map((attempt: any) => [attempt.number, attempt.reply])).toEqual([
        [1, `status ${code}`],
        [2, `status ${code}`],
        [3, `status ${code}`],
      ]);
      expect(receiver.callsTo('/elsewhere')).toEqual([]);
    },
  );

  it('is logged when it is abandoned, once a minute per webhook', async () => {
    const hook = await hookTo(url(status(500)));
    await say();
    const { id } = await reaches(hook, 'failed');
    const line = await eventually(() => server.logs.find((one) => one.includes(`Deliveries: ${id}`)));
    const name = JSON.stringify(hook.display_name);
    expect(JSON.parse(line)).toMatchObject({
      level: 'warn',
      msg: `The outgoing webhook ${name} ${hook.id} has abandoned a delivery to ${receiver.url('')}: HTTP 500. Deliveries: ${id}`,
    });
  });

  it('shows the latest 500 attempts of a delivery that was retried many times', async () => {
    const hook = await hookTo(url(status(200)));
    const [delivery] = await missed(hook, 1);
    const attempts = Array.from({ length: 503 }, (_, index): DeliveryAttempt => ({
      deliveryId: delivery!.id,
      number: index + 1,
      startAt: index,
      durationMs: 1,
      firstByteMs: 1,
      statusCode: 500,
      errorClass: '',
      note: '',
      reply: '',
      detail: NO_DETAIL,
    }));
    await insertRows(server.app.get(DataSource).manager, DeliveryAttempt, attempts);
    const numbers = (await detailOf(hook, delivery!.id)).attempt_list.map((attempt: any) => attempt.number);
    expect(numbers).toEqual(Array.from({ length: 500 }, (_, index) => index + 4));
  });

  it('respects Retry-After', async () => {
    const hook = await hookTo(
      url((call, response) => {
        const isFirst = receiver.callsTo(call.path).length === 1;
        return status(isFirst ? 503 : 200, isFirst ? { 'retry-after': '1' } : {})(call, response);
      }),
    );
    await say();
    await reaches(hook, 'delivered');
    const [first, second] = callsOf(hook);
    expect(second!.at - first!.at).toBeGreaterThanOrEqual(950);
  });

  it('records how it failed if it reaches no receiver', async () => {
    const hook = await hookTo('http://127.0.0.1:9/');
    await say();
    const delivery = await reaches(hook, 'failed');
    expect(delivery).toMatchObject({ attempts: 3, last_status_code: 0, last_error: 'connect' });
    expect((await detailOf(hook, delivery.id)).attempt_list[0]).toMatchObject({
      error: 'connect',
      first_byte_ms: -1,
      note: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it('to an internal address is not made', async () => {
    const hook = await hookTo('http://[::1]:9/', 'http://10.0.0.1/', 'http://169.254.169.254/latest/');
    await say();
    await eventually(async () => (await list(hook, '?status=failed')).length === 3);
    for (const delivery of await list(hook)) expect(delivery.last_error).toBe('refused_address');
  });

  it('is aborted at the deadline, and keeps the received part of the reply', async () => {
    const hook = await hookTo(
      url((_, response) => {
        response.writeHead(200, { 'content-type': 'text/plain' });
        response.write('begun');
      }),
    );
    await server.withSettings({ outgoingTimeoutMs: 150 }, async () => {
      await say();
      const delivery = await reaches(hook, 'failed');
      expect((await detailOf(hook, delivery.id)).attempt_list[0]).toMatchObject({
        error: 'timeout',
        status_code: 200,
        reply: 'begun',
        note: 'The call did not finish within 0.15 s.',
      });
    });
  });

  it('with a reply that is too large succeeds, and posts nothing', async () => {
    const hook = await hookTo(
      url((_, response) => {
        response.setHeader('content-type', 'application/json');
        response.write('{"text":"');
        const more = (): void => {
          while (!response.destroyed && response.write('x'.repeat(65_536)));
        };
        response.on('drain', more);
        more();
      }),
    );
    await say();
    const delivery = await reaches(hook, 'delivered');
    const [attempt] = (await detailOf(hook, delivery.id)).attempt_list;
    expect(attempt.note).toBe('The reply was not posted: it is larger than 300000 bytes.');
    expect(attempt.reply).toHaveLength(4096);
  });

  it.each<[string, string, () => Buffer, string]>([
    ['is no gzip', 'gzip', () => Buffer.from('{"text":"no gzip"}'), 'The reply cannot be decompressed'],
    [
      'is encoded twice',
      'gzip, br',
      () => gzipSync('{"text":"x"}'),
      'a content encoding that was not requested',
    ],
  ])('with a 2xx whose reply %s succeeds, and posts nothing', async (_, encoding, body, note) => {
    const hook = await hookTo(
      url((__, response) => {
        response.setHeader('content-encoding', encoding);
        response.end(body());
      }),
    );
    await say();
    expect(await reaches(hook, 'delivered')).toMatchObject({
      attempts: 1,
      last_status_code: 200,
      last_error: '',
    });
    const attempt = await attemptOf(hook);
    expect(attempt).toMatchObject({ status_code: 200, error: '', note: expect.stringContaining(note) });
    expect(callsOf(hook)).toHaveLength(1);
    expect(await postsOfHooks()).toEqual([]);
    expect((await again(hook)).disabled_at).toBe(0);
  });

  it.each([
    ['with the frame of zlib', deflateSync],
    ['without it', deflateRawSync],
  ])('accepts a reply that is deflated %s', async (_, deflate) => {
    await hookTo(
      url((__, response) => {
        response.setHeader('content-encoding', 'deflate');
        response.end(deflate('{"text":"small"}'));
      }),
    );
    await say();
    const post = await eventually(async () => (await postsOfHooks())[0]);
    expect(post.message).toBe('small');
  });

  it.each([
    ['that never ends', ENDLESS, 500],
    ['that breaks the rules', HOSTILE, 20_000],
  ])(
    'to each kind of receiver %s logs the response, and why it was not a reply',
    async (_, kinds, timeoutMs) => {
      const expected = Object.entries(kinds).map(([kind, [, fields]]) => [
        kind,
        { result: 'failed', status_code: 0, error: '', note: '', reply: '', ...fields },
      ]);
      expect(await attemptsOfHostile(kinds, timeoutMs)).toEqual(Object.fromEntries(expected));
    },
  );

  it('stores no secret of the hook, no matter how a receiver returns it', async () => {
    let secrets: string[] = [];
    const hook = await hookTo(
      url((call, response) => {
        const [token = '', secret = ''] = secrets;
        const escaped = JSON.stringify(secret).replaceAll('/', '\\/').replaceAll('+', '\\u002B');
        const shown = [
          call.body,
          secret,
          escaped,
          encodeURIComponent(secret),
          encodeURIComponent(secret)
            .toLowerCase()
            .replace(/%../g, (code) => code),
          secret.slice('whsec_'.length),
        ].join(' ');
        response.setHeader('x-long', '"'.repeat(3_000)); // too long to keep, as JSON
        response.setHeader('x-echo', `got ${token}`);
        response.write(`${shown} `.padEnd(4096 - 9, 'y'));
        response.end(`${token}${token}`);
      }),
      url((_, response) => {
        const [token = ''] = secrets;
        response.end(`{"${token}":{"a":"\\u0000"}}`);
      }),
    );
    secrets = [hook.token, hook.signing_secret];
    await say();
    await eventually(async () => (await list(hook, '?status=delivered')).length === 2);
    const attempts = await server.app
      .get(DataSource)
      .getRepository(DeliveryAttempt)
      .findBy((await list(hook)).map(({ id }) => ({ deliveryId: id })));
    const stored = JSON.stringify(attempts);
    for (const secret of [...secrets, hook.signing_secret.slice(6), encodeURIComponent(hook.signing_secret)])
      expect(stored).not.toContain(secret);
    expect(stored).not.toContain(hook.token.slice(0, 9));
    const [echo, note] = attempts.sort((a, b) => b.reply.length - a.reply.length);
    expect(echo!.reply).toContain('"token":"[redacted]","team_id"');
    expect(echo!.reply).toMatch(/y\[redacted\]$/);
    expect(echo!.detail.headers).toMatchObject({ 'x-echo': 'got [redacted]' });
    expect(echo!.detail.headers).not.toHaveProperty('x-long');
    expect(note!.note).toBe(
      'The reply was not posted: [redacted].a contains a NUL character, which is not allowed.',
    );
  });
});

describe('a failing endpoint', () => {
  it('is disabled at once by a 410; the other URLs of the hook continue', async () => {
    const live = await LiveClient.connect(server.url, server.admin.token);
    const hook = await hookTo(url(status(410)), url());
    await say();
    await eventually(async () => (await again(hook)).disabled_urls.length === 1);
    expect(await again(hook)).toMatchObject({ disabled_urls: [hook.callback_urls[0]], disabled_at: 0 });
    expect((await list(hook)).find(({ status: s }) => s === 'failed')).toMatchObject({
      attempts: 1,
      reason: 'gone',
    });
    const event = await eventually(() => live.events.find(({ event: name }) => name === 'endpoint_disabled'));
    expect(event.data).toEqual({
      hook_id: hook.id,
      team_id: team.id,
      endpoint: receiver.origin,
      reason: 'gone',
    });
    live.close();
    await say('again');
    await eventually(() => callsOf(hook, 1).length === 2);
    expect(callsOf(hook, 0)).toHaveLength(1);
    const cancelled = (await list(hook)).find(({ status: s }) => s === 'cancelled');
    expect(cancelled).toMatchObject({ reason: 'url_disabled', attempts: 0 });
  });

  it.each([
    ['a 2xx', 200, 'Disable', 'delivered'],
    ['an error', 500, ' disable', 'failed'],
    ['a redirect', 302, 'DISABLE', 'failed'],
  ])('is disabled by %s with webhook-delivery: disable', async (_, code, value, result) => {
    const live = await LiveClient.connect(server.url, server.admin.token);
    const hook = await hookTo(
      url((_call, response) => {
        response.writeHead(code, { 'Webhook-Delivery': value });
        response.end('{"text":"done"}');
      }),
    );
    await say();
    await eventually(async () => (await again(hook)).disabled_at > 0);
    expect(await again(hook)).toMatchObject({
      disabled_urls: hook.callback_urls,
      disabled_reason: 'The receiver of a callback URL wants no more calls.',
    });
    const stored = { status: result, attempts: 1, reason: 'disabled_by_receiver' };
    expect(await list(hook)).toMatchObject([stored]);
    expect(await postsOfHooks()).toHaveLength(result === 'delivered' ? 1 : 0);
    const event = await eventually(() => live.events.find(({ event: name }) => name === 'endpoint_disabled'));
    expect(event.data).toMatchObject({ hook_id: hook.id, reason: 'disabled_by_receiver' });
    live.close();
    answers.set(new URL(hook.callback_urls[0]).pathname, status(200));
    await server.admin.post(`${HOOKS}/${hook.id}/enable`);
    const [{ id }] = await list(hook);
    await server.admin.post(`${HOOKS}/${hook.id}/deliveries/${id}/retry`);
    await eventually(async () => (await detailOf(hook, id)).attempts === 2);
    expect(await list(hook)).toMatchObject([{ status: 'delivered', reason: '' }]);
  });

  it.each(['', 'enable', 'disable, disable'])('ignores webhook-delivery: %s', async (value) => {
    const hook = await hookTo(url(status(500, { 'webhook-delivery': value })));
    await say();
    await reaches(hook, 'failed');
    expect(await list(hook)).toMatchObject([{ attempts: 3, reason: 'attempts_exhausted' }]);
    expect((await again(hook)).disabled_at).toBe(0);
  });

  it('is disabled by a reply whose body is incomplete', async () => {
    const hook = await hookTo(
      url((_, response) => {
        response.writeHead(200, { 'webhook-delivery': 'disable', 'content-length': 100 });
        response.write('{', () => response.destroy());
      }),
    );
    await say();
    const failed = await reaches(hook, 'failed');
    expect(failed).toMatchObject({ attempts: 1, reason: 'disabled_by_receiver' });
    await eventually(async () => (await again(hook)).disabled_at > 0);
  });

  it('disables its hook after failing too long: rows remain, and enabling and recovering sends them', async () => {
    let isBroken = true;
    const target = url((call, response) => status(isBroken ? 500 : 200)(call, response));
    const hook = await hookTo(target);
    await server.withSettings({ outgoingDisableAfterMs: 120 }, async () => {
      await say('one');
      await eventually(async () => (await again(hook)).disabled_at > 0);
    });
    expect(await again(hook)).toMatchObject({
      disabled_reason: 'The attempts to a callback URL failed for too long.',
    });
    await say('two');
    const two = await reaches(hook, 'cancelled');
    expect(two).toMatchObject({ reason: 'hook_disabled', attempts: 0 });
    const audits = (await server.admin.get('/audits?per_page=200')).body as any[];
    expect(audits.some((row) => row.action === 'disable_outgoing_webhook' && row.target === hook.id)).toBe(
      true,
    );
    expect((await server.admin.post(`${HOOKS}/${hook.id}/deliveries/${two.id}/retry`)).status).toBe(409);
    expect((await server.admin.post(`${HOOKS}/${hook.id}/recover`, { since: 0 })).status).toBe(409);

    isBroken = false;
    const enabled = await server.admin.post(`${HOOKS}/${hook.id}/enable`);
    expect(enabled.body).toMatchObject({ disabled_at: 0, disabled_reason: '', disabled_urls: [] });
    await server.admin.post(`${HOOKS}/${hook.id}/recover`, { since: 0 });
    await eventually(async () => (await list(hook, '?status=delivered')).length === 2);
    const texts = callsOf(hook).map(({ body }) => JSON.parse(body).text as string);
    expect(texts.slice(-2).sort()).toEqual(['one', 'two']);
  });
});

describe('an endpoint that fails', () => {
  it('is reset by each success, so that only failures without a success disable it', async () => {
    let isBroken = true;
    const hook = await hookTo(url((call, response) => status(isBroken ? 500 : 200)(call, response)));
    const hooks = server.app.get(DataSource).getRepository(OutgoingHook);
    const failing = async (): Promise<boolean> =>
      hook.callback_urls[0] in (await hooks.findOneByOrFail({ id: hook.id })).failingUrls;
    await server.withSettings({ outgoingScheduleMs: [0], outgoingDisableAfterMs: 0 }, async () => {
      await say('fails');
      await eventually(failing);
      isBroken = false;
      await say('works');
      await eventually(async () => !(await failing()));
      isBroken = true;
      await say('fails again');
      await eventually(failing);
      expect((await again(hook)).disabled_at).toBe(0);
      await say('fails once more');
      await eventually(async () => (await again(hook)).disabled_at > 0);
    });
  });
});

describe('stopping a hook', () => {
  it('by deleting it marks waiting deliveries as cancelled', async () => {
    const hook = await hookTo(url(status(500)));
    await server.withSettings({ outgoingScheduleMs: [0, DAY_MS] }, async () => {
      await say();
      await eventually(async () => (await list(hook)).find(({ attempts }) => attempts === 1));
    });
    await server.admin.delete(`${HOOKS}/${hook.id}`);
    const rows = await server.app.get(DataSource).getRepository(Delivery).findBy({ ownerId: hook.id });
    expect(rows).toMatchObject([{ status: 'cancelled', reason: 'hook_deleted' }]);
  });

  it('by deleting it keeps its log, for users who could manage it', async () => {
    const hook = await hookTo(url());
    await say();
    const { id } = await reaches(hook, 'delivered');
    const member = await buildMember(server, [team.id]);
    await server.admin.delete(`${HOOKS}/${hook.id}`);
    const log = `${HOOKS}/${hook.id}/deliveries`;
    expect((await server.admin.get(log)).body.deliveries).toMatchObject([{ id, status: 'delivered' }]);
    expect((await server.admin.get(`${log}/${id}`)).body).toMatchObject({ id, payload: { text: 'go' } });
    expect((await member.client.get(log)).status).toBe(403);
    expect((await member.client.get(`${log}/${id}`)).status).toBe(403);
    expect((await server.admin.post(`${log}/${id}/retry`)).status).toBe(404);
    expect((await recover(hook, { since: 0 })).status).toBe(404);
    expect((await recover(hook, { since: 0, dry_run: true })).status).toBe(404);
    expect((await server.admin.get(`${HOOKS}/${hook.id}/recover`)).body).toEqual([]);
    expect((await member.client.get(`${HOOKS}/${hook.id}/recover`)).status).toBe(403);
    expect((await server.admin.post(`${HOOKS}/${hook.id}/test`, {})).status).toBe(404);
  });

  it('by archiving its channel also cancels waiting deliveries', async () => {
    const hook = await hookTo(url(status(500)));
    await server.withSettings({ outgoingScheduleMs: [0, DAY_MS] }, async () => {
      await say();
      await eventually(async () => (await list(hook)).find(({ attempts }) => attempts === 1));
    });
    await server.admin.delete(`/channels/${channel.id}`);
    expect((await server.admin.get(`${HOOKS}/${hook.id}`)).status).toBe(404);
    const rows = await server.app.get(DataSource).getRepository(Delivery).findBy({ ownerId: hook.id });
    expect(rows).toMatchObject([{ status: 'cancelled', reason: 'hook_deleted' }]);
  });

  it('by removing a URL cancels deliveries to it', async () => {
    let isBroken = true;
    const hook = await hookTo(url((call, response) => status(isBroken ? 500 : 200)(call, response)));
    await server.withSettings({ outgoingScheduleMs: [0, DAY_MS] }, async () => {
      await say();
      await eventually(async () => (await list(hook)).find(({ attempts }) => attempts === 1));
    });
    isBroken = false;
    const patched = await server.admin.patch(`${HOOKS}/${hook.id}`, { callback_urls: [url()] });
    expect(patched.status).toBe(200);
    expect(await reaches(hook, 'cancelled')).toMatchObject({ reason: 'url_removed', attempts: 1 });
  });
});

describe('manual retries', () => {
  it('retry a failed delivery at once, with the whole schedule before it', async () => {
    let isBroken = true;
    const hook = await hookTo(url((call, response) => status(isBroken ? 500 : 200)(call, response)));
    await say();
    const failed = await reaches(hook, 'failed');
    isBroken = false;
    const answer = await server.admin.post(`${HOOKS}/${hook.id}/deliveries/${failed.id}/retry`);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ id: failed.id, finish_at: 0 });
    expect(await reaches(hook, 'delivered')).toMatchObject({ attempts: 4 });
    expect(callsOf(hook)[3]!.headers['webhook-id']).toBe(failed.id);
  });

  it('post no reply twice', async () => {
    const hook = await hookTo(url(json({ text: 'Done' })));
    await say();
    const delivered = await reaches(hook, 'delivered');
    expect(delivered.reply_post_id).not.toBe('');
    await server.admin.post(`${HOOKS}/${hook.id}/deliveries/${delivered.id}/retry`);
    await eventually(() => callsOf(hook).length === 2);
    await eventually(async () => (await list(hook))[0].attempts === 2);
    const posts = Object.values<any>((await server.admin.get(`/channels/${channel.id}/posts`)).body.posts);
    expect(posts.filter(({ message }) => message === 'Done')).toHaveLength(1);
    const { attempt_list: attempts } = await detailOf(hook, delivered.id);
    expect(attempts[1].note).toBe('The reply to an earlier attempt was already posted.');
  });

  it('recover deliveries missed since a given time, after a count and with progress', async () => {
    const hook = await hookTo(url());
    const since = Date.now();
    const rows = await missed(hook, 250);
    const deliveries = server.app.get(DataSource).getRepository(Delivery);
    const cancelled = rows.filter((_, index) => index % 2 === 0).map(({ id }) => id);
    await deliveries.update(cancelled, { status: 'cancelled' });

    const dry = await server.admin.post(`${HOOKS}/${hook.id}/recover`, { since, dry_run: true });
    expect(dry.body).toMatchObject({ total: 250, requeued: 0, status: 'dry_run', id: '' });
    expect(
      (await server.admin.post(`${HOOKS}/${hook.id}/recover`, { since: since + 60_000, dry_run: true })).body
        .total,
    ).toBe(0);
    expect(callsOf(hook)).toEqual([]);

    const ordered = await server.admin.post(`${HOOKS}/${hook.id}/recover`, { since });
    expect(ordered.body).toMatchObject({ total: 250, status: 'running', hook_id: hook.id });
    const done = await eventually(async () =>
      ((await server.admin.get(`${HOOKS}/${hook.id}/recover`)).body as any[]).find(
        (recovery) => recovery.status === 'finished',
      ),
    );
    expect(done).toMatchObject({ id: ordered.body.id, requeued: 250 });
    await eventually(
      async () => (await deliveries.countBy({ ownerId: hook.id, status: 'delivered' })) === 250,
    );
    expect(new Set(callsOf(hook).map(({ body }) => JSON.parse(body).text)).size).toBe(250);

    const seen: string[] = [];
    for (let cursor = ''; ;) {
      const page = (await server.admin.get(`${HOOKS}/${hook.id}/deliveries?per_page=100&cursor=${cursor}`))
        .body;
      seen.push(...page.deliveries.map(({ id }: any) => id));
      if (seen.length === 100) await say('a new one between two pages');
      cursor = page.next_cursor;
      if (cursor === '') break;
    }
    expect(seen).toEqual(rows.map(({ id }) => id).reverse());
  }, 20_000);

  it('recover nothing for disabled or removed URLs, and leave their rows unchanged', async () => {
    const hook = await hookTo(url(), url(status(410)));
    await say();
    await eventually(async () => (await again(hook)).disabled_urls.length === 1);
    const since = Date.now();
    await missed(hook, 2);
    const [given] = await missed(hook, 1, { url: hook.callback_urls[1], reason: 'gone' });
    const [removed] = await missed(hook, 1, { url: `${receiver.origin}/removed` });
    expect((await recover(hook, { since, dry_run: true })).body.total).toBe(2);
    expect((await recover(hook, { since })).body.total).toBe(2);
    expect(await recovered(hook)).toMatchObject({ total: 2, requeued: 2 });
    await eventually(() => callsOf(hook).length === 3);
    expect(await detailOf(hook, given!.id)).toMatchObject({ status: 'failed', reason: 'gone' });
    expect(await detailOf(hook, removed!.id)).toMatchObject({
      status: 'failed',
      reason: 'attempts_exhausted',
    });
  });

  it('skip URLs that are disabled during a recovery', async () => {
    const hook = await hookTo(url(), url(status(410)));
    const since = Date.now();
    await missed(hook, 1);
    await missed(hook, 1, { url: hook.callback_urls[1] });
    const blocking = await missed(hook, 100, {
      status: 'pending',
      finishAt: 0,
      nextAttemptAt: since + DAY_MS,
    });
    expect((await recover(hook, { since })).body).toMatchObject({ total: 2, status: 'running' });
    await say();
    await eventually(async () => (await again(hook)).disabled_urls.length === 1);
    await server.app
      .get(DataSource)
      .getRepository(Delivery)
      .delete(blocking.map(({ id }) => id));
    expect(await recovered(hook)).toMatchObject({ total: 2, requeued: 1 });
  });

  it('neither count nor send for a disabled hook', async () => {
    const hook = await hookTo(url(status(410)));
    await say();
    await eventually(async () => (await again(hook)).disabled_at > 0);
    const dry = await recover(hook, { since: 0, dry_run: true });
    expect([dry.status, dry.body.id]).toEqual([409, 'app.webhooks.outgoing_disabled.app_error']);
    expect((await recover(hook, { since: 0 })).status).toBe(409);
  });

  it.each([null, undefined, -1, 'yesterday', 1.5])('refuse to recover since %p', async (since) => {
    const hook = await hookTo(url());
    await missed(hook, 1);
    for (const dry_run of [false, true]) {
      const answer = await recover(hook, { since, dry_run });
      expect(answer.status).toBe(400);
      expect(answer.body.message).toContain('since');
    }
    expect((await list(hook))[0].status).toBe('failed');
  });

  it('refuse a recovery if another one starts and ends while it counts', async () => {
    const hook = await hookTo(url());
    const since = Date.now();
    await missed(hook, 1);
    const counted = server.app.get(DeliveriesReadModel);
    const list = counted.listCandidates.bind(counted);
    jest.spyOn(counted, 'listCandidates').mockImplementationOnce(async (...query) => {
      const result = await list(...query);
      expect((await recover(hook, { since })).status).toBe(200);
      await recovered(hook);
      return result;
    });
    const first = server.first.as(server.admin.token); // which is monitored
    const late = await first.post(`${HOOKS}/${hook.id}/recover`, { since });
    expect([late.status, late.body.id]).toEqual([409, 'app.deliveries.recovery_running.app_error']);
    expect((await server.admin.get(`${HOOKS}/${hook.id}/recover`)).body).toHaveLength(1);
  });

  it('allow one recovery at a time', async () => {
    const hook = await hookTo(url());
    const since = Date.now();
    await missed(hook, 5);
    const blocking = await missed(hook, 100, {
      status: 'pending',
      finishAt: 0,
      nextAttemptAt: since + DAY_MS,
    });
    const orders = await Promise.all([1, 2, 3].map(() => recover(hook, { since })));
    const [first, ...others] = orders.sort((a, b) => a.status - b.status);
    expect(first.body).toMatchObject({ total: 5, status: 'running' });
    for (const answer of [...others, await recover(hook, { since })]) {
      expect([answer.status, answer.body.id]).toEqual([409, 'app.deliveries.recovery_running.app_error']);
      expect(answer.body.message).toMatch(/recovery .* running/);
    }
    expect((await recover(hook, { since, dry_run: true })).body.total).toBe(5);
    await server.app
      .get(DataSource)
      .getRepository(Delivery)
      .delete(blocking.map(({ id }) => id));
    expect(await recovered(hook)).toMatchObject({ id: first.body.id, total: 5, requeued: 5 });
    await eventually(() => callsOf(hook).length === 5);
    expect((await recover(hook, { since: Date.now() + DAY_MS })).status).toBe(200);
    expect((await server.admin.get(`${HOOKS}/${hook.id}/recover`)).body).toHaveLength(2);
  });

  it('do not retry a running call', async () => {
    let isHung = true;
    const hook = await hookTo(
      url((call, response) => (isHung ? hang(call, response) : status(200)(call, response))),
    );
    await server.withSettings({ outgoingTimeoutMs: 1_000 }, async () => {
      await say();
      const { id } = await reaches(hook, 'in_flight');
      const answer = await server.admin.post(`${HOOKS}/${hook.id}/deliveries/${id}/retry`);
      expect([answer.status, answer.body.id]).toEqual([409, 'app.deliveries.in_flight.app_error']);
      isHung = false; // or the endpoint, which all these tests share, would be kept busy
      await reaches(hook, 'delivered');
      expect((await server.admin.post(`${HOOKS}/${hook.id}/deliveries/${id}/retry`)).status).toBe(200);
    });
  });

  it('test a URL without a payload, and hide a secret in its reply', async () => {
    const hook = await hookTo(
      url((call, response) => {
        const { token } = JSON.parse(call.body);
        response.setHeader('x-echo', `got ${token}`);
        response.end(call.body);
      }),
    );
    for (const raw of ['', '{}', 'null']) {
      const { status: code, body } = await server.admin.post(`${HOOKS}/${hook.id}/test`, undefined, { raw });
      expect(code).toBe(200);
      expect(body.request.body).toContain(hook.token);
      expect(body.response.body).toBe(body.request.body.replace(hook.token, '[redacted]'));
      expect(body.response.headers['x-echo']).toBe('got [redacted]');
    }
    expect((await server.admin.post(`${HOOKS}/${hook.id}/test`)).status).toBe(200);
    const broken = await server.admin.post(`${HOOKS}/${hook.id}/test`, undefined, { raw: ' ' });
    expect(broken.status).toBe(400);
  });

  it('test a URL and show request and response, without storing anything', async () => {
    const hook = await hookTo(url(json({ text: 'Hello' }, 202)), url(hang));
    const tested = await server.admin.post(`${HOOKS}/${hook.id}/test`, { text: 'try' });
    expect(tested.status).toBe(200);
    expect(tested.body).toMatchObject({
      request: { method: 'POST', url: hook.callback_urls[0], body: callsOf(hook)[0]!.body },
      response: { status_code: 202, body: '{"text":"Hello"}', error: '', note: '' },
    });
    expect(callsOf(hook)[0]!.headers).toMatchObject(tested.body.request.headers);
    expect(JSON.parse(callsOf(hook)[0]!.body)).toMatchObject({
      channel_id: hook.channel_id,
      channel_name: channel.name,
      team_domain: 'main',
      user_id: hook.creator_id,
      user_name: 'admin',
      post_id: expect.stringMatching(/^[a-z0-9]{26}$/),
      text: 'try',
    });
    await server.withSettings({ outgoingTimeoutMs: 100 }, async () => {
      const late = await server.admin.post(`${HOOKS}/${hook.id}/test`, {
        callback_url: hook.callback_urls[1],
      });
      expect(late.body.response).toMatchObject({ status_code: 0, error: 'timeout' });
    });
    const foreign = await server.admin.post(`${HOOKS}/${hook.id}/test`, {
      callback_url: 'http://127.0.0.1/other',
    });
    expect(foreign.status).toBe(400);
    expect(foreign.body.message).toContain('callback_url');
    expect(await list(hook)).toEqual([]);
  });
});

describe('the log', () => {
  it('is filtered by status and time', async () => {
    const hook = await hookTo(url(), url(status(410)));
    await say();
    await eventually(async () => (await list(hook, '?status=delivered,failed')).length === 2);
    expect(await list(hook, '?status=failed')).toHaveLength(1);
    expect(await list(hook, '?status=pending,in_flight')).toEqual([]);
    expect(await list(hook, `?since=${Date.now() + 60_000}`)).toEqual([]);
    expect(await list(hook, `?before=${Date.now() + 60_000}`)).toHaveLength(2);
    expect(await list(hook, `?before=${Date.now() - 60_000}`)).toEqual([]);
  });

  it('distinguishes running calls from waiting ones', async () => {
    let isHung = true;
    const hook = await hookTo(
      url((call, response) => (isHung ? hang(call, response) : status(200)(call, response))),
    );
    await server.withSettings({ outgoingTimeoutMs: 1_000 }, async () => {
      await say();
      await eventually(async () => (await list(hook, '?status=in_flight')).length === 1);
      expect(await list(hook, '?status=pending')).toEqual([]);
      expect((await list(hook))[0].status).toBe('in_flight');
      isHung = false; // or the endpoint, which all these tests share, would be kept busy
      await reaches(hook, 'delivered');
    });
    expect(await list(hook, '?status=in_flight')).toEqual([]);
  });

  it.each([
    ['status', 'done'],
    ['since', 'yesterday'],
    ['before', '-1'],
    ['cursor', 'abc'],
    ['cursor', newId()],
  ])('rejects the query parameter %s=%s with its name', async (name, value) => {
    const hook = await hookTo(url());
    const answer = await server.admin.get(`${HOOKS}/${hook.id}/deliveries?${name}=${value}`);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain(name);
  });

  it.each([
    ['GET', '/deliveries', undefined],
    ['GET', `/deliveries/${newId()}`, undefined],
    ['POST', `/deliveries/${newId()}/retry`, undefined],
    ['POST', '/recover', { since: 0 }],
    ['GET', '/recover', undefined],
    ['POST', '/test', {}],
  ])('%s %s is for users who can manage the hook', async (method, path, body) => {
    const hook = await hookTo(url());
    const member = await buildMember(server, [team.id]);
    expect((await server.anonymous.send(method, `${HOOKS}/${hook.id}${path}`, body)).status).toBe(401);
    expect((await member.client.send(method, `${HOOKS}/${hook.id}${path}`, body)).status).toBe(403);
    expect((await server.admin.send(method, `${HOOKS}/${newId()}${path}`, body)).status).toBe(404);
    expect((await server.admin.send(method, `${HOOKS}/abc${path}`, body)).status).toBe(400);
    await server.withSettings({ enableOutgoingWebhooks: false }, async () => {
      expect((await server.admin.send(method, `${HOOKS}/${hook.id}${path}`, body)).status).toBe(501);
    });
  });

  it('returns an empty page for per_page=0', async () => {
    const hook = await hookTo(url());
    await missed(hook, 2);
    const answer = await server.admin.get(`${HOOKS}/${hook.id}/deliveries?per_page=0`);
    expect(answer.body).toEqual({ deliveries: [], next_cursor: '' });
  });

  it('shows messages of a channel only to users who can read it', async () => {
    const owner = await buildMember(server, [team.id], true);
    const hidden = await buildChannel(owner.client, team.id, { type: 'P' });
    await joinChannel(owner.client, hidden.id, server.adminId);
    const hook = await hookTo(url(json({ text: 'A private answer' })));
    expect(
      (await server.admin.patch(`${HOOKS}/${hook.id}`, { channel_id: hidden.id, trigger_words: ['go'] }))
        .status,
    ).toBe(200);
    await server.admin.post('/posts', { channel_id: hidden.id, message: 'go, in private' });
    const delivery = await reaches(hook, 'delivered');
    const detail = `${HOOKS}/${hook.id}/deliveries/${delivery.id}`;
    const stranger = await buildMember(server, [team.id], true);
    expect((await stranger.client.get(detail)).status).toBe(403);
    const elsewhere = await buildChannel(owner.client, team.id, {});
    await owner.client.patch(`${HOOKS}/${hook.id}`, { channel_id: elsewhere.id });
    expect((await stranger.client.post(`${detail}/retry`)).status).toBe(403);
    const shown = (await stranger.client.get(detail)).body;
    expect(shown).toMatchObject({ ...delivery, payload: {}, content_type: 'application/json' });
    expect(shown.attempt_list).toMatchObject([
      { status_code: 200, note: 'The reply was posted.', reply: '', reply_headers: {} },
    ]);
    expect(JSON.stringify(shown)).not.toContain('private');
    expect((await owner.client.get(detail)).body).toMatchObject({
      payload: { text: 'go, in private', user_name: 'admin' },
      attempt_list: [{ reply: '{"text":"A private answer"}' }],
    });
  });

  it('is documented with the types of its parameters, and with the limit of every body', async () => {
    const { paths } = (await server.anonymous.get('/api/v4/openapi.json')).body;
    const listed = paths['/api/v4/hooks/outgoing/{hook_id}/deliveries'].get.parameters;
    const schemas = Object.fromEntries(listed.map(({ name, schema }: any) => [name, schema]));
    expect(schemas).toMatchObject({
      per_page: { type: 'integer', default: 60, minimum: 0, maximum: 200 },
      since: { type: 'integer', minimum: 0 },
      before: { type: 'integer', minimum: 0 },
      status: { type: 'string' },
      cursor: { type: 'string' },
    });
    const silent = Object.entries<any>(paths)
      .filter(([path]) => path.startsWith('/api/v4/hooks/outgoing'))
      .flatMap(([path, methods]) =>
        Object.entries<any>(methods).map(([method, { responses }]) => ({ path, method, responses })),
      )
      .filter(({ method, responses }) => method !== 'get' && !responses['413'])
      .map(({ path, method }) => `${method} ${path}`);
    expect(silent).toEqual([]);
    expect(paths['/api/v4/hooks/outgoing/{hook_id}/test'].post.requestBody.required).toBe(false);
  });

  it('does not show a delivery of another hook', async () => {
    const [one, two] = [await hookTo(url()), await hookTo(url())];
    await say();
    const delivery = await reaches(one, 'delivered');
    const foreign = await server.admin.get(`${HOOKS}/${two.id}/deliveries?cursor=${delivery.id}`);
    expect([foreign.status, foreign.body.message]).toEqual([400, expect.stringContaining('cursor')]);
    expect((await server.admin.get(`${HOOKS}/${two.id}/deliveries/${delivery.id}`)).status).toBe(404);
    expect((await server.admin.post(`${HOOKS}/${two.id}/deliveries/${delivery.id}/retry`)).status).toBe(404);
  });

  it('deletes old settled deliveries, and no open ones', async () => {
    const hook = await hookTo(url());
    await say();
    const delivery = await reaches(hook, 'delivered');
    const deliveries = server.app.get(DataSource).getRepository(Delivery);
    const before = Date.now() - 31 * DAY_MS;
    await deliveries.update({ id: delivery.id }, { finishAt: before, createAt: before });
    const row = await deliveries.findOneByOrFail({ id: delivery.id });
    const open = {
      ...row,
      id: newId(),
      status: 'retrying' as const,
      finishAt: 0,
      nextAttemptAt: Date.now() + DAY_MS,
    };
    await deliveries.insert(open as never);
    await server.app.get(Purge).run();
    expect(await deliveries.findOneBy({ id: delivery.id })).toBeNull();
    expect(
      await server.app.get(DataSource).getRepository(DeliveryAttempt).countBy({ deliveryId: delivery.id }),
    ).toBe(0);
    expect(await deliveries.findOneBy({ id: open.id })).not.toBeNull();
  });
});

describe('the sweep', () => {
  it('finds hundreds of lanes with a few statements', async () => {
    const hook = await hookTo(url());
    const origins = Array.from({ length: 250 }, (_, index) => `http://10.0.0.1:${10_000 + index}`);
    const later = 'http://10.0.0.1:9999';
    await insertDeliveries(server, hook, 1, { url: `${later}/`, nextAttemptAt: Date.now() + DAY_MS });
    const dueAt = Date.now() + 50_000;
    for (const [index, origin] of origins.entries())
      await insertDeliveries(server, hook, 1, {
        ...{ url: `${origin}/`, nextAttemptAt: dueAt + index },
        status: index % 2 === 0 ? 'pending' : 'retrying',
      });
    const bulkheads = new Bulkheads(8, 8, ALWAYS);
    const limits = new DispatchLimits();
    const reader = new LaneReader(
      ...([server.app.get(LanesReadModel), new Claims(limits), bulkheads, new LaneTurns()] as const),
      ...([new Clock(), limits, () => undefined] as const),
    );
    const dataSource = server.app.get(DataSource);
    const queries = jest.spyOn(dataSource.logger, 'logQuery');
    await reader.sweep();
    const looks = queries.mock.calls.filter(([sql]) => /\blane\b/.test(sql));
    queries.mockRestore();
    await dataSource.getRepository(Delivery).delete({ ownerId: hook.id });
    expect(looks.length).toBeLessThan(25); // others send queries at the same time
    const dueOf = (origin: string): number | undefined => bulkheads.find(origin)?.dueAt;
    expect(origins.map(dueOf)).toEqual(origins.map((_, index) => dueAt + index));
    expect(bulkheads.find(later)).toBeUndefined();
  });
});

describe('the metrics', () => {
  it('report attempts, latency, open deliveries, and endpoints', async () => {
    const hook = await hookTo(url());
    await say();
    await reaches(hook, 'delivered');
    const text = await server.metrics();
    expect(text).toMatch(/hookline_delivery_attempts_total\{outcome="delivered",error=""\} [1-9]/);
    expect(text).toMatch(/hookline_delivery_first_byte_seconds_count [1-9]/);
    expect(text).toMatch(/hookline_delivery_accepted_seconds_count [1-9]/);
    expect(text).toMatch(/hookline_outbound_calls_total [1-9]/);
    expect(text).toMatch(/hookline_outbound_connections_opened_total [1-9]/);
    expect(text).toMatch(/hookline_deliveries_open \d/);
    expect(text).toMatch(/hookline_delivery_oldest_due_seconds \d/);
    expect(text).toMatch(/^hookline_endpoints_limit [1-9]/m);
    expect(text).not.toContain(receiver.origin);
    // Calls that an earlier test left hanging may make the endpoint suspect for a while.
    await eventually(async () => {
      await say();
      return /^hookline_endpoints\{standing="trusted"\} [1-9]/m.test(await server.metrics());
    });
  });
});

describe('events for other modules', () => {
  it('report attempts that succeed, fail and are the last, and disabled endpoints', async () => {
    const [good, bad, gone] = [
      await hookTo(url()),
      await hookTo(url(status(500))),
      await hookTo(url(status(410))),
    ];
    const events = [DeliverySucceeded, DeliveryFailed, DeliveryExhausted, EndpointDisabled];
    const of = (hook: any, from: readonly any[] = heard): string[] =>
      from.filter((event) => (event.facts?.ownerId ?? event.hookId) === hook.id).map(({ name }) => name);
    const heard = await announcedBy<any>(server, events, async (soFar) => {
      await say();
      await eventually(() => of(good, soFar).length > 0);
      await eventually(() => of(bad, soFar).includes('delivery.exhausted'));
      await eventually(() => of(gone, soFar).includes('endpoint.disabled'));
    });
    expect((await again(gone)).disabled_at).toBeGreaterThan(0);
    expect(of(good)).toEqual(['delivery.succeeded']);
    expect(of(bad)).toEqual(['delivery.failed', 'delivery.failed', 'delivery.exhausted']);
    expect(of(gone)).toEqual(['delivery.exhausted', 'endpoint.disabled']);
    const text = await server.metrics();
    for (const reason of ['gone', 'attempts_exhausted'])
      expect(text).toMatch(
        new RegExp(`^hookline_deliveries_given_up_total\\{reason="${reason}"\\} [1-9]`, 'm'),
      );
    const [{ facts }] = heard.filter(({ name }) => name === 'delivery.succeeded');
    expect(facts).toMatchObject({ kind: 'outgoing_hook', attempt: 1, statusCode: 200, errorClass: '' });
  });
});

describe('a kind of deliveries', () => {
  it('treats a 2xx that cannot be decoded as an empty reply, and removes its secrets from its texts', async () => {
    const secret = newId();
    for (const kinds of server.everywhere(DeliveryKinds))
      kinds.register({
        kind: 'choosy',
        prepare: ({ body }) =>
          Promise.resolve({ headers: {}, body: JSON.stringify(body), secrets: [secret] }),
        receive: (_, { body }) =>
          Promise.resolve({ note: `It said "${body.toString()}" to ${secret}`, refusal: 'final' }),
        settled: () => undefined,
      });
    const service = server.app.get(DeliveriesService);
    const delivery = service.build({
      kind: 'choosy',
      ownerId: newId(),
      subjectId: '',
      url: url((_, response) => {
        response.setHeader('content-encoding', 'gzip');
        response.end('no gzip');
      }),
      body: {},
      contentType: 'application/json',
    });
    await server.app
      .get(DataSource)
      .getRepository(Delivery)
      .insert(delivery as never);
    service.dispatch([delivery]);
    const attempt = await eventually(async () => (await service.attemptsOf(delivery.id))[0]);
    expect(attempt).toMatchObject({ note: 'It said "" to [redacted]', statusCode: 200 });
    expect(await service.get(delivery.ownerId, delivery.id)).toMatchObject({
      status: 'failed',
      reason: 'refused',
    });
  });
});

describe('an ordered lane', () => {
  it('delivers in order of creation, one at a time, and waits for the retries of the first', async () => {
    const services = server.everywhere(DeliveriesService);
    const [service] = services as [DeliveriesService];
    for (const kinds of server.everywhere(DeliveryKinds))
      kinds.register({
        kind: 'in_order',
        prepare: ({ body }) => Promise.resolve({ headers: {}, body: JSON.stringify(body), secrets: [] }),
        receive: () => Promise.resolve({ note: '' }),
        settled: () => undefined,
      });
    let failures = 2;
    const target = url((call, response) => {
      const isBad = call.body.includes('"number":3') && failures-- > 0;
      return status(isBad ? 500 : 200)(call, response);
    });
    const ownerId = newId();
    const make = (number: number): Delivery =>
      service.build({
        kind: 'in_order',
        ownerId,
        subjectId: '',
        url: target,
        body: { number },
        contentType: 'application/json',
        lane: orderedLane(ownerId),
      });
    const deliveries = server.app.get(DataSource).getRepository(Delivery);
    for (let start = 0; start < 20; start += 5) {
      const batch = [0, 1, 2, 3, 4].map((offset) => make(start + offset));
      await deliveries.insert(batch as never);
      services[(start / 5) % services.length]!.dispatch(batch);
    }
    await eventually(async () => (await deliveries.countBy({ ownerId, status: 'delivered' })) === 20);
    const numbers = receiver.callsTo(new URL(target).pathname).map(({ body }) => JSON.parse(body).number);
    expect(numbers).toEqual([0, 1, 2, 3, 3, 3, ...Array.from({ length: 16 }, (_, index) => index + 4)]);
  });
});

describe('hanging endpoints', () => {
  it('do not block other receivers, although more is due than the total allows', async () => {
    let isHung = false;
    const start = (count: number, answer?: Receiver['answer']): Promise<Receiver[]> =>
      Promise.all(Array.from({ length: count }, () => Receiver.start(answer)));
    const hung = await start(10, (_, response) => (isHung ? undefined : void response.end()));
    const healthy = await start(90);
    const hasReceived = (all: readonly Receiver[], count: number): Promise<unknown> =>
      eventually(() => all.every(({ calls }) => calls.length >= count), 20_000);
    try {
      const hooks = [await hookTo(...hung.map((one) => one.url()))];
      // Their successes allow each of them many concurrent calls, together enough for all slots.
      for (let round = 0; round < 30; round++) await say();
      await hasReceived(hung, 30);
      isHung = true;
      for (let round = 0; round < 30; round++) await say();
      for (let at = 0; at < healthy.length; at += 20)
        hooks.push(await hookTo(...healthy.slice(at, at + 20).map((one) => one.url())));
      for (let round = 0; round < 8; round++) await say(`round ${round}`);
      await hasReceived(healthy, 8);
      for (const one of healthy)
        expect(new Set(one.calls.map(({ body }) => JSON.parse(body).text)).size).toBe(8);
      const open = await list(hooks[0], '?status=pending,in_flight&per_page=200');
      expect(open).toHaveLength(200); // and more: 380 are due, and 256 calls are allowed at once
      for (const hook of hooks) await server.admin.delete(`${HOOKS}/${hook.id}`);
    } finally {
      for (const one of [...healthy, ...hung]) await one.close();
    }
  }, 60_000);
});
