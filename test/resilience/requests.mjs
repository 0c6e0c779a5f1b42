/** One generated request: which route, as whom, with what in its path, query, headers and body. */
import { formBytes, jsonBytes, multipartBytes, mutated, validValue } from './bodies.mjs';
import { hostileSegment, hostileString } from './hostile.mjs';
import { Random } from './random.mjs';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'CONNECT'];
/** These hash a password each, or render the whole description: a few are enough. */
const SLOW = /^POST \/api\/v4\/users$|\/login$|\/password$|openapi\.json$|\/api\/docs/;
const SLOW_WEIGHT = 0.08;
/** These end sessions or accounts: mostly those of the victim, or nobody else would get anywhere. */
const ENDING =
  /\/logout$|\/sessions\/revoke|\/active$|^DELETE \/api\/v4\/users\/\{\w+\}$|^PUT .*\/users\/\{\w+\}(\/roles|\/password|\/patch)?$|tokens\/(revoke|disable)/;
const ENDS_ALL = /^POST \/api\/v4\/users\/sessions\/revoke\/all$/;
const ENDS_ALL_WEIGHT = 0.01;
const CHUNK_BYTES = 16_384;

/** What a body that is a bare list holds. */
const listed = [
  [/\/usernames$/, 'username'],
  [/\/roles\/names$/, 'role_name'],
  [/\/posts\/ids$/, 'post_id'],
  [/\/channels\/ids$/, 'channel_id'],
  [/./, 'user_id'],
];
/** The heart of the server gets more than its share. */
const HEART = /\/hooks\/|\/posts/;
const HEART_WEIGHT = 2.5;

/** `local` comes in over the Unix socket, without credentials. */
const roles = ['admin', 'admin', 'admin', 'admin', 'admin', 'member', 'member', 'anonymous', 'local'];

const unlisted = [
  ['POST', '/hooks/{hook_id}', 6],
  ['GET', '/hooks/{hook_id}', 0.3],
  ['GET', '/', 0.2],
  ['GET', '/health/live', 0.3],
  ['GET', '/health/ready', 0.3],
  ['GET', '/metrics', 0.3],
  ['GET', '/api/docs', 0.3],
  ['GET', '/api/v4/openapi.json', 1],
  ['GET', '/api/v4/websocket', 0.5],
  ['GET', '/api/v4/nothing/{id}/here', 0.5],
  ['POST', '/nothing', 0.2],
  ['GET', '/hooks', 0.2],
  ['POST', '/hooks/{hook_id}/more', 0.2],
];

/** Every route of the application: those of its description, and those that it does not list. */
export function listRoutes(document) {
  const routes = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => {
      const label = `${method.toUpperCase()} ${path}`;
      const weight = ENDS_ALL.test(label)
        ? ENDS_ALL_WEIGHT
        : SLOW.test(label)
          ? SLOW_WEIGHT
          : HEART.test(path)
            ? HEART_WEIGHT
            : 1;
      return { method: method.toUpperCase(), path, operation, weight, isEnding: ENDING.test(label) };
    }),
  );
  const isListed = (method, path) =>
    routes.some(
      (route) =>
        route.method === method && route.path.replace(/\{\w+\}/g, '{}') === path.replace(/\{\w+\}/g, '{}'),
    );
  for (const [method, path, weight] of unlisted) {
    const label = `${method} ${path}`;
    if (!isListed(method, path))
      routes.push({ method, path, operation: {}, weight: SLOW.test(label) ? SLOW_WEIGHT : weight });
  }
  return routes;
}

/** Makes requests; number n under one seed is always the same but for the ids of this run's records. */
export class RequestGenerator {
  #document;
  #routes;
  #totalWeight;
  #seed;
  #world;

  constructor({ document, seed, world }) {
    this.#document = document;
    this.#routes = listRoutes(document);
    this.#totalWeight = this.#routes.reduce((sum, route) => sum + route.weight, 0);
    this.#seed = seed;
    this.#world = world;
  }

  get routes() {
    return this.#routes.map((route) => `${route.method} ${route.path}`);
  }

