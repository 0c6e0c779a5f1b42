import { ForeignPeer } from './fakes/foreign-peer.js';
import { runFuzz } from './resilience/fuzz-run.mjs';
import { type RawAnswer, RawConnection } from './resilience/raw-http.mjs';
import { checkAnswer } from './support/answer-check.mjs';
import { ApiClient } from './support/api-client.mjs';
import { expectError as expectErrorAnswer } from './support/expect-error.js';
import { ServerProcess } from './support/server-process.mjs';
import { createTestDatabase, isMysql, type TestDatabase } from './support/test-database.js';
import { ADMIN_PASSWORD } from './support/test-server.js';

/** On MySQL, which takes twice as long, only enough to show that each route refuses. */
const COUNT = Number(process.env['FUZZ_COUNT'] ?? (isMysql ? 6_400 : 20_000));
const seed = Number(process.env['FUZZ_SEED'] ?? 1);
const MAX_BODY = 300_000 + 512;

describe('generated requests', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it(`get ${COUNT} documented responses, even for a huge value in each place (FUZZ_SEED=${seed})`, async () => {
    const peer = await ForeignPeer.start();
    const report = await runFuzz({ env: database.env, count: COUNT, seed, peer });
    // The report of a failure is long and meant for reading.
    if (report.faults.length > 0) throw new Error(report.faults.join('\n\n'));
    expect(report.count).toBe(COUNT);
    expect(report.huge).toBeGreaterThan(350);
    expect(report.coverage.size).toBeGreaterThan(160);
    expect(report.coverage.gaps).toEqual([]);
    expect(report.coverage.succeeded).toBeGreaterThan(120);
    expect(report.statuses['200'] ?? 0).toBeGreaterThan(COUNT / 5);
    expect(report.statuses['400'] ?? 0).toBeGreaterThan(COUNT / 20);
  }, 300_000);
});

