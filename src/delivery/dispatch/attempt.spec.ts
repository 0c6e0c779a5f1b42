import { shownHeaders, redact, redactedStart } from './attempt.js';

const TOKEN = 'k1f8zcm5wtd5jfzn8u5fxpbkjy';
const SECRET = 'whsec_aB/c+dEfGhIjKlMnOpQrStUv==';
/** Returns a new list each time, because results are cached per list. */
const bothSecrets = (): string[] => [TOKEN, SECRET];

describe('shownHeaders', () => {
  it('omits secrets', () => {
    expect(shownHeaders({ 'x-echo': `is ${SECRET}.` }, [SECRET], 100)).toEqual({
      'x-echo': 'is [redacted].',
    });
  });

  it('omits a header whose JSON does not fit, and keeps the following ones', () => {
    const headers = { one: 'a', long: 'b'.repeat(100), quoted: '"'.repeat(40), two: 'c' };
    expect(shownHeaders(headers, [], 60)).toEqual({ one: 'a', two: 'c' });
  });
});

describe('redacting', () => {
  it.each([
    ['as it is', SECRET],
    ['with the slash escaped', SECRET.replace('/', '\\/')],
    ['as JSON may escape it', SECRET.replace('/', '\\u002f').replace('+', '\\u002B').replace('=', '\\u003D')],
    ['as a form has it', encodeURIComponent(SECRET)],
    ['as some forms have it', encodeURIComponent(SECRET).replace(/%../g, (code) => code.toLowerCase())],
    ['as JSON may escape it in capitals', SECRET.replace('/', '\\u002F').replace('+', '\\u002b')],
  ])('finds a secret %s', (_, spelled) => {
    expect(redact(`a ${spelled} b ${TOKEN}${TOKEN}`, bothSecrets())).toBe(
      'a [redacted] b [redacted][redacted]',
    );
    expect(redactedStart(Buffer.from(`ä ${spelled} b`), 100, bothSecrets()).toString()).toBe(
      'ä [redacted] b',
    );
  });

  it('removes a secret that contains another secret', () => {
    expect(redact(SECRET, [SECRET.slice(6), SECRET])).toBe('[redacted]');
    const start = SECRET.slice(0, 20);
    expect(redact(`${SECRET} ${start}`, [start, SECRET])).toBe('[redacted] [redacted]');
  });

  it('leaves other text alone', () => {
    const text = `{"text":"größe \\/ %2F ${TOKEN.slice(1)}"}`;
    expect(redact(text, bothSecrets())).toBe(text);
    expect(redact(text, [])).toBe(text);
    expect(redact(text, [''])).toBe(text);
    expect(redact(`${text} ${TOKEN}`, ['', TOKEN])).toBe(`${text} [redacted]`);
    expect(redactedStart(Buffer.from(text), 100, bothSecrets()).toString()).toBe(text);
    expect(redactedStart(Buffer.from(text), 5, []).toString()).toBe('{"tex');
  });

  it.each([0, 1, 13, 25])('hides a secret that starts %i bytes before the end', (before) => {
    const body = Buffer.from(`${'x'.repeat(100 - before)}${TOKEN}${SECRET}`);
    const shown = redactedStart(body, 100, bothSecrets()).toString();
    expect(shown).toBe('x'.repeat(100 - before) + (before === 0 ? '' : '[redacted]'));
  });

  it('finds control characters in every encoding', () => {
    const secret = 'first\nsecond';
    const spelled = [secret, 'first%0Asecond', 'first%0asecond', 'first\\u000asecond', 'first\\u000Asecond'];
    expect(redact(spelled.join(' '), [secret])).toBe(spelled.map(() => '[redacted]').join(' '));
  });

  it('hides a long secret that starts before the end in a long encoding', () => {
    const secret = '+'.repeat(20);
    const spelled = '\\u002b'.repeat(20);
    const shown = redactedStart(Buffer.from(`a ${spelled} b`), 9, ['short', secret]).toString();
    expect(shown).toBe('a [redacted]');
  });

  it('keeps a part that is too short to recognise', () => {
    expect(redact(`got ${TOKEN.slice(0, 7)}`, bothSecrets())).toBe(`got ${TOKEN.slice(0, 7)}`);
  });

  it('returns nothing for an empty body', () => {
    expect(redactedStart(Buffer.alloc(0), 100, bothSecrets())).toHaveLength(0);
  });

  it('hides a secret at which a reply was cut off', () => {
    for (const length of [8, 20, 25]) {
      const text = `got ${TOKEN.slice(0, length)}`;
      expect(redact(text, bothSecrets())).toBe('got [redacted]');
      expect(redactedStart(Buffer.from(text), 100, bothSecrets()).toString()).toBe('got [redacted]');
    }
  });
});
