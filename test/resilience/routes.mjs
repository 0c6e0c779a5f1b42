/** The routes to test and how often to call each. */
import { schemaOf } from './bodies.mjs';

/** Routes that end sessions or accounts. They are mostly called on the victim, so that the others stay usable. */
const ENDING =
  /\/logout$|\/sessions\/revoke|\/convert_to_bot$|\/active$|^DELETE \/api\/v4\/users\/\{\w+\}$|^PUT .*\/users\/\{\w+\}(\/roles|\/password|\/patch)?$|tokens\/(revoke|disable)/;

/** What a peer of a secure connection may call. */
const PEER_CALL = /^\/api\/v4\/remotecluster\/(ping|msg|confirm_invite)$/;

/** Routes that derive a key from a password, hash one, sign everyone out, or are limited to a few calls a minute. */
const EXPENSIVE =
  /^POST \/api\/v4\/(remotecluster(\/accept_invite|\/confirm_invite|\/\{\w+\}\/(?:generate_invite|check))?|users|users\/login|users\/sessions\/revoke\/all)$|\/password$|^DELETE \/api\/v4\/remotecluster\//;

/** The weight of a route, by the first pattern that matches. */
const weights = [
  [/^POST \/api\/v4\/users\/sessions\/revoke\/all$/, 0.01], // signs everyone out
  [EXPENSIVE, 0.08],
  [/^POST \/hooks\//, 6],
  [/\/remotecluster\/msg$/, 5], // written by other servers
  [/\/hooks\/|\/posts/, 2.5], // the most important routes
  [/./, 1],
];

/** Routes that the OpenAPI document does not list. */
const unlisted = [
  ['POST', '/hooks/{id}', 6],
  ['GET', '/hooks/{hook_id}', 0.3],
  ['GET', '/', 0.2],
  ['GET', '/health/live', 0.3],
  ['GET', '/health/ready', 0.3],
  ['GET', '/metrics', 0.3],
  ['GET', '/api/docs', 0.08],
  ['GET', '/api/v4/openapi.json', 0.08],
  ['GET', '/api/v4/websocket', 0.5],
  ['GET', '/api/v4/nothing/{id}/here', 0.5],
  ['POST', '/nothing', 0.2],
  ['GET', '/hooks', 0.2],
  ['POST', '/hooks/{hook_id}/more', 0.2],
];

/** All routes of the application, described in the OpenAPI document or not. */
export function listRoutes(document) {
  const described = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => {
      const label = `${method.toUpperCase()} ${path}`;
      const weight = weights.find(([pattern]) => pattern.test(label))[1];
      return { ...routeOf(method.toUpperCase(), path, weight, operation), isDescribed: true };
    }),
  );
  const shapeOf = ({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`;
  const known = new Set(described.map(shapeOf));
  const others = unlisted.map(([method, path, weight]) => routeOf(method, path, weight));
  return [...described, ...others.filter((route) => !known.has(shapeOf(route)))];
}

/** Whether each documented way of calling it has a credential: an empty one would admit everybody. */
function requiresSignIn({ security = [] }) {
  return security.length > 0 && security.every((way) => Object.keys(way).length > 0);
}

function routeOf(method, path, weight, operation = {}) {
  const label = `${method} ${path}`;
  return {
    label,
    method,
    path,
    weight,
    operation,
    isDescribed: false,
    isEnding: ENDING.test(label),
    isHook: method === 'POST' && path.startsWith('/hooks/'),
    isOfOutgoingHook: path.includes('/hooks/outgoing/{hook_id}'),
    isGuarded: requiresSignIn(operation),
    /** Whether it accepts neither ids nor a body. */
    isBare: !path.includes('{') && !schemaOf(operation),
    peerCall: PEER_CALL.exec(path)?.[1],
  };
}

/** Routes that refuse nothing: they are public and read nothing of the request. */
const neverRefusing = new Set([
  'GET /metrics',
  'GET /health/live',
  'GET /health/ready',
  'GET /api/v4/config/client',
  'GET /api/v4/plugins/webapp',
]);

/** Counts for each route the requests that succeeded and those that were refused as documented. */
export class Coverage {
  #routes = new Map();

  constructor(routes) {
    for (const { label, operation, isDescribed } of routes)
      this.#routes.set(label, { route: label, operation, isDescribed, succeeded: 0, refused: 0 });
  }

  /** Counts a response. Only requests that reached their route are meaningful. */
  count({ route, isRouted }, status) {
    if (!isRouted) return;
    const row = this.#routes.get(route);
    if (status < 400) row.succeeded++;
    else if (status < 500 && (!row.isDescribed || status in row.operation.responses)) row.refused++;
  }

  get size() {
    return this.#routes.size;
  }

  /** The number of documented routes that have succeeded. */
  get succeeded() {
    return this.#described.filter(({ succeeded }) => succeeded > 0).length;
  }

  /** Documented routes that have never refused a request. */
  get gaps() {
    return this.#described.flatMap(({ route, refused }) =>
      refused === 0 && !neverRefusing.has(route) ? [`${route} has never refused`] : [],
    );
  }

  get #described() {
    return [...this.#routes.values()].filter(({ isDescribed }) => isDescribed);
  }
}