describe('bad input', () => {
  let database: TestDatabase;
  let server: ServerProcess;
  let connection: RawConnection;
  let token: string;
  let hookId: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    server = await ServerProcess.start({ ...database.env, ADMIN_PASSWORD, LOG_LEVEL: 'warn' });
    connection = new RawConnection(server.url);
    const admin = await new ApiClient(server.url).login('admin', ADMIN_PASSWORD);
    token = admin!.token;
    hookId = (await admin!.get('/hooks/incoming')).body[0].id;
  }, 60_000);
  afterAll(async () => {
    connection.close();
    await server.stop();
    await database.drop();
  });

  interface Given {
    readonly headers?: readonly string[];
    readonly body?: string | Buffer;
    readonly isChunked?: boolean;
  }

  async function send(method: string, target: string, given: Given = {}): Promise<RawAnswer> {
    const { headers = [], body, isChunked = false } = given;
    const bytes = Buffer.from((body ?? '') as string);
    const lines = [
      `${method} ${target.replace('HOOK', hookId)} HTTP/1.1`,
      'Host: localhost',
      `Authorization: Bearer ${token}`,
      ...headers,
    ];
    if (isChunked) lines.push('Transfer-Encoding: chunked');
    else if (body !== undefined) lines.push(`Content-Length: ${bytes.length}`);
    const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
    const wire = isChunked
      ? [head, `${bytes.length.toString(16)}\r\n`, bytes, '\r\n0\r\n\r\n']
      : [head, bytes];
    return checked(await connection.send(wire, { method }), method, target);
  }

  function checked(answer: RawAnswer, method?: string, target?: string): RawAnswer {
    checkAnswer(answer, method, target);
    return answer;
  }

  const expectError = ({ body, ...answer }: RawAnswer, ...wanted: [number, string, string?]): void =>
    expectErrorAnswer({ ...answer, body: JSON.parse(body.toString('utf8')) }, ...wanted);

  const json = (body: unknown): Given => ({
    headers: ['Content-Type: application/json'],
    body: JSON.stringify(body),
  });
  const text = (body: string | Buffer): Given => ({ headers: ['Content-Type: application/json'], body });
  const BODY = 'api.context.invalid_body_param.app_error';
  const URL_PARAM = 'api.context.invalid_url_param.app_error';
  const DECODE = 'web.incoming_webhook.decode.app_error';
  const REQUEST = 'api.context.bad_request.app_error';
  const MISSING = 'api.context.404.app_error';
  const TOO_LARGE = 'api.context.request_body_too_large.app_error';

  describe('of the wrong size', () => {
    const large = JSON.stringify({ text: 'x'.repeat(MAX_BODY) });

    it.each([
      ['a hook, declared', 'POST', '/hooks/HOOK', false],
      ['a hook, in chunks', 'POST', '/hooks/HOOK', true],
      ['the API, declared', 'POST', '/api/v4/posts', false],
      ['the API, in chunks', 'PUT', '/api/v4/hooks/incoming/HOOK', true],
      ['a route that reads no body', 'DELETE', '/api/v4/hooks/incoming/HOOK', false],
    ])('is 413 at %s', async (_, method, target, isChunked) => {
      expectError(await send(method, target, { ...text(large), isChunked }), 413, TOO_LARGE, '300000');
    });

    it('is accepted up to the exact limit', async () => {
      const body = JSON.stringify({ text: 'x'.repeat(MAX_BODY - 11) });
      expect(body).toHaveLength(MAX_BODY);
      expect((await send('POST', '/hooks/HOOK', text(body))).body.toString()).toBe('ok');
      expectError(await send('POST', '/hooks/HOOK', text(`${body} `)), 413, TOO_LARGE);
    });

    it('is refused before 50 MB in chunks have arrived, and not stored', async () => {
      const before = server.resetPeakMiB();
      const large = new RawConnection(server.url);
      const chunk = Buffer.concat([
        Buffer.from('100000\r\n'),
        Buffer.alloc(1 << 20, 0x20),
        Buffer.from('\r\n'),
      ]);
      const head = 'POST /hooks/HOOK HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n'.replace(
        'HOOK',
        hookId,
      );
      const answer = checked(await large.send([head, ...Array.from({ length: 50 }, () => chunk)]));
      large.close();
      expectError(answer, 413, TOO_LARGE);
      expect(server.residentMiB().peak - before).toBeLessThan(20);
    });

    it('is 414 when the URL is longer than 2048 characters', async () => {
      const path = '/api/v4/users?x=';
      expect((await send('GET', path.padEnd(2048, 'a'))).status).toBe(200);
      expectError(await send('GET', path.padEnd(2049, 'a')), 414, 'basic_security_check.url.too_long_error');
    });

    it('is 431 when the head is too large', async () => {
      const answer = await send('GET', '/api/v4/users/me', { headers: [`X-Large: ${'x'.repeat(20_000)}`] });
      expectError(answer, 431, 'api.context.headers_too_large.app_error');
      expect(answer.isClosed).toBe(true);
    });
  });

  describe('in a body', () => {
    const create = '/api/v4/hooks/incoming';
    const deep = (open: string, close: string, depth: number): string =>
      open.repeat(depth) + close.repeat(depth);

    it.each<[string, string, string, Given, string, string]>([
      ['nothing', 'POST', create, text(''), BODY, 'incoming_webhook'],
      ['no body at all', 'POST', create, {}, BODY, 'incoming_webhook'],
      ['a list', 'POST', create, text('[]'), BODY, 'incoming_webhook'],
      ['a number', 'POST', '/api/v4/teams', text('5'), BODY, 'team'],
      ['an object for a list', 'POST', '/api/v4/users/ids', text('{}'), BODY, 'user_ids'],
      ['a list with a number', 'POST', '/api/v4/users/ids', text('["a",1]'), BODY, 'user_ids'],
      ['a missing key', 'POST', create, json({}), BODY, 'channel_id'],
      ['a number for text', 'POST', create, json({ channel_id: 5 }), BODY, 'channel_id'],
      [
        'a number for a flag',
        'POST',
        create,
        json({ channel_id: 'x', channel_locked: 1 }),
        BODY,
        'channel_locked',
      ],
      ['text for an object', 'POST', '/api/v4/posts', json({ channel_id: 'x', props: 'x' }), BODY, 'props'],
      [
        'NUL deep inside',
        'POST',
        '/api/v4/posts',
        json({ props: { a: [{ b: '\0' }] } }),
        BODY,
        'props.a.0.b',
      ],
      ['lists in lists', 'POST', create, text(deep('[', ']', 100_000)), BODY, 'nested'],
      ['101 levels', 'POST', '/api/v4/posts', text(`{"props":${deep('[', ']', 100)}}`), BODY, 'nested'],
      ['bytes that are not UTF-8', 'POST', create, text(Buffer.from([0x22, 0xff, 0x22])), BODY, 'UTF-8'],
    ])('%s is 400', async (_, method, target, given, id, words) => {
      expectError(await send(method, target, given), 400, id, words);
    });

    it.each<[string, Given]>([
      ['unknown fields', json({ text: 'x', unknown: { a: [1] }, __proto__x: 1 })],
      [
        '__proto__',
        text('{"text":"x","__proto__":{"text":"y"},"props":{"__proto__":{"a":1},"constructor":1}}'),
      ],
      [
        'text in Latin-1 that says so',
        { headers: ['Content-Type: application/json; charset=iso-8859-1'], body: '{"text":"x"}' },
      ],
      [
        'bytes that are not UTF-8',
        text(Buffer.concat([Buffer.from('{"text":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')])),
      ],
    ])('%s is accepted by a hook', async (_, given) => {
      const answer = await send('POST', '/hooks/HOOK', given);
      expect({ status: answer.status, body: answer.body.toString() }).toEqual({ status: 200, body: 'ok' });
    });

    it.each<[string, Given, string]>([
      ['nothing', text(''), ''],
      ['a list', text('[]'), ''],
      ['NUL deep inside', text('{"text":"x","attachments":[{"text":"\\u0000"}]}'), 'attachments.0.text'],
      ['a wrong type inside', text('{"attachments":[{"text":"x","fields":[{"short":5}]}]}'), 'short'],
      ['deep nesting', text(`{"text":"x","props":${deep('[', ']', 100_000)}}`), 'nested'],
      [
        'an unknown character set',
        { headers: ['Content-Type: application/json; charset=bogus'], body: '{"text":"x"}' },
        'bogus',
      ],
      [
        'a form without payload',
        { headers: ['Content-Type: application/x-www-form-urlencoded'], body: 'a=b' },
        'payload',
      ],
      [
        'multipart without a boundary',
        { headers: ['Content-Type: multipart/form-data'], body: 'x' },
        'boundary',
      ],
      ['an invalid type', { headers: ['Content-Type: application/json junk'], body: '{"text":"x"}' }, ''],
    ])('%s is 400 at a hook', async (_, given, words) => {
      expectError(await send('POST', '/hooks/HOOK', given), 400, DECODE, words);
    });
  });

  describe('in a URL', () => {
    it.each([
      ['a short id', 'GET', '/api/v4/hooks/incoming/abc', 400, URL_PARAM, 'hook_id'],
      ['an id with a dash', 'GET', `/api/v4/hooks/incoming/a-${'a'.repeat(24)}`, 404, MISSING, ''],
      [
        'an unknown id',
        'GET',
        `/api/v4/hooks/incoming/${'a'.repeat(26)}`,
        404,
        'app.webhooks.get_incoming.app_error',
        '',
      ],
      ['an invalid filter id', 'GET', '/api/v4/hooks/incoming?team_id=abc', 400, URL_PARAM, 'team_id'],
      ['an unknown path', 'GET', '/api/v4/nothing', 404, MISSING, ''],
      ['an unknown method', 'PATCH', '/api/v4/hooks/incoming', 404, MISSING, ''],
      ['a broken escape', 'GET', '/api/v4/users/%zz', 400, REQUEST, ''],
      ['an escape that is not UTF-8', 'GET', '/api/v4/users/%ff', 400, REQUEST, 'The URL is malformed'],
      ['NUL in the path', 'GET', '/api/v4/users/username/a%00b', 400, REQUEST, 'NUL'],
      ['NUL in the query', 'GET', '/api/v4/users?in_team=%00', 400, REQUEST, 'NUL'],
      ['a name instead of a path', 'CONNECT', 'localhost:80', 404, MISSING, ''],
      ['a broken escape at a hook', 'POST', '/hooks/%zz', 400, REQUEST, ''],
    ])('%s is refused', async (_, method, target, status, id, words) => {
      expectError(await send(method, target), status, id, words);
    });

    it('can be a whole URL, as proxies send it', async () => {
      expect((await send('GET', 'http://localhost/api/v4/users/me')).status).toBe(200);
    });

    it.each(['page=-1', 'page=abc&per_page=x', 'page[]=7&page[a]=7'])(
      '?%s returns the first page',
      async (query) => {
        const [odd, plain] = [
          await send('GET', `/api/v4/users?${query}`),
          await send('GET', '/api/v4/users'),
        ];
        expect(odd.status).toBe(200);
        expect(odd.body.toString()).toBe(plain.body.toString());
      },
    );
  });

  describe('that is not HTTP', () => {
    it.each([
      ['an invalid request line', 'hello\r\n\r\n', 400],
      ['a header without a colon', 'GET /api/v4/users HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n', 400],
      ['a negative length', 'POST /hooks/x HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n', 400],
      [
        'a length and chunks',
        'POST /hooks/x HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
        400,
      ],
      ['no host', 'GET /api/v4/users HTTP/1.1\r\n\r\n', 400],
      ['TLS', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01]), 400],
    ])('gets a response: %s', async (_, bytes, status) => {
      const broken = new RawConnection(server.url);
      expectError(checked(await broken.send([bytes])), status, REQUEST);
      broken.close();
    });

    it('gets a response in the middle of a body', async () => {
      const broken = new RawConnection(server.url);
      const head = `POST /hooks/${hookId} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`;
      expectError(checked(await broken.send([`${head}5\r\nhello\r\nzz\r\n`])), 400, REQUEST);
      broken.close();
    });

    it('does not block a caller who expects 100 Continue', async () => {
      const given = {
        headers: ['Expect: 100-continue', 'Content-Type: application/json'],
        body: '{"text":"x"}',
      };
      expect((await send('POST', '/hooks/HOOK', given)).body.toString()).toBe('ok');
    });

    it('accepts WebSockets only with GET', async () => {
      const headers = ['Connection: Upgrade', 'Upgrade: websocket', 'Origin: http://evil.example'];
      expectError(await send('POST', '/api/v4/websocket', { headers }), 404, MISSING);
    });

    it('serves a caller who offers HTTP/2', async () => {
      const headers = [
        'Connection: Upgrade, HTTP2-Settings',
        'Upgrade: h2c',
        'HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA',
      ];
      expect((await send('POST', '/hooks/HOOK', { headers, body: '{"text":"x"}' })).body.toString()).toBe(
        'ok',
      );
    });
  });

  it('logs no errors', () => {
    expect(server.errors).toEqual([]);
  });
});
