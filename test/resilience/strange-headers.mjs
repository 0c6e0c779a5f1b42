/** Headers and request targets that no correct client sends. */
import { hostileString } from './hostile.mjs';

export const strangeCredentials = [
  ...['', 'Bearer', 'Bearer ', 'Bearer x', 'Basic YTpi', 'Digest x', 'Bearer é', 'Bearer a b'],
  ...[26, 5_000].map((length) => `Bearer ${'a'.repeat(length)}`),
]
  .map((value) => ['Authorization', value])
  .concat(
    [
      ...['MMAUTHTOKEN=', 'MMAUTHTOKEN=%', ';;;=', '=', '__proto__=x', 'MMAUTHTOKEN="x"; MMAUTHTOKEN=y'],
      ...[`MMAUTHTOKEN=${'a'.repeat(26)}`, `a=${'b'.repeat(4_000)}`],
    ].map((value) => ['Cookie', value]),
  );

const JSON_TYPE = 'application/json;';
export const strangeTypes = [
  ...['', 'x', '/', 'application', 'application/', 'APPLICATION/JSON', 'application/json, text/plain'],
  ...[
    ' charset',
    ' charset=utf-16',
    ' charset=bogus',
    ' charset=utf-8',
    ' a="',
    ` a=${'b'.repeat(3_000)}`,
    '',
  ].map((parameters) => JSON_TYPE + parameters),
  ...['text/plain', 'text/xml', 'application/octet-stream', 'multipart/form-data', 'application/jsonx'],
  ...['application/x-www-form-urlencoded; charset=x', 'multipart/mixed; boundary=b', '\xe9/\xff'],
  `${JSON_TYPE}charset=utf-8;charset=utf-8`,
];

const headers = {
  Accept: ['*/*;q=nan, text/é'],
  'Accept-Language': ['x'.repeat(3_000)],
  'X-Forwarded-For': ['999.999.999.999, ::1, x'],
  'X-Forwarded-Proto': ['javascript'],
  'X-Real-IP': ["' OR 1=1"],
  'If-None-Match': ['"'.repeat(100)],
  'If-Modified-Since': ['yesterday'],
  Range: ['bytes=9-1,-5,x'],
  Expect: ['100-continue', 'the unexpected'],
  'Content-Encoding': ['gzip', 'x'],
  'X-HTTP-Method-Override': ['DELETE'],
  Origin: ['null'],
  Referer: ['http://é'],
  'User-Agent': [`Mozilla/5.0 (${'('.repeat(2_000)}`, '\xff\xfe'],
  'Idempotency-Key': ['x'.repeat(300)],
  'X-Long': ['x'.repeat(12_000)],
  TE: ['trailers'],
  Trailer: ['X-Later'],
  ...{ 'X-CSRF-Token': ['x'], 'X-Requested-With': ['x'], ['__proto__']: ['x'], constructor: ['x'] },
};

const randomHeader = (random) => [
  `X-${random.letters(3)}`,
  Buffer.from(hostileString(random))
    .toString('latin1')
    .replace(/[\r\n\0]/g, ' ')
    .slice(0, 2_000),
];

export const strangeHeaders = [
  ...Object.entries(headers).flatMap(([name, values]) => values.map((value) => () => [name, value])),
  randomHeader,
];

export function damagedTarget(target, random) {
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

const websocketHeaders = [
  ['Connection', 'Upgrade'],
  ['Upgrade', 'websocket'],
  ['Sec-WebSocket-Version', '13'],
  ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
];

/** Requests a WebSocket, correctly or not. */
export function addUpgrade({ headers }, random, isRight = random.chance(0.5)) {
  if (isRight) headers.push(...websocketHeaders);
  else
    headers.push(
      ['Connection', 'Upgrade'],
      ['Upgrade', random.pick(['websocket', 'h2c', 'WebSocket', 'x'])],
      ['Sec-WebSocket-Version', random.pick(['13', '8', '0', 'x', '1'.repeat(50)])],
      ['Sec-WebSocket-Key', random.pick(['', 'x', 'dGhlIHNhbXBsZSBub25jZQ==', 'a'.repeat(500)])],
    );
  if (random.chance(0.2))
    headers.push(['Sec-WebSocket-Extensions', random.pick(['permessage-deflate', ';;', 'x; y="'])]);
  if (random.chance(0.2)) headers.push(['Sec-WebSocket-Protocol', random.pick(['a', 'a,a', '"'])]);
  if (random.chance(0.2)) headers.push(['Origin', random.pick(['http://evil.example', 'null', 'x'])]);
}
