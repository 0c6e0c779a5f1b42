/**
 * Compares answers of the server with its OpenAPI document: the route and the status are documented, and the body has
 * the documented type, with no field that the schema does not name.
 *
 * The test client does so with every answer. Other clients call `findContractFault` with what they received:
 *
 * findContractFault({ method: 'GET', path: '/api/v4/teams?page=1', status: 200, contentType: 'application/json', text
 * })
 */
import { apiDocument } from '../../scripts/api-document.mjs';
import { SchemaChecker } from './schema-checker.mjs';

/**
 * @typedef {object} ReceivedAnswer
 * @property {string} method of the request
 * @property {string} path of the request, with or without a query
 * @property {number} status
 * @property {string} [contentType]
 * @property {string} text the body
 * @property {boolean} [isLocal] whether it came over the socket of local mode, which serves only the API
 */

/** Served, but no part of the API that the document describes: the document itself, and pages for people. */
const nonApiRoutes = [
  /^GET \/api\/v4\/openapi\.json\/?$/i, // Express ignores letter case
  /^GET \/api\/docs(\/|$)/,
  /^GET \/(hooks\/[^/]+)?\/?$/,
];
/** Paths that the server redirects, for any method, to what a client would make of them. */
const isRedirected = /\/(\/|\.{1,2}(\/|$))/;
/** Errors of requests that the server refuses before it finds a route, as for an id with a dash. */
const refusedUnread = new Map([
  [400, 'api.context.bad_request.app_error'],
  [404, 'api.context.404.app_error'],
  [413, 'api.context.request_body_too_large.app_error'],
  [414, 'basic_security_check.url.too_long_error'],
  [429, 'api.context.too_many_requests.app_error'],
  [431, 'api.context.headers_too_large.app_error'],
]);
const errorBody = { 'application/json': { schema: { $ref: '#/components/schemas/ErrorDto' } } };

/** @type {{ operations: ReturnType<typeof listOperations>, checker: SchemaChecker } | undefined} */
let contract;

/**
 * Says what the document does not allow about this answer, or returns undefined.
 *
 * @param {ReceivedAnswer} answer
 * @returns {string | undefined}
 */
export function findContractFault(answer) {
  const fault = findFault(answer);
  return fault && `${answer.method} ${answer.path} answered ${answer.status}: ${fault}`;
}

/** @param {ReceivedAnswer} answer */
function findFault({ method, path, status, contentType = '', text, isLocal = false }) {
  contract ??= readContract();
  const plainPath = path.replace(/^https?:\/\/[^/?]*/i, '').split(/[?#]/)[0] || '/';
  if (status === 301 && isRedirected.test(plainPath))
    return text === '' ? undefined : 'there is a body, but a redirect has none.';
  const routeMethod = method === 'HEAD' ? 'GET' : method;
  const isServed = !isLocal || plainPath.startsWith('/api/v4/');
  if (isServed && nonApiRoutes.some((pattern) => pattern.test(`${routeMethod} ${plainPath}`)))
    return undefined;
  const isApi = plainPath.startsWith('/api/');
  const operation =
    isLocal && !isApi ? undefined : findOperation(contract.operations, routeMethod, plainPath);
  if (!operation && !isApi && status === 404 && contentType.startsWith('text/html')) return undefined; // a page
  const isError = isRefusedUnread(method, status, text) || (!operation && status === 404);
  const response = operation?.responses[status] ?? (isError ? { content: errorBody } : undefined);
  if (!response) return `the document ${operation ? 'does not name this status' : 'has no such route'}.`;
  const { content = {} } = response;
  if (method === 'HEAD' || Object.keys(content).length === 0)
    return text === '' ? undefined : 'there is a body, but none is documented.';
  const type = contentType.split(';')[0]?.trim() ?? '';
  const described = content[type];
  if (!described)
    return `the body is ${type || 'of no type'}, not ${Object.keys(content).join(' or ')} as documented.`;
  if (type !== 'application/json') return undefined;
  if (method === 'GET' && status === 400 && text.includes('request body'))
    return `it has no body, but the error mentions one: ${text}`;
  const body = parsed(text);
  return body === undefined
    ? 'the body is not JSON.'
    : contract.checker.findFault(described.schema, body.value);
}

/**
 * An answer to HEAD has no body that names the error.
 * @param {string} method
 * @param {number} status
 * @param {string} text
 */
function isRefusedUnread(method, status, text) {
  const id = refusedUnread.get(status);
  if (id === undefined || method === 'HEAD') return id !== undefined;
  return /** @type {any} */ (parsed(text)?.value)?.id === id;
}

function readContract() {
  const document = apiDocument();
  return { operations: listOperations(document), checker: new SchemaChecker(document.components.schemas) };
}

/** The operations by method and number of segments, those with fewer parameters first. */
function listOperations(/** @type {any} */ { paths }) {
  /** @type {Map<string, { pattern: RegExp, parameters: number, responses: Record<string, any> }[]>} */
  const operations = new Map();
  for (const [path, methods] of Object.entries(paths)) {
    const parameters = path.split('{').length - 1;
    const pattern = new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`, 'i');
    for (const [method, { responses }] of Object.entries(/** @type {Record<string, any>} */ (methods))) {
      const key = keyOf(method, path);
      const list = operations.get(key) ?? [];
      operations.set(
        key,
        [...list, { pattern, parameters, responses }].sort((a, b) => a.parameters - b.parameters),
      );
    }
  }
  return operations;
}

/** @param {ReturnType<typeof listOperations>} operations @param {string} method @param {string} pathname */
function findOperation(operations, method, pathname) {
  const path = pathname.length > 1 ? pathname.replace(/\/$/, '') : pathname;
  const list = operations.get(keyOf(method, path)) ?? [];
  return list.find(({ pattern }) => pattern.test(path));
}

const keyOf = (/** @type {string} */ method, /** @type {string} */ path) =>
  `${method.toLowerCase()} ${path.split('/').length}`;

function parsed(/** @type {string} */ text) {
  try {
    return { value: /** @type {unknown} */ (JSON.parse(text)) };
  } catch {
    return undefined;
  }
}
