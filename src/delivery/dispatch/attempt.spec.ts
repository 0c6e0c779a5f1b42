import { shownHeaders } from './attempt.js';

const SECRET = 'whsec_aB/c+dEfGhIjKlMnOpQrStUv==';

describe('shownHeaders', () => {
  it('omits secrets', () => {
    expect(shownHeaders({ 'x-echo': `is ${SECRET}.` }, [SECRET], 100)).toEqual({
      'x-echo': 'is [redacted].',
    });
  });

  it('omits secrets that are escaped', () => {
    const echo = { 'x-echo': JSON.stringify(SECRET).replace('/', '\\/') };
    expect(shownHeaders(echo, [SECRET], 100)).toEqual({ 'x-echo': '"[redacted]"' });
  });

  it('omits a header whose JSON does not fit, and keeps the following ones', () => {
    const headers = { one: 'a', long: 'b'.repeat(100), quoted: '"'.repeat(40), two: 'c' };
    expect(shownHeaders(headers, [], 60)).toEqual({ one: 'a', two: 'c' });
  });
});
