/** Generates requests: route, caller, path, query, headers and body. */
import { formBytes, jsonBytes, multipartBytes, mutated, schemaOf, validBody } from './bodies.mjs';
import { addCredentials, pickRole } from './callers.mjs';
import { hostileSegment } from './hostile.mjs';
import { addUpgrade, damagedTarget, h2cUpgrade, strangeHeaders, strangeTypes } from './oddities.mjs';
import { properRequest } from './proper.mjs';
import { queryOf } from './queries.mjs';
import { Random } from './random.mjs';
import { listRoutes } from './routes.mjs';
import { announceTooMuch, breakFraming } from './wire.mjs';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'CONNECT'];

/**
 * Of eight requests in a row, one is proper, meant to succeed, and one is spoilt, meant to be refused. These take the
 * documented routes in turn; expensive routes are skipped in two rounds of three.
 */
const CYCLE = 8;
const SPOILT_AT = 4;
const DEAR_ROUNDS = 3;

/** Generates requests. Request n of a seed is always the same except for the ids of records. */
export class RequestGenerator {
  #document;
  #routes;
  #described;
  #totalWeight;
  #seed;
  #world;
  #made = 0;

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

  /** The routes of the document. */
  get described() {
    return this.#described;
  }

  get document() {
    return this.#document;
  }

  /** A request that should succeed. */
  proper(route) {
    const random = new Random(this.#seed, -++this.#made);
    const context = { document: this.#document, random, world: this.#world };
    return properRequest(emptyRequest(0, route), route, context);
  }

  /** Request n. For a proper one, the world first creates what it needs. */
  async make(n) {
    const random = new Random(this.#seed, n);
    const context = { document: this.#document, random, world: this.#world };
    const turn = Math.floor(n / CYCLE);
    const place = turn % this.#described.length;
    const route = this.#described[place];
    const round = Math.floor(turn / this.#described.length);
    const isDue = !route.isDear || (round + place) % DEAR_ROUNDS === 0;
    if (isDue && n % CYCLE === 0) return properRequest(emptyRequest(n, route), route, context);
    if (n % CYCLE === SPOILT_AT) return this.#spoilt(emptyRequest(n, route), route, context);
    const any = this.#pickRoute(random);
    return this.#any(emptyRequest(n, any), any, context);
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
    else if (random.chance(0.003)) request.headers.push(...h2cUpgrade);
    this.#body(request, route, ids, random.chance(0.55), context);
    if (random.chance(0.06)) request.headers.push(random.pick(strangeHeaders)(random));
    if (random.chance(0.01)) breakFraming(request, random);
    return request;
  }

  /** A caller without credentials, or wrong ids and body. If the route has neither, the URL or the length is wrong. */
  #spoilt(request, route, context) {
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
    if (route.isBare && !isStrange && route.method === 'POST') announceTooMuch(request);
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
    isProper: false,
    isBroken: false,
    hasCredentials: false,
  };
}

function addType(request, type, random) {
  if (random.chance(0.06)) return;
  request.headers.push(['Content-Type', random.chance(0.86) ? type : random.pick(strangeTypes)]);
}
