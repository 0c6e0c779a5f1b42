import { redact, redactedStart } from './redact.js';

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
  ])('finds a secret %s', (_, spelled) => {
    expect(redact(`a ${spelled} b ${TOKEN}${TOKEN}`, SECRETS)).toBe('a [redacted] b [redacted][redacted]');
    expect(redactedStart(Buffer.from(`ä ${spelled} b`), 100, SECRETS).toString()).toBe('ä [redacted] b');
  });

  it('takes the whole of a secret that has another one in it', () => {
    expect(redact(SECRET, [SECRET.slice(6), SECRET])).toBe('[redacted]');
  });

  it('leaves everything else alone', () => {
    const text = `{"text":"größe \\/ %2F ${TOKEN.slice(1)}"}`;
    expect(redact(text, SECRETS)).toBe(text);
    expect(redact(text, [])).toBe(text);
    expect(redact(text, [''])).toBe(text);
    expect(redactedStart(Buffer.from(text), 100, SECRETS).toString()).toBe(text);
    expect(redactedStart(Buffer.from(text), 5, []).toString()).toBe('{"tex');
  });

  it.each([0, 1, 13, 25])('shows no part of a secret that begins %i bytes before the end', (before) => {
    const body = Buffer.from(`${'x'.repeat(100 - before)}${TOKEN}${SECRET}`);
    const shown = redactedStart(body, 100, SECRETS).toString();
    expect(shown).toBe('x'.repeat(100 - before) + (before === 0 ? '' : '[redacted]'));
  });

  it('shows no part of a secret at which a reply broke off', () => {
    for (const length of [8, 20, 25]) {
      const text = `got ${TOKEN.slice(0, length)}`;
      expect(redact(text, SECRETS)).toBe('got [redacted]');
      expect(redactedStart(Buffer.from(text), 100, SECRETS).toString()).toBe('got [redacted]');
    }
  });
});
