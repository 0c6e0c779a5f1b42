/** Generates requests: route, caller, path, query, headers and body. */
import { formBytes, jsonBytes, multipartBytes, mutated, schemaOf, validBody, validValue } from './bodies.mjs';
import { hostileSegment } from './hostile.mjs';
import { toJsonText } from './json-text.mjs';
import { Random } from './random.mjs';
import { listRoutes } from './routes.mjs';
import {
  addUpgrade,
  damagedTarget,
  strangeCredentials,
  strangeHeaders,
  strangeTypes,
} from './strange-headers.mjs';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'CONNECT'];

/** One of this number of requests in a row is meant to be refused. These take the documented routes in turn. */
const CYCLE = 8;
/** `local` calls come over the Unix socket without credentials. */
const roles = ['admin', 'admin', 'admin', 'admin', 'admin', 'member', 'member', 'anonymous', 'local'];

const schemes = ['Bearer', 'BEARER', 'bearer', 'Token'];

/** What routes need that their schemas do not say. */
const neededFields = {
  'POST /hooks/{id}': () => ({ text: 'x' }),
  'POST /api/v4/users': (name) => ({ username: name, email: `${name}@example.com` }),
  'POST /api/v4/bots': (username) => ({ username }),
  'POST /api/v4/hooks/outgoing': (word) => ({ trigger_words: [word] }),
  'PUT /api/v4/users/{user_id}': (_, id) => ({ id }),
};

/** Generates requests. Request n of a seed is always the same except for the ids of records. */
export class RequestGenerator {
  #document;
  #routes;
  #described;
  #totalWeight;
  #seed;
  #world;

  constructor({ document, seed, world }) {
    this.#document = document;
    this.#routes = listRoutes(document);
    this.#described = this.#routes.filter(({ isDescribed }) => isDescribed);
    this.#totalWeight = this.#routes.reduce((sum, route) => sum + route.weight, 0);
    this.#seed = seed;
    this.#world = world;
  }

  get routes() {
    return this.#routes;
  }

  get document() {
    return this.#document;
  }