  make(n) {
    const random = new Random(this.#seed, n);
    const route = this.#pickRoute(random);
    const method = random.chance(0.93) ? route.method : random.pick(METHODS);
    const role =
      route.isEnding && random.chance(0.97) ? random.pick(['victim', 'anonymous']) : random.pick(roles);
    const request = {
      n,
      role,
      route: `${route.method} ${route.path}`,
      method,
      target: '',
      headers: [['Host', 'localhost']],
      body: undefined,
      framing: 'length',
      isBroken: false,
      hasCredentials: false,
    };
    const ids = {};
    request.target = this.#path(route, ids, random) + this.#query(route, random);
    if (random.chance(0.015)) request.target = damagedTarget(request.target, random);
    this.#authorize(request, random);
    if (route.path === '/api/v4/websocket') this.#upgrade(request, random);
    else if (random.chance(0.003))
      request.headers.push(
        ['Connection', 'Upgrade, HTTP2-Settings'],
        ['Upgrade', 'h2c'],
        ['HTTP2-Settings', 'AAMAAABkAAQCAAAAAAIAAAAA'],
      );
    this.#body(request, route, ids, random);
    if (random.chance(0.06)) this.#strangeHeader(request, random);
    if (random.chance(0.01)) breakFraming(request, random);
    return request;
  }

  #pickRoute(random) {
    let at = random.next() * this.#totalWeight;
    for (const route of this.#routes) {
      at -= route.weight;
      if (at < 0) return route;
    }
    return this.#routes[0];
  }

  #path(route, ids, random) {
    let isHostile = random.chance(0.2);
    return route.path.replace(/\{(\w+)\}/g, (_, name) => {
      if (isHostile && random.chance(0.7)) {
        isHostile = false;
        return random.chance(0.25) ? random.letters(26) : hostileSegment(random);
      }
      ids[name] = this.#world.pathValue(route, name, random);
      return encodeURIComponent(ids[name]);
    });
  }

  #query(route, random) {
    const pairs = [];
    for (const parameter of (route.operation.parameters ?? []).filter((item) => item.in === 'query')) {
      if (!random.chance(parameter.required ? 0.85 : 0.35)) continue;
      const times = random.chance(0.06) ? 3 : 1;
      for (let i = 0; i < times; i++)
        pairs.push(
          `${parameter.name}${random.pick(['', '', '', '', '', '', '[]', '[a]'])}=${this.#queryValue(parameter, random)}`,
        );
    }
    if (random.chance(0.04))
      pairs.push(
        random.pick([
          'page=-1',
          'per_page=0',
          'per_page=1e9',
          'page=99999999999999999999',
          '__proto__[x]=1',
          '=',
          '&&',
          'access_token=x',
          'a'.repeat(2_100),
        ]),
      );
    return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
  }

  #queryValue({ name, schema }, random) {
    const dice = random.next();
    if (dice < 0.5) {
      const value = this.#world.valueFor(name, random) ?? validValue(schema, name, this.#context(random));
      return encodeURIComponent(typeof value === 'object' ? '' : String(value));
    }
    if (dice < 0.65)
      return random.pick([
        '-1',
        '0',
        '1',
        '2',
        '200',
        '201',
        '1e3',
        '0x1',
        '1.5',
        'NaN',
        '',
        '999999999999',
        '9'.repeat(30),
        'true',
        'T',
        'false',
      ]);
    return hostileSegment(random);
  }

  #authorize(request, random) {
    if (request.role === 'local') return;
    const token = this.#world.tokenOf(request.role);
    const isOff = random.chance(0.05);
    if (!token || isOff) {
      if (isOff) request.headers.push(random.pick(strangeCredentials));
      request.role = 'anonymous';
      return;
    }
    request.hasCredentials = true;
    if (random.chance(0.1)) {
      request.headers.push(
        ['Cookie', `a=b; MMAUTHTOKEN=${token}; MMCSRF=x`],
        ['X-Requested-With', 'XMLHttpRequest'],
      );
    } else
      request.headers.push([
        'Authorization',
        `${random.pick(['Bearer', 'BEARER', 'bearer', 'Token'])} ${token}`,
      ]);
  }

  #upgrade(request, random) {
    const isRight = random.chance(0.5);
    request.headers.push(
      ['Connection', 'Upgrade'],
      ['Upgrade', isRight ? 'websocket' : random.pick(['websocket', 'h2c', 'WebSocket', 'x'])],
    );
    request.headers.push([
      'Sec-WebSocket-Version',
      isRight ? '13' : random.pick(['13', '8', '0', 'x', '1'.repeat(50)]),
    ]);
    request.headers.push([
      'Sec-WebSocket-Key',
      isRight
        ? 'dGhlIHNhbXBsZSBub25jZQ=='
        : random.pick(['', 'x', 'dGhlIHNhbXBsZSBub25jZQ==', 'a'.repeat(500)]),
    ]);
    if (random.chance(0.2))
      request.headers.push(['Sec-WebSocket-Extensions', random.pick(['permessage-deflate', ';;', 'x; y="'])]);
    if (random.chance(0.2)) request.headers.push(['Sec-WebSocket-Protocol', random.pick(['a', 'a,a', '"'])]);
    if (random.chance(0.2))
      request.headers.push(['Origin', random.pick(['http://evil.example', 'null', 'x'])]);
  }

  #body(request, route, ids, random) {
    const content = route.operation.requestBody?.content ?? {};
    const schema = content['application/json']?.schema ?? Object.values(content)[0]?.schema;
    const isHook = route.path.startsWith('/hooks/') && route.method === 'POST';
    if (!schema && !isHook && (request.method === 'GET' || random.chance(0.7))) {
      if (random.chance(0.95)) return;
    }
    const value = this.#bodyValue(schema, route, ids, random);
    const kind = isHook
      ? random.pick(['json', 'json', 'json', 'form', 'form', 'multipart'])
      : random.chance(0.97)
        ? 'json'
        : random.pick(['form', 'multipart']);
    if (kind === 'multipart') {
      const { bytes, boundary } = multipartBytes(value, random);
      request.body = bytes;
      this.#contentType(
        request,
        `multipart/form-data; boundary=${random.chance(0.9) ? boundary : random.pick(['', 'other', '"'])}`,
        random,
      );
    } else {
      request.body = kind === 'form' ? formBytes(value, random) : jsonBytes(value, random);
      this.#contentType(
        request,
        kind === 'form' ? 'application/x-www-form-urlencoded' : 'application/json',
        random,
      );
    }
    if (random.chance(0.12)) request.framing = 'chunked';
    if (isHook && random.chance(0.2))
      request.headers.push([
        'Idempotency-Key',
        random.pick([random.letters(8), '', 'x'.repeat(256), 'same', 'é']),
      ]);
  }

  #bodyValue(schema, { method, path }, ids, random) {
    const isHook = path.startsWith('/hooks/') && method === 'POST';
    const name = schema?.type === 'array' ? listed.find(([pattern]) => pattern.test(path))[1] : '';
    let value;
    if (isHook && random.chance(0.6)) value = this.#world.payload(random);
    else value = schema ? validValue(schema, name, this.#context(random)) : this.#world.anything(random);
    // A record's own id must equal the one in the path, or nothing beyond that check would be tried.
    for (const pair of value?.pairs ?? [])
      if (pair[0] === 'id' && random.chance(0.9)) pair[1] = Object.values(ids)[0] ?? pair[1];
    return random.chance(0.55) ? mutated(value, random) : value;
  }

  #contentType(request, type, random) {
    if (random.chance(0.06)) return;
    request.headers.push(['Content-Type', random.chance(0.86) ? type : random.pick(strangeTypes)]);
  }

  #strangeHeader(request, random) {
    request.headers.push(random.pick(strangeHeaders)(random));
  }

  #context(random) {
    return { document: this.#document, random, world: this.#world };
  }
}

