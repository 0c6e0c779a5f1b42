import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import type { OutboundErrorClass, OutboundFailure } from '../src/delivery/outbound/outbound-failure.js';
import {
  type Behaviour,
  forever,
  type HostileReceiver,
  startHostileReceiver,
} from './fakes/hostile-receiver.js';
import { selfSigned } from './fakes/self-signed.js';
import { type Outbound, startOutbound } from './support/outbound.js';

const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = `${OK}transfer-encoding: chunked\r\n\r\n`;
const MIB = 1024 * 1024;
/** The time that a call may take beyond its deadline on a busy machine; no receiver here ends on its own. */
const SLACK_MS = 3_000;

const says =
  (...pieces: (string | Buffer)[]): Behaviour =>
  (socket) => {
    for (const piece of pieces) socket.write(piece);
  };
const sendsAndCloses =
  (text: string | Buffer): Behaviour =>
  (socket) =>
    void socket.end(text);
/** Sends an RST once `text` had time to arrive; the caller keeps what it has read by then. */
const sendsAndResets =
  (text: string): Behaviour =>
  (socket) => {
    if (text === '') return void socket.resetAndDestroy();
    socket.write(text, () => setTimeout(() => socket.resetAndDestroy(), 100));
  };
const encoded = (encoding: string, body: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`${OK}content-encoding: ${encoding}\r\ncontent-length: ${body.length}\r\n\r\n`),
    body,
  ]);

