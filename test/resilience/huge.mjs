/** Requests that would succeed except for one value, which is as large as a request may be. */
import { resolve, schemaOf } from './bodies.mjs';

const HUGE = 'x'.repeat(250_000);
/** Such a URL still reaches its route. */
const LONG = 'x'.repeat(1_900);
const MAX_DEPTH = 4;
const CONTENT = ['text', 'props', 'attachments.0', 'blocks.0', 'username', 'icon_url', 'icon_emoji'];

/**
 * Huge values that are accepted on purpose, by route and place: content that is stored or truncated, and ignored
 * values. Each line explains why memory stays bounded.
 */
const taken = new Map(
  Object.entries({
    // Content with its own limits: long text becomes several posts, and props may have 800,000 characters. The
    // overrides are props, and attachments replace the type.
    'POST /hooks/{id}': [...CONTENT, 'type', 'thread_ts'],
    'PATCH /hooks/{id}/messages/{post_id}': CONTENT,
    'POST /api/v4/posts': ['props', 'metadata'],
    'PUT /api/v4/posts/{post_id}': ['props'],
    'PUT /api/v4/posts/{post_id}/patch': ['props'],
    // Only known values are kept.
    'PUT /api/v4/channels/{channel_id}/members/{user_id}/notify_props': ['all'],
    'POST /api/v4/users': ['locale'],
    // Counts as absent, like any invalid body of a login.
    'POST /api/v4/users/login': ['id'],
    // Not read when an administrator changes the account.
    'PUT /api/v4/users/{user_id}': ['password'],
    'PUT /api/v4/users/{user_id}/patch': ['password'],
    'PUT /api/v4/users/{user_id}/password': ['current_password'],
    // Additional data of a peer: it is read by topic, and ignored without one.
    'POST /api/v4/remotecluster/msg': ['msg.payload'],
    'POST /api/v4/remotecluster/ping': ['msg.payload'],
  }).map(([label, places]) => [label, new Set(places)]),
);

/** Whether the route accepts a huge value there. */
export const isTaken = (label, place) => taken.get(label)?.has(place) ?? false;

/**
 * The variations of a proper request: { place, request }. `place` names the huge value: the path of a field of the
 * body, `path.name` or `query.name`. The body is written when `request` is read.
 */
export function* hugeVariations(request, route, document) {
  const { operation } = route;
  for (const { in: where, name } of operation.parameters ?? []) {
    if (where === 'path') yield { place: `path.${name}`, request: withSegment(request, route, name) };
    if (where === 'query') yield { place: `query.${name}`, request: withQuery(request, name) };
  }
  const schema = schemaOf(operation);
  if (!schema || !request.body) return;
  const body = JSON.parse(request.body.toString());
  for (const { path, value } of hugeLeaves(schema, document))
    yield {
      place: path.join('.') || 'all',
      get request() {
        return withBody(request, changed(body, path, value));
      },
    };
}

function* hugeLeaves(schema, document, path = []) {
  if (path.length > MAX_DEPTH) return;
  if (schema.$ref) return yield* hugeLeaves(resolve(document, schema.$ref), document, path);
  for (const variants of [schema.oneOf, schema.anyOf, schema.allOf])
    for (const variant of variants ?? []) yield* hugeLeaves(variant, document, path);
  if (schema.properties)
    for (const [name, property] of Object.entries(schema.properties))
      yield* hugeLeaves(property, document, [...path, name]);
  else if (schema.type === 'object') yield { path, value: { [HUGE]: 'x' } };
  if (schema.type === 'array') yield* hugeLeaves(schema.items, document, [...path, 0]);
  if (schema.type === 'string') yield { path, value: HUGE };
}

/** A copy with another value at the path. */
function changed(body, [key, ...rest], value) {
  if (key === undefined) return value;
  const copy = Array.isArray(body) ? [...body] : { ...body };
  copy[key] = changed(copy[key] ?? (rest[0] === 0 ? [] : {}), rest, value);
  return copy;
}

const withBody = (request, body) => ({ ...request, body: Buffer.from(JSON.stringify(body)) });

function withSegment(request, { path }, name) {
  const [sent, query = ''] = request.target.split(/(?=\?)/);
  const at = path.split('/').indexOf(`{${name}}`);
  const segments = sent.split('/');
  segments[at] = LONG;
  return { ...request, target: segments.join('/') + query };
}

function withQuery(request, name) {
  const url = new URL(request.target, 'http://localhost');
  url.searchParams.set(name, LONG);
  return { ...request, target: url.pathname + url.search };
}