const strangeCredentials = [
  ...[
    '',
    'Bearer',
    'Bearer ',
    'Bearer x',
    `Bearer ${'a'.repeat(26)}`,
    `Bearer ${'a'.repeat(5_000)}`,
    'Basic YTpi',
    'Digest x',
    'Bearer é',
    'Bearer a b',
  ].map((value) => ['Authorization', value]),
  ...[
    'MMAUTHTOKEN=',
    'MMAUTHTOKEN=%',
    `MMAUTHTOKEN=${'a'.repeat(26)}`,
    ';;;=',
    '=',
    `a=${'b'.repeat(4_000)}`,
    'MMAUTHTOKEN="x"; MMAUTHTOKEN=y',
    '__proto__=x',
  ].map((value) => ['Cookie', value]),
];

const strangeTypes = [
  ...[
    '',
    'x',
    '/',
    'application',
    'application/',
    'application/json;',
    'application/json; charset',
    'application/json; charset=utf-16',
    'application/json; charset=bogus',
  ],
  ...[
    'application/json; charset=utf-8',
    'APPLICATION/JSON',
    'application/json, text/plain',
    'text/plain',
    'text/xml',
    'application/octet-stream',
    'multipart/form-data',
    'application/x-www-form-urlencoded; charset=x',
  ],
  ...[
    'application/json; a="',
    `application/json; a=${'b'.repeat(3_000)}`,
    'application/json;charset=utf-8;charset=utf-8',
    'application/jsonx',
    '\xe9/\xff',
    'multipart/mixed; boundary=b',
  ],
];