describe('calls to other servers', () => {
  let outbound: Outbound;
  let receivers: HostileReceiver[] = [];

  const receive = async (behaviour: Behaviour): Promise<HostileReceiver> => {
    const receiver = await startHostileReceiver(behaviour);
    receivers.push(receiver);
    return receiver;
  };

  beforeEach(async () => {
    outbound = await startOutbound({ ALLOWED_INTERNAL_HOSTS: '127.0.0.1', OUTGOING_TIMEOUT: '3s' });
  });
  afterEach(async () => {
    await outbound.close();
    await Promise.all(receivers.map((receiver) => receiver.close()));
    receivers = [];
  });

  describe('that succeed', () => {
    it('send exactly the given request', async () => {
      const receiver = await receive(
        says(`${OK}X-One: 1\r\nX-Two: a\r\nx-two: b\r\ncontent-length: 2\r\n\r\nok`),
      );
      const reply = await outbound.post(`${receiver.url}?a=b%20c#part`, {
        headers: { 'Content-Type': 'text/x' },
      });
      expect(reply).toMatchObject({ status: 200, isCut: false, headers: { 'x-one': '1', 'x-two': 'b' } });
      expect(reply.body.toString()).toBe('ok');
      expect(reply.firstByteMs).toBeLessThanOrEqual(reply.durationMs);
      expect(receiver.requests[0]?.split('\r\n')).toEqual([
        'POST /hook?a=b%20c HTTP/1.1',
        `host: 127.0.0.1:${receiver.port}`,
        'connection: keep-alive',
        'Content-Type: text/x',
        'accept-encoding: gzip, deflate, br',
        'content-length: 1',
        '',
        'x',
      ]);
    });

    it('report the connection time only for the first request of a connection', async () => {
      const receiver = await receive((socket) =>
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'),
      );
      const took = { nameMs: -1, connectMs: expect.any(Number), tlsMs: -1 };
      const { timing: first, firstByteMs } = await outbound.post(receiver.url);
      expect(first).toEqual({ ...took, sentMs: expect.any(Number) });
      expect(first.connectMs).toBeGreaterThan(0);
      expect(first.sentMs).toBeGreaterThanOrEqual(first.connectMs);
      expect(firstByteMs).toBeGreaterThanOrEqual(first.sentMs);
      await new Promise(setImmediate); // only then is the connection free
      const { timing: second } = await outbound.post(receiver.url);
      expect(second).toEqual({ ...took, connectMs: -1, sentMs: expect.any(Number) });
      expect(second.sentMs).toBeGreaterThanOrEqual(0);
      const refused = await outbound.failureOf('http://10.0.0.1/');
      expect(refused.partial.timing).toEqual({ ...took, connectMs: -1, sentMs: -1 });
    });

    it('resolve with any status', async () => {
      const receiver = await receive((socket) =>
        socket.write('HTTP/1.1 500 No\r\ncontent-length: 3\r\n\r\nwhy'),
      );
      expect(await outbound.post(receiver.url)).toMatchObject({ status: 500, body: Buffer.from('why') });
      const empty = await receive(says('HTTP/1.1 204 Nothing\r\ncontent-encoding: br\r\n\r\n'));
      const announced = await receive(says('HTTP/1.1 204 Nothing\r\ncontent-length: 5\r\n\r\nhello'));
      for (const { url } of [empty, announced]) {
        const reply = await outbound.post(url, { method: 'GET', body: undefined });
        expect(reply).toMatchObject({ status: 204, body: Buffer.alloc(0) });
      }
    });

    it.each([
      ['gzip', gzipSync('hello')],
      ['x-gzip', gzipSync('hello')],
      ['deflate', deflateSync('hello')],
      ['deflate', deflateRawSync('hello')], // some servers mean that; browsers accept it as well
      ['br', brotliCompressSync('hello')],
      ['identity', Buffer.from('hello')],
      ['BR', brotliCompressSync('hello')],
    ])('decode %s', async (encoding, body) => {
      const receiver = await receive(says(encoded(encoding, body)));
      expect((await outbound.post(receiver.url)).body.toString()).toBe('hello');
    });

    it('keep the connection for the next call, and close it soon or with the application', async () => {
      const receiver = await receive(says(`${OK}content-length: 2\r\n\r\nok`));
      for (let call = 0; call < 5; call++) await outbound.post(receiver.url);
      const kept = receiver.connections;
      expect(kept).toBeLessThanOrEqual(2); // a connection idles for one turn of the event loop
      await receiver.drained(); // idle for some seconds
      await outbound.post(receiver.url);
      expect(receiver.connections).toBe(kept + 1);
      await outbound.close();
      await receiver.drained();
    });

    it('keep a bounded number of connections, no matter how many receivers there are', async () => {
      const waiting: Socket[] = [];
      const calls: Promise<unknown>[] = [];
      for (let count = 0; count < 9; count++) {
        const receiver = await receive((socket) => {
          if (waiting.push(socket) < 540) return;
          for (const one of waiting) one.write(`${OK}content-length: 0\r\n\r\n`);
        });
        for (let call = 0; call < 60; call++) calls.push(outbound.post(receiver.url, { timeoutMs: 25_000 }));
      }
      await Promise.all(calls);
      const closing = receivers
        .flatMap((receiver) => receiver.requests)
        .filter((head) => /^connection: close/m.test(head));
      expect(closing).toHaveLength(540 - 512);
    });

    it('ignore proxy variables of the environment', async () => {
      const proxy = await receive(says(`${OK}content-length: 5\r\n\r\nproxy`));
      const receiver = await receive(says(`${OK}content-length: 2\r\n\r\nok`));
      const names = ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy', 'HTTPS_PROXY', 'https_proxy'];
      const before = names.map((name) => process.env[name]);
      for (const name of names) process.env[name] = `http://127.0.0.1:${proxy.port}`;
      const fresh = await startOutbound({ ALLOWED_INTERNAL_HOSTS: '127.0.0.1' });
      try {
        expect((await fresh.post(receiver.url)).body.toString()).toBe('ok');
        await fresh.failureOf(receiver.url.replace('http:', 'https:'), { timeoutMs: 500 });
        expect(proxy.connections).toBe(0);
      } finally {
        names.forEach((name, index) => {
          if (before[index] === undefined) delete process.env[name];
          else process.env[name] = before[index];
        });
        await fresh.close();
      }
    });
  });

  describe('to a receiver that redirects', () => {
    it('end with the redirect', async () => {
      const internal = await receive(says(`${OK}content-length: 0\r\n\r\n`));
      const receiver = await receive((socket) =>
        socket.write(
          `HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:${internal.port}/\r\ncontent-length: 0\r\n\r\n`,
        ),
      );
      const reply = await outbound.post(receiver.url);
      expect(reply).toMatchObject({
        status: 302,
        headers: { location: `http://127.0.0.1:${internal.port}/` },
      });
      expect(internal.connections).toBe(0);
    });
  });

  /** Ends at the deadline, with what had arrived until then; all of them in the time of one. */
  describe('end at the deadline when the receiver', () => {
    const cases: [string, Behaviour, { status: number; body?: RegExp }][] = [
      ['never answers', () => undefined, { status: 0 }],
      ['stops after some headers', says(`${OK}x-a: b\r\n`), { status: 0 }],
      ['stops after the headers', says(`${OK}content-length: 9\r\n\r\n`), { status: 200, body: /^$/ }],
      ['stops in the body', says(`${OK}content-length: 9\r\n\r\n`, 'part'), { status: 200, body: /^part$/ }],
      ['stops in a chunk', says(`${CHUNKED}9\r\npart`), { status: 200, body: /^part$/ }],
      ['never ends its chunks', says(`${CHUNKED}4\r\npart\r\n`), { status: 200, body: /^part$/ }],
      ['slowly sends its status line', forever('HTTP/1.1 200 ', 'o', 20), { status: 0 }],
      ['slowly sends its headers', forever(`${OK}x: `, 'o', 20), { status: 0 }],
      [
        'slowly sends its body',
        forever(`${OK}content-length: 999\r\n\r\n`, 'o', 20),
        { status: 200, body: /^o+$/ },
      ],
      ['drips chunks', forever(CHUNKED, '1\r\no\r\n', 20), { status: 200 }],
      ['slowly sends interim replies', forever('', 'HTTP/1.1 102 Wait\r\n\r\n', 80), { status: 0 }],
      ['never ends a gzip stream', says(encoded('gzip', gzipSync('hello')).subarray(0, -9)), { status: 200 }],
    ];
    const timeoutMs = 500;
    let calls: ReadonlyMap<string, { readonly receiver: HostileReceiver; readonly failure: OutboundFailure }>;

    beforeAll(async () => {
      const caller = await startOutbound({ ALLOWED_INTERNAL_HOSTS: '127.0.0.1' });
      const call = async ([what, behaviour]: (typeof cases)[number]) => {
        const receiver = await startHostileReceiver(behaviour);
        const failure = await caller.failureOf(receiver.url, { timeoutMs });
        return [what, { receiver, failure }] as const;
      };
      calls = new Map(await Promise.all(cases.map(call)));
      for (const { receiver } of calls.values()) await receiver.drained(); // the connection is closed, not left open
      await caller.close();
    });
    afterAll(() => Promise.all([...calls.values()].map(({ receiver }) => receiver.close())));

    it.each(cases)('%s', (what, _, came) => {
      const { errorClass, message, partial } = calls.get(what)!.failure;
      expect({ errorClass, message }).toEqual({
        errorClass: 'timeout',
        message: 'The call did not finish within 0.5 s.',
      });
      expect(partial.status).toBe(came.status);
      expect(partial.firstByteMs >= 0).toBe(came.status > 0);
      if (came.body) expect(partial.body.toString()).toMatch(came.body);
      expect(partial.durationMs).toBeGreaterThan(timeoutMs - 50);
      expect(partial.durationMs).toBeLessThan(timeoutMs + SLACK_MS);
    });
  });

  /** Fails at once with the class of the error; the deadline is far away. */
  it.each<[string, Behaviour, OutboundErrorClass, number]>([
    ['resets at once', sendsAndResets(''), 'reset', 0],
    ['resets in the headers', sendsAndResets(`${OK}x-a: b\r\n`), 'reset', 0],
    ['resets in the body', sendsAndResets(`${OK}content-length: 9\r\n\r\npart`), 'reset', 200],
    ['closes without a reply', sendsAndCloses(''), 'reset', 0],
    ['closes in the headers', sendsAndCloses(`${OK}x-a: b\r\n`), 'reset', 0],
    ['declares more body than it sends', sendsAndCloses(`${OK}content-length: 9\r\n\r\npart`), 'reset', 200],
    ['closes in a chunk', sendsAndCloses(`${CHUNKED}9\r\npart`), 'reset', 200],
    ['closes between chunks', sendsAndCloses(`${CHUNKED}4\r\npart\r\n`), 'reset', 200],
    ['floods with interim replies', forever('', 'HTTP/1.1 102 Wait\r\n\r\n'), 'protocol', 0],
    ['floods with early hints', forever('', 'HTTP/1.1 103 Hints\r\nlink: </a>\r\n\r\n'), 'protocol', 0],
    ['floods with 100', forever('', 'HTTP/1.1 100 Continue\r\n\r\n'), 'protocol', 0],
    [
      'switches protocols',
      says('HTTP/1.1 101 Go\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
      'protocol',
      0,
    ],
    ['speaks another protocol', says('SSH-2.0-OpenSSH_9.2\r\n'), 'protocol', 0],
    ['speaks a future HTTP', says('HTTP/9.9 200 OK\r\n\r\n'), 'protocol', 0],
    ['sends a text as status', says('HTTP/1.1 abc OK\r\n\r\n'), 'protocol', 0],
    ['sends two lengths', says(`${OK}content-length: 1\r\ncontent-length: 2\r\n\r\nok`), 'protocol', 0],
    ['sends a negative length', says(`${OK}content-length: -1\r\n\r\nok`), 'protocol', 0],
    ['sends a text as length', says(`${OK}content-length: two\r\n\r\nok`), 'protocol', 0],
    [
      'sends a length beyond the number range',
      says(`${OK}content-length: 99999999999999999999\r\n\r\nok`),
      'protocol',
      0,
    ],
    [
      'sends a length and chunks',
      says(`${OK}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\nok`),
      'protocol',
      0,
    ],
    ['sends a text as chunk size', says(`${CHUNKED}zz\r\n`), 'protocol', 200],
    ['sends one giant header', forever(`${OK}x: `, 'a'.repeat(65_536)), 'protocol', 0],
    ['sends endless headers', forever(OK, 'x-header: some value\r\n'.repeat(500)), 'protocol', 0],
    [
      'sends endless trailers',
      forever(`${CHUNKED}0\r\n`, 'x-header: some value\r\n'.repeat(500)),
      'protocol',
      200,
    ],
    ['sends invalid gzip', says(encoded('gzip', Buffer.from('no gzip at all'))), 'decoding', 200],
    ['sends invalid deflate', says(encoded('deflate', Buffer.from('no deflate at all'))), 'decoding', 200],
    ['sends invalid brotli', says(encoded('br', Buffer.from('no brotli at all'))), 'decoding', 200],
    ['breaks in a gzip stream', says(encoded('gzip', brokenGzip())), 'decoding', 200],
    ['uses an encoding that was not requested', says(encoded('zstd', Buffer.from('zstd'))), 'decoding', 200],
    ['encodes twice', says(encoded('gzip, gzip', gzipSync(gzipSync('x')))), 'decoding', 200],
  ])('fail at once when the receiver %s', async (_, behaviour, errorClass, status) => {
    const receiver = await receive(behaviour);
    const failure = await outbound.failureOf(receiver.url, { timeoutMs: 20_000 });
    expect({ errorClass: failure.errorClass, status: failure.partial.status }).toEqual({
      errorClass,
      status,
    });
    expect(failure.message).toMatch(/^[A-Z].*\.$/);
    expect(failure.message).not.toContain('127.0.0.1');
    expect(failure.message).not.toContain('no code');
    if (errorClass !== 'decoding') await receiver.drained(); // such a reply may be complete, and its connection reusable
  });

  it('read a reply up to its declared end, and drop the rest', async () => {
    const smuggled = 'HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nfake';
    let calls = 0;
    const receiver = await receive((socket) => {
      calls += 1;
      socket.write(
        `${OK}content-length: 2\r\n\r\n${calls === 1 ? 'ok' : 'no'}${calls === 1 ? smuggled : ''}`,
      );
    });
    expect((await outbound.post(receiver.url)).body.toString()).toBe('ok');
    expect((await outbound.post(receiver.url)).body.toString()).toBe('no');
    expect(receiver.connections).toBe(2);
  });

  it.each<[string, Behaviour]>([
    ['an endless body', forever(`${OK}\r\n`, 'x'.repeat(65_536))],
    ['endless chunks', forever(CHUNKED, `10000\r\n${'x'.repeat(65_536)}\r\n`)],
    ['more than the maximum', says(`${OK}content-length: ${2 * MIB}\r\n\r\n${'x'.repeat(2 * MIB)}`)],
    ['a gzip bomb', forever(`${OK}content-encoding: gzip\r\n\r\n`, gzipSync(Buffer.alloc(16 * MIB, 'x')))],
    ['a brotli bomb', says(encoded('br', brotliCompressSync(Buffer.alloc(64 * MIB, 'x'))))],
    ['a deflate bomb', says(encoded('deflate', deflateSync(Buffer.alloc(64 * MIB, 'x'))))],
  ])('truncate %s, and close the connection', async (_, behaviour) => {
    const receiver = await receive(behaviour);
    const reply = await outbound.post(receiver.url, { maxReplyBytes: 100_000, timeoutMs: 20_000 });
    expect(reply).toMatchObject({ status: 200, isCut: true });
    expect(reply.body.equals(Buffer.alloc(100_000, 'x'))).toBe(true);
    await receiver.drained();
    expect((await outbound.post(receiver.url, { timeoutMs: 20_000 })).body).toHaveLength(MIB); // the default
  });

  /** Endless replies with little or no content. */
  it.each<[string, Behaviour, string]>([
    ['chunk extensions', forever(`${CHUNKED}1;`, 'x'.repeat(65_536)), ''],
    ['extensions of many chunks', forever(CHUNKED, `1;${'x'.repeat(60_000)}\r\nx\r\n`), 'x'],
    ['empty deflate blocks', forever(encodedWithoutEnd('deflate'), emptyDeflateBlocks(), 0), ''],
    ['empty gzip members', forever(encodedWithoutEnd('gzip'), emptyGzipMembers()), ''],
    ['empty brotli blocks', forever(`${encodedWithoutEnd('br')}\f`, Buffer.alloc(65_536, 6)), ''],
    ['zeros after gzip', endedAnd('gzip', gzipSync('hello'), 0), 'hello'],
    ['text after deflate', endedAnd('deflate', deflateSync('hello'), 'x'), 'hello'],
  ])('truncate endless %s, and close the connection', async (_, behaviour, start) => {
    let sent = 0;
    const receiver = await receive((socket, request) => {
      socket.once('close', () => (sent = socket.bytesWritten));
      behaviour(socket, request);
    });
    const reply = await outbound.post(receiver.url, { maxReplyBytes: 100_000, timeoutMs: 20_000 });
    await receiver.drained();
    expect(reply.status).toBe(200);
    expect(reply.body.toString().startsWith(start)).toBe(true);
    if (start !== 'hello') expect(reply.isCut).toBe(true);
    expect(sent).toBeLessThan(12 * MIB); // including the buffers of the system
  });

  it('count the bytes of each reply, not those of its connection', async () => {
    const head = `${OK}content-length: ${200 * 1024}\r\n\r\n`;
    const receiver = await receive(says(head, 'x'.repeat(200 * 1024)));
    for (let call = 0; call < 10; call++) {
      const reply = await outbound.post(receiver.url, { maxReplyBytes: 200 * 1024 });
      expect(reply).toMatchObject({ status: 200, isCut: false });
    }
    expect(receiver.connections).toBeLessThan(5);
  });

  it('accept a complete reply of small chunks', async () => {
    const receiver = await receive(says(CHUNKED, `10\r\n${'x'.repeat(16)}\r\n`.repeat(30_000), '0\r\n\r\n'));
    const reply = await outbound.post(receiver.url);
    expect(reply).toMatchObject({ status: 200, isCut: false });
    expect(reply.body).toHaveLength(480_000);
  });

  it('accept a reply of exactly the maximum size', async () => {
    const receiver = await receive(says(`${OK}content-length: 1000\r\n\r\n${'x'.repeat(1000)}`));
    expect(await outbound.post(receiver.url, { maxReplyBytes: 1000 })).toMatchObject({ isCut: false });
    expect(await outbound.post(receiver.url, { maxReplyBytes: 999 })).toMatchObject({ isCut: true });
  });

  it.each<[string, Behaviour]>([
    ['gzip bombs', forever(`${OK}content-encoding: gzip\r\n\r\n`, gzipSync(Buffer.alloc(16 * MIB, 'x')))],
    ['bodies of one-byte chunks', forever(CHUNKED, '1\r\nx\r\n'.repeat(10_000))],
    ['endless headers', forever(OK, 'x-header: some value\r\n'.repeat(500))],
    ['endless interim replies', forever('', 'HTTP/1.1 102 Wait\r\n\r\n'.repeat(500))],
    ['endless chunk extensions', forever(`${CHUNKED}1;`, 'x'.repeat(65_536))],
    ['an endless status line', forever('HTTP/1.1 200 ', 'x'.repeat(65_536))],
  ])('keep memory flat under many %s', async (_, behaviour) => {
    const receiver = await receive(behaviour);
    const call = { timeoutMs: 1_500, maxReplyBytes: MIB };
    const before = process.memoryUsage().rss;
    let peak = 0;
    const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 10);
    const calls = Array.from({ length: 20 }, () => outbound.post(receiver.url, call).catch(() => undefined));
    await Promise.all(calls);
    clearInterval(timer);
    // At most 20 MiB of replies, plus what the receiver and the garbage collector need in the same process.
    expect((peak - before) / MIB).toBeLessThan(200);
    await receiver.drained();
  });

  it('end at the deadline if no connection is established', async () => {
    const { port, stop } = await startUnreachable();
    try {
      const failure = await outbound.failureOf(`http://127.0.0.1:${port}/`, { timeoutMs: 500 });
      expect(failure).toMatchObject({ errorClass: 'timeout', partial: { status: 0, firstByteMs: -1 } });
      expect(failure.partial.durationMs).toBeLessThan(500 + SLACK_MS);
    } finally {
      await stop();
    }
  });

  it('fail at once if nothing listens', async () => {
    const receiver = await startHostileReceiver(() => undefined);
    await receiver.close();
    expect(await outbound.failureOf(receiver.url)).toMatchObject({ errorClass: 'connect' });
  });

  it('refuse untrusted certificates and invalid TLS', async () => {
    let secrets = 0;
    const server = createTlsServer(selfSigned, (socket) => socket.on('data', () => (secrets += 1)));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    try {
      expect(await outbound.failureOf(`https://127.0.0.1:${port}/`)).toMatchObject({ errorClass: 'tls' });
      expect(secrets).toBe(0);
    } finally {
      server.close();
    }
    const greet = (socket: Socket): void => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    const plain = await startHostileReceiver(() => undefined, '127.0.0.1', greet);
    receivers.push(plain);
    expect(await outbound.failureOf(plain.url.replace('http:', 'https:'))).toMatchObject({
      errorClass: 'tls',
    });
    const silent = await receive(() => undefined);
    const url = silent.url.replace('http:', 'https:');
    expect(await outbound.failureOf(url, { timeoutMs: 500 })).toMatchObject({ errorClass: 'timeout' });
    await silent.drained(); // by the timeout of a connection attempt
  });

  it('are aborted on request, before and while they run', async () => {
    const receiver = await receive(() => undefined);
    const failure = await outbound.failureOf(receiver.url, {}, AbortSignal.abort());
    expect(failure).toMatchObject({ errorClass: 'aborted' });
    const stop = new AbortController();
    const running = outbound.failureOf(receiver.url, {}, stop.signal);
    while (receiver.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    stop.abort();
    expect(await running).toMatchObject({ errorClass: 'aborted', partial: { status: 0 } });
    await receiver.drained();
  });

  it('refuse a URL that cannot be called', async () => {
    expect(await outbound.failureOf('http://user:secret@example.com/')).toMatchObject({
      errorClass: 'bad_url',
      message: 'The URL must not contain a user name or password.',
    });
  });
});

function encodedWithoutEnd(encoding: string): string {
  return `${OK}content-encoding: ${encoding}\r\n\r\n`;
}

/** Stored blocks without content. */
function emptyDeflateBlocks(): Buffer {
  return Buffer.concat(Array.from({ length: 13_000 }, () => Buffer.from([0, 0, 0, 0xff, 0xff])));
}

function emptyGzipMembers(): Buffer {
  return Buffer.concat(Array.from({ length: 3_000 }, () => gzipSync('')));
}

/** A complete encoded body, and unrequested bytes after it. */
function endedAnd(encoding: string, body: Buffer, rest: string | number): Behaviour {
  return (socket, request) => {
    socket.write(encodedWithoutEnd(encoding));
    socket.write(body);
    forever('', Buffer.alloc(65_536, rest))(socket, request);
  };
}

function brokenGzip(): Buffer {
  const whole = gzipSync(Buffer.from(Array.from({ length: 5_000 }, (_, index) => (index * 7919) % 251)));
  return whole.fill(0xff, 200, 260);
}

/** A port whose process is stopped with a full backlog: the system drops further connections. */
async function startUnreachable(): Promise<{ port: number; stop(): Promise<void> }> {
  const script = `const s = require('net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 },
    () => console.log(s.address().port))`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const port = Number(line.toString());
  child.kill('SIGSTOP');
  const fillers: Socket[] = [];
  for (let count = 0; count < 8; count++)
    fillers.push(connect(port, '127.0.0.1').on('error', () => undefined));
  await once(fillers[0]!, 'connect');
  return {
    port,
    stop: async () => {
      for (const filler of fillers) filler.destroy();
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}
