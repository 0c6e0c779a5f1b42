/** Requests that should succeed: a permitted caller, existing ids, a valid body. */
import { schemaOf, validBody, validValue } from './bodies.mjs';
import { bearer, peerHeaders } from './callers.mjs';
import { Pairs, toJsonText } from './json-text.mjs';
import { websocketHeaders } from './oddities.mjs';

/** Creates the records of the route, then completes the request. */
export async function properRequest(request, route, { document, random, world }) {
  const { home } = world;
  const context = { document, random, world: home, isPlain: true };
  const { ids = {}, query = {}, body, role = 'admin', peer } = await home.prepare(route, random, document);
  const used = {};
  request.isRouted = request.isProper = true;
  request.role = peer ? 'peer' : role;
  request.target = pathOf(route, ids, used, context) + queryOf(route, query, context);
  await world.repaired(role);
  const token = peer ? '' : world.tokenOf(role);
  request.hasCredentials = token !== '';
  if (token !== '') request.headers.push(bearer(token));
  if (peer) request.headers.push(...peerHeaders(peer));
  if (route.path === '/api/v4/websocket') request.headers.push(...websocketHeaders);
  const schema = schemaOf(route.operation);
  if (schema) {
    const value = validBody(schema, route, used, context);
    request.body = Buffer.from(toJsonText(body === undefined ? value : withFields(value, body)));
    request.headers.push(['Content-Type', 'application/json']);
  }
  return request;
}

function pathOf(route, ids, used, { random, world }) {
  return route.path.replace(/\{(\w+)\}/g, (_, name) => {
    used[name] = ids[name] ?? world.valueFor(name === 'id' ? 'hook_id' : name, random);
    return encodeURIComponent(used[name]);
  });
}

/** The given parameters, and the required ones. */
function queryOf({ operation }, given, context) {
  const pairs = { ...given };
  for (const { in: place, name, required, schema } of operation.parameters ?? []) {
    if (place !== 'query' || !required || name in pairs) continue;
    pairs[name] = context.world.valueFor(name, context.random) ?? validValue(schema, name, context);
  }
  const text = new URLSearchParams(pairs).toString();
  return text === '' ? '' : `?${text}`;
}

/** A body as documented, with other values for some fields; a list or frame replaces it. */
function withFields(value, fields) {
  if (!(value instanceof Pairs) || Array.isArray(fields) || fields instanceof Pairs)
    return Pairs.from(fields);
  const others = value.pairs.filter(([key]) => !(key in fields));
  return new Pairs([...others, ...Pairs.of(fields).pairs]);
}
