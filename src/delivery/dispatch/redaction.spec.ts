import { redact, redactedStart } from './redaction.js';

const TOKEN = 'k1f8zcm5wtd5jfzn8u5fxpbkjy';
const SECRET = 'whsec_aB/c+dEfGhIjKlMnOpQrStUv==';
const SECRETS = [TOKEN, SECRET];

describe('redacting', () => {
  it.each([
    ['as it is', SECRET],
    ['with the slash escaped', SECRET.replace('/', '\\/')],
    ['as JSON may escape it', SECRET.replace('/', '\\u002f').replace('+', '\\u002B').replace('=', '\\u003D')],
    ['as a form has it', encodeURIComponent(SECRET)],
    ['as some forms have it', encodeURIComponent(SECRET).replace(/%../g, (code) => code.toLowerCase())],
    ['as a form within JSON', encodeURIComponent(SECRET).replaceAll('%', '\\u0025')],
    ['as JSON may escape it in capitals', SECRET.replace('/', '\\u002F').replace('+', '\\u002b')],
  ])('finds a secret %s', (_, spelled) => {
    expect(redact(`a ${spelled} b ${TOKEN}${TOKEN}`, SECRETS)).toBe('a [redacted] b [redacted][redacted]');
    expect(redactedStart(Buffer.from(`ä ${spelled} b`), 100, SECRETS).toString()).toBe('ä [redacted] b');
  });

  it('removes a secret that contains another secret', () => {
    expect(redact(SECRET, [SECRET.slice(6), SECRET])).toBe('[redacted]');
    const start = SECRET.slice(0, 20);
    expect(redact(`${SECRET} ${start}`, [start, SECRET])).toBe('[redacted] [redacted]');
  });

  it('leaves other text alone', () => {
    const text = `{"text":"größe \\/ %2F ${TOKEN.slice(1)}"}`;
    expect(redact(text, SECRETS)).toBe(text);
    expect(redact(text, [])).toBe(text);
    expect(redact(text, [''])).toBe(text);
    expect(redact(`${text} ${TOKEN}`, ['', TOKEN])).toBe(`${text} [redacted]`);
    expect(redactedStart(Buffer.from(text), 100, SECRETS).toString()).toBe(text);
    expect(redactedStart(Buffer.from(text), 5, []).toString()).toBe('{"tex');
  });

  it.each([0, 1, 13, 25])('hides a secret that starts %i bytes before the end', (before) => {
    const body = Buffer.from(`${'x'.repeat(100 - before)}${TOKEN}${SECRET}`);
    const shown = redactedStart(body, 100, SECRETS).toString();
    expect(shown).toBe('x'.repeat(100 - before) + (before === 0 ? '' : '[redacted]'));
  });

  it('finds control characters in every encoding', () => {
    const secret = 'first\nsecond';
    const spelled = [secret, 'first%0Asecond', 'first%0asecond', 'first\\u000asecond', 'first\\u000Asecond'];
    expect(redact(spelled.join(' '), [secret])).toBe(spelled.map(() => '[redacted]').join(' '));
  });

  it.each([
    ['a form', 'one+two%0d+%2B%26'],
    ['a form without escapes of it', 'one two%0D %2b&'],
    ['JSON', 'one two\\r +&'],
    ['JSON with all escapes', 'one\\u0020two\\u000D\\u0020\\u002b\\u0026'],
  ])('finds spaces and control characters in %s', (_, spelled) => {
    expect(redact(`a+${spelled}+b`, ['one two\r +&'])).toBe('a+[redacted]+b');
  });

  it.each([
    ['of backslashes', '\\'.repeat(40)],
    ['that looks like an escape', '%2f\\u002f\\n100%+'],
  ])('finds a secret %s', (_, secret) => {
    const spelled = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)];
    for (const each of spelled) expect(redact(`a ${each} b`, [secret])).toBe('a [redacted] b');
    expect(redact(`a ${secret.slice(1)}`, [`${secret.slice(1)}x`])).toBe('a [redacted]');
  });

  it('removes all parts of secrets that overlap', () => {
    expect(redact('a one-two-three b', ['one-two', 'two-three'])).toBe('a [redacted] b');
    expect(redact('a abababa b', ['ababa'])).toBe('a [redacted] b');
  });

  it.each(['%', '%2', '\\', '\\u', '\\u002', '%2F', '\\/', '\\u002f'])(
    'hides a secret that is cut off after %s',
    (end) => {
      expect(redact(`got ${SECRET.slice(0, 8)}${end}`, SECRETS)).toBe('got [redacted]');
    },
  );

  it('hides a long secret that starts before the end in a long encoding', () => {
    const secret = '+'.repeat(20);
    const spelled = '\\u002b'.repeat(20);
    const shown = redactedStart(Buffer.from(`a ${spelled} b`), 9, ['short', secret]).toString();
    expect(shown).toBe('a [redacted]');
  });

  it('keeps a part that is too short to recognise', () => {
    expect(redact(`got ${TOKEN.slice(0, 7)}`, SECRETS)).toBe(`got ${TOKEN.slice(0, 7)}`);
  });

  it('returns nothing for an empty body', () => {
    expect(redactedStart(Buffer.alloc(0), 100, SECRETS)).toHaveLength(0);
  });

  it('hides a secret at which a reply was cut off', () => {
    for (const length of [8, 20, 25]) {
      const text = `got ${TOKEN.slice(0, length)}`;
      expect(redact(text, SECRETS)).toBe('got [redacted]');
      expect(redactedStart(Buffer.from(text), 100, SECRETS).toString()).toBe('got [redacted]');
    }
  });
});