const strangeHeaders = [
  () => ['Accept', '*/*;q=nan, text/é'],
  () => ['Accept-Language', 'x'.repeat(3_000)],
  () => ['X-Forwarded-For', '999.999.999.999, ::1, x'],
  () => ['X-Forwarded-Proto', 'javascript'],
  () => ['X-Real-IP', "' OR 1=1"],
  () => ['If-None-Match', '"'.repeat(100)],
  () => ['If-Modified-Since', 'yesterday'],
  () => ['Range', 'bytes=9-1,-5,x'],
  () => ['Expect', '100-continue'],
  () => ['Expect', 'the unexpected'],
  () => ['Content-Encoding', 'gzip'],
  () => ['Content-Encoding', 'x'],
  () => ['X-HTTP-Method-Override', 'DELETE'],
  () => ['Origin', 'null'],
  () => ['Referer', 'http://é'],
  () => ['User-Agent', `Mozilla/5.0 (${'('.repeat(2_000)}`],
  () => ['User-Agent', '\xff\xfe'],
  () => ['X-CSRF-Token', 'x'],
  () => ['X-Requested-With', 'x'],
  () => ['Idempotency-Key', 'x'.repeat(300)],
  () => ['__proto__', 'x'],
  () => ['constructor', 'x'],
  () => ['X-Long', 'x'.repeat(12_000)],
  () => ['TE', 'trailers'],
  () => ['Trailer', 'X-Later'],
  (random) => [
    `X-${random.letters(3)}`,
    Buffer.from(hostileString(random))
      .toString('latin1')
      .replace(/[\r\n\0]/g, ' ')
      .slice(0, 2_000),
  ],
];

function damagedTarget(target, random) {
  return random.pick([
    `/${target}`,
    `${target}/`,
    target.replace(/\//g, '//'),
    target.replace('/api', '/API'),
    target.replace('/v4', '/v5'),
    target.replace('/api/v4', '/api/v4/..'),
    `${target}?`,
    `${target}#fragment`,
    `${target}${'?a=b'.repeat(20)}`,
    `${target}?${'a=b&'.repeat(600)}`,
    `http://localhost${target}`,
    'http://',
    '*',
    target.toUpperCase(),
    `${target}%`,
    `${target.slice(0, 9)}%ff${target.slice(9)}`,
  ]);
}

/** Heads and lengths that are wrong as HTTP: the server may end the connection. */
function breakFraming(request, random) {
  request.isBroken = true;
  request.framing = random.pick([
    'short',
    'long-declared',
    'over-limit',
    'bad-chunk',
    'both',
    'negative',
    'two-lengths',
    'bad-head',
    'huge-head',
    'bad-method',
    'bad-version',
  ]);
  request.body ??= Buffer.from('{}');
}

/** The bytes on the wire. */
export function encode(request) {
  const { method, target, headers, body, framing } = request;
  let lines = [
    `${framing === 'bad-method' ? 'G ET' : method} ${target} HTTP/${framing === 'bad-version' ? '9.9' : '1.1'}`,
  ];
  lines = lines.concat(headers.map(([name, value]) => `${name}: ${value}`));
  let bytes = body ?? Buffer.alloc(0);
  const declare = (length) => lines.push(`Content-Length: ${length}`);
  switch (framing) {
    case 'chunked':
      lines.push('Transfer-Encoding: chunked');
      bytes = chunked(bytes);
      break;
    case 'bad-chunk':
      lines.push('Transfer-Encoding: chunked');
      bytes = Buffer.from('zz\r\nhello\r\n0\r\n\r\n');
      break;
    case 'both':
      lines.push('Transfer-Encoding: chunked');
      declare(bytes.length);
      break;
    case 'short':
      declare(bytes.length + 100);
      break;
    case 'long-declared':
      declare('99999999999999999999');
      break;
    case 'over-limit':
      declare(5_000_000);
      break;
    case 'negative':
      declare(-5);
      break;
    case 'two-lengths':
      declare(bytes.length);
      declare(bytes.length + 1);
      break;
    case 'bad-head':
      lines.push('no colon here', '\0: x');
      break;
    case 'huge-head':
      lines.push(`X-Huge: ${'x'.repeat(20_000)}`);
      break;
    default:
      if (body) declare(bytes.length);
  }
  return [Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), bytes];
}

function chunked(bytes) {
  const pieces = [];
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    const piece = bytes.subarray(at, at + CHUNK_BYTES);
    pieces.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n'));
  }
  pieces.push(Buffer.from('0\r\n\r\n'));
  return Buffer.concat(pieces);
}
