/** Values that break unprepared servers. */
import { Pairs, Raw } from './json-text.mjs';

const DEEP = 100_000;
const nest = (open, close, depth) => new Raw(open.repeat(depth) + close.repeat(depth));

const words = (text) => text.split(' ');

const shortStrings = [
  ...['', ' ', '\t\n', '[object Object]', "' OR 1=1 --", '" ; DROP TABLE posts; --', '\r\nX-A: b', 'a b'],
  ...words(
    'null true NaN -1 0 1e999 undefined me admin system all @all # @ / \\ .. ../../etc/passwd %00 % %s%n',
  ),
  ...words('<script>alert(1)</script> ${7*7} {{7*7}} `id` x@y.z UPPER system_admin'),
  ...words('__proto__ constructor prototype hasOwnProperty toString then $where _id'),
  ...words('\u0001\u0002\u007f \u200b\u200d\ufeff \u202e\u2066 \ufffd\uffff ﷺ ı ß Å 👩‍👩‍👧‍👦 🚀 Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞'),
  ...['a', 'A', '1', '١', 'é'].map((one) => one.repeat(26)),
  ...['😀'.repeat(13), 'a'.repeat(25), 'a'.repeat(27), 'x'.repeat(65), 'x'.repeat(256)],
  ...['é'.repeat(64), '😀'.repeat(64), '😀'.repeat(129), `http://${'a'.repeat(2000)}`],
  ...words('http:// javascript:alert(1) http://[::1 https://user:pass@host/ ftp://x'),
];

const longStrings = [
  () => 'x'.repeat(1025),
  () => 'x'.repeat(16_384),
  () => 'x'.repeat(65_536),
  () => 'x'.repeat(250_000),
  () => 'é'.repeat(33_000),
  () => '🚀'.repeat(16_383),
  () => '🚀'.repeat(17_000),
  () => '@all '.repeat(4_000),
  () => '#tag'.repeat(5_000),
  () => `<@${'a'.repeat(26)}>`.repeat(2_000),
  () => '<http://a|'.repeat(6_000),
  () => '\n'.repeat(20_000),
  () => '\u0301'.repeat(20_000),
  () => ':smile:'.repeat(3_000),
];

const raw = (text) => new Raw(text);

/** Strings that need escapes or invalid encodings. */
const escapedStrings = [
  ...words('"\\u0000" "a\\u0000b" "\\ud800" "\\udc00\\ud800" "\u0000" "\n\t\r" "\\x41" "\\u12"'),
  ...['"\\ud83d x"', "'single'", '"open'],
].map(raw);

const numbers = [
  ...[0, 1, -1, 1.5, 2, 3, 60, 201, 255, 65536, 2147483647, 2147483648, -2147483649, 4294967296],
  ...[9007199254740991, 1767225600000, 8.64e15, 8.64e15 + 2, -8.64e15, 1e21, 5e-324, 1.7976931348623157e308],
  ...words('-0 1e400 -1e400 9223372036854775807 9223372036854775808 -9223372036854775809').map(raw),
  ...words('NaN Infinity -Infinity 0x10 01 +1 .5 1. 1e undefined').map(raw),
  raw('1'.repeat(400)),
];

const pairs = (...list) => new Pairs(list);

const compounds = [
  () => [],
  () => pairs(),
  () => [null],
  () => [[]],
  () => [[[[[[]]]]]],
  () => [null, 1, 'x', true, pairs()],
  () => pairs(['', '']),
  () => pairs(['__proto__', pairs(['isAdmin', true])]),
  () => pairs(['constructor', pairs(['prototype', pairs(['x', 1])])]),
  () => pairs(...['toString', 'valueOf', 'toJSON', 'then'].map((name) => [name, 'x']), ['length', -1]),
  () => pairs(['a', 1], ['a', 2], ['A', 3]),
  () => pairs([raw('"\\u0000"'), 1]),
  () => pairs(['x'.repeat(10_000), 1]),
  () => Array.from({ length: 300 }, () => 'x'),
  () => Array.from({ length: 2_000 }, (_, n) => `a${n}`),
  () => Array.from({ length: 300 }, () => null),
  () => pairs(...Array.from({ length: 1_000 }, (_, n) => [`k${n}`, n])),
];

const deeps = [
  () => nest('[', ']', DEEP),
  () => nest('{"a":', '}', 20_000),
  () => nest('[', ']', 101),
  () => nest('[', ']', 90),
  () => new Raw('['.repeat(DEEP)),
  () => new Raw(`${'{"a":'.repeat(95)}1${'}'.repeat(95)}`),
];

/** A value of any type. Long and deep ones are rare because they are slow. */
export function hostileValue(random) {
  const dice = random.next();
  if (dice < 0.3) return random.pick(shortStrings);
  if (dice < 0.34) return random.pick(longStrings)();
  if (dice < 0.44) return random.pick(escapedStrings);
  if (dice < 0.66) return random.pick(numbers);
  if (dice < 0.76) return null;
  if (dice < 0.83) return random.chance(0.5);
  if (dice < 0.98) return random.pick(compounds)();
  return random.pick(deeps)();
}

export function hostileString(random) {
  return random.chance(0.93) ? random.pick(shortStrings) : random.pick(longStrings)();
}

/** Encodes a path segment or query value, most of the time. */
export function hostileSegment(random) {
  const dice = random.next();
  if (dice < 0.25) return random.pick(brokenSegments);
  if (dice < 0.3) return 'a'.repeat(random.pick([300, 1000, 2100, 5000]));
  const text = random.pick(shortStrings);
  return random.chance(0.8)
    ? encodeURIComponent(text)
    : Buffer.from(text)
        .toString('latin1')
        .replace(/[\s\p{Cc}]/gu, '+');
}

const brokenSegments = [
  ...words('% %2 %zz %00 %c0%af %ff %ed%a0%80 %F0%9F %2e%2e%2f .. . %2F %5c %0d%0aX:y %25 %20 a%00b'),
  ...words(`; ;a=b * :id :hook_id [] {id} ( + ~ | " < ' ^ \` \x80\xff`),
];