  /** Request n. */
  make(n) {
    const random = new Random(this.#seed, n);
    const context = { document: this.#document, random, world: this.#world };
    const turn = Math.floor(n / CYCLE);
    const described = this.#described[turn % this.#described.length];
    if (n % CYCLE === 0) return this.#malformed(emptyRequest(n, described), described, context);
    const route = this.#pickRoute(random);
    return this.#any(emptyRequest(n, route), route, context);
  }

  /** A request of a permitted caller with existing ids and the required fields. */
  proper(n, route) {
    const random = new Random(this.#seed, n);
    const context = { document: this.#document, random, world: this.#world, isSmall: true };
    const { connection, accounts } = this.#world;
    const request = { ...emptyRequest(n, route), isRouted: true, hasCredentials: true };
    const ids = {};
    request.target = this.#path(route, ids, false, random);
    if (ids.user_id && route.isEnding) request.target = request.target.replace(ids.user_id, 'me');
    request.role = route.peerCall ? 'peer' : 'admin';
    if (route.peerCall) addPeer(request, connection, false, random);
    else request.headers.push(['Authorization', `Bearer ${accounts.tokenOf('admin')}`]);
    const schema = schemaOf(route.operation);
    if (schema) {
      const body = JSON.parse(toJsonText(validBody(schema, route, ids, context)));
      Object.assign(body, neededFields[route.label]?.(random.letters(10), accounts.idOf('admin')));
      request.body = Buffer.from(JSON.stringify(body));
      request.headers.push(['Content-Type', 'application/json']);
    }
    return request;
  }

  #any(request, route, context) {
    const { random } = context;
    request.method = random.chance(0.93) ? route.method : random.pick(METHODS);
    request.role = pickRole(route, random);
    const ids = {};
    request.target = this.#path(route, ids, random.chance(0.2), random) + queryOf(route, context);
    if (random.chance(0.015)) request.target = damagedTarget(request.target, random);
    else request.isRouted = request.method === route.method;
    addCredentials(request, context);
    if (route.path === '/api/v4/websocket') addUpgrade(request, random);
    this.#body(request, route, ids, random.chance(0.55), context);
    if (random.chance(0.06)) request.headers.push(random.pick(strangeHeaders)(random));
    if (random.chance(0.003)) request.framing = 'short';
    return request;
  }

  /** A caller without credentials, or wrong ids and body. If the route has neither, the URL or the length is wrong. */
  #malformed(request, route, context) {
    const { random } = context;
    const isStrange = route.isGuarded && (route.isBare || random.chance(0.5));
    request.role = isStrange ? 'anonymous' : pickRole(route, random);
    request.isRouted = true;
    const ids = {};
    request.target = this.#path(route, ids, !isStrange, random);
    if (!route.isBare) request.target += queryOf(route, context);
    addCredentials(request, context);
    if (route.path === '/api/v4/websocket') addUpgrade(request, random, false);
    if (route.isBare && !isStrange && route.method === 'GET') request.target += '?a=%00';
    else this.#body(request, route, ids, true, context);
    if (route.isBare && !isStrange && route.method === 'POST') request.framing = 'over-limit';
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

  #path(route, ids, isWrong, random) {
    let isHostile = isWrong;
    return route.path.replace(/\{(\w+)\}/g, (_, name) => {
      if (isHostile && random.chance(0.7)) {
        isHostile = false;
        return random.chance(0.25) ? random.letters(26) : hostileSegment(random);
      }
      ids[name] = this.#world.pathValue(route, name, random);
      return encodeURIComponent(ids[name]);
    });
  }

  #body(request, route, ids, isMutated, context) {
    const { random } = context;
    const schema = schemaOf(route.operation);
    if (!schema && !route.isHook && (request.method === 'GET' || random.chance(0.7))) {
      if (random.chance(0.95)) return;
    }
    const valid =
      this.#world.bodyFor(route, random) ??
      (schema ? validBody(schema, route, ids, context) : this.#world.anything(random));
    const value = isMutated ? mutated(valid, random) : valid;
    const kind = route.isHook
      ? random.pick(['json', 'json', 'json', 'form', 'form', 'multipart'])
      : random.chance(0.97)
        ? 'json'
        : random.pick(['form', 'multipart']);
    if (kind === 'multipart') {
      const { bytes, boundary } = multipartBytes(value, random);
      request.body = bytes;
      const named = random.chance(0.9) ? boundary : random.pick(['', 'other', '"']);
      addType(request, `multipart/form-data; boundary=${named}`, random);
    } else {
      request.body = kind === 'form' ? formBytes(value, random) : jsonBytes(value, random);
      addType(request, kind === 'form' ? 'application/x-www-form-urlencoded' : 'application/json', random);
    }
    if (random.chance(0.12)) request.framing = 'chunked';
    if (route.isHook && random.chance(0.2))
      request.headers.push([
        'Idempotency-Key',
        random.pick([random.letters(8), '', 'x'.repeat(256), 'same', 'é']),
      ]);
  }
}

function emptyRequest(n, route) {
  return {
    n,
    role: 'admin',
    route: route.label,
    isGuarded: route.isGuarded,
    method: route.method,
    target: '',
    headers: [['Host', 'localhost']],
    body: undefined,
    framing: 'length',
    /** Whether it reaches the route: neither method nor target are changed. */
    isRouted: false,
    hasCredentials: false,
  };
}

function addType(request, type, random) {
  if (random.chance(0.06)) return;
  request.headers.push(['Content-Type', random.chance(0.86) ? type : random.pick(strangeTypes)]);
}

function pickRole({ isEnding, peerCall }, random) {
  if (isEnding && random.chance(0.97)) return random.pick(['victim', 'anonymous']);
  return peerCall && random.chance(0.9) ? 'peer' : random.pick(roles);
}

/** Adds the credentials of the caller, or sometimes wrong ones. */
function addCredentials(request, { random, world }) {
  if (request.role === 'local') return;
  const isOff = random.chance(0.05);
  if (request.role === 'peer') return addPeer(request, world.connection, isOff, random);
  const token = world.accounts.tokenOf(request.role);
  if (!token || isOff) {
    if (isOff) request.headers.push(random.pick(strangeCredentials));
    request.role = 'anonymous';
    return;
  }
  request.hasCredentials = true;
  if (random.chance(0.1)) request.headers.push(...cookie(token));
  else request.headers.push(['Authorization', `${random.pick(schemes)} ${token}`]);
}

const cookie = (token) => [
  ['Cookie', `a=b; MMAUTHTOKEN=${token}; MMCSRF=x`],
  ['X-Requested-With', 'XMLHttpRequest'],
];

function addPeer(request, connection, isOff, random) {
  const headers = [
    ['X-RemoteCluster-Id', connection.remoteId],
    ['X-RemoteCluster-Token', connection.token],
  ];
  if (isOff) headers[random.below(2)][1] = random.pick(['', 'x', random.letters(26), 'x'.repeat(300)]);
  request.headers.push(...headers);
}

/** A query with some parameters of the operation, with valid and invalid values, and some unknown ones. */
function queryOf({ operation }, context) {
  const { random } = context;
  const pairs = [];
  for (const parameter of (operation.parameters ?? []).filter((item) => item.in === 'query')) {
    if (!random.chance(parameter.required ? 0.85 : 0.35)) continue;
    const times = random.chance(0.06) ? 3 : 1;
    for (let i = 0; i < times; i++)
      pairs.push(
        `${parameter.name}${random.pick(['', '', '', '', '', '', '[]', '[a]'])}=${queryValue(parameter, context)}`,
      );
  }
  if (random.chance(0.04)) pairs.push(random.pick(strangePairs));
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function queryValue({ name, schema }, context) {
  const { random, world } = context;
  const dice = random.next();
  if (dice < 0.5) {
    const value = world.valueFor(name, random) ?? validValue(schema, name, context);
    return encodeURIComponent(typeof value === 'object' ? '' : String(value));
  }
  return dice < 0.65 ? random.pick(strangeNumbers) : hostileSegment(random);
}

const strangePairs = [
  ...'page=-1 per_page=0 per_page=1e9 page=99999999999999999999 __proto__[x]=1 = && access_token=x'.split(
    ' ',
  ),
  'a'.repeat(2_100),
];

const strangeNumbers = [
  ...['-1', '0', '1', '2', '200', '201', '1e3', '0x1', '1.5', 'NaN', '', '999999999999', '9'.repeat(30)],
  ...['true', 'T', 'false'],
];
