/** Generates requests: route, caller, path, query, headers and body. */
import { formBytes, jsonBytes, multipartBytes, mutated, validValue } from './bodies.mjs';
import { hostileSegment } from './hostile.mjs';
import { damagedTarget, strangeCredentials, strangeHeaders, strangeTypes } from './oddities.mjs';
import { Random } from './random.mjs';
import { listRoutes } from './routes.mjs';
import { breakFraming } from './wire.mjs';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'CONNECT'];

/** The items of bodies that are bare lists. */
const listed = [
  [/\/usernames$/, 'username'],
  [/\/roles\/names$/, 'role_name'],
  [/\/posts\/ids$/, 'post_id'],
  [/\/channels\/ids$/, 'channel_id'],
  [/./, 'user_id'],
];
/** `local` calls come over the Unix socket without credentials. */
const roles = ['admin', 'admin', 'admin', 'admin', 'admin', 'member', 'member', 'anonymous', 'local'];

/** Generates requests. Request n of a seed is always the same except for the ids of records. */
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
    // The id in the body must equal the one in the path, or no later check would be reached.
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
