import { shownHeaders } from './attempt-row.js';

const SECRET = 'abcdefghijklmnop';

describe('the headers that are shown', () => {
  it('hold no secret', () => {
    expect(shownHeaders({ 'x-echo': `is ${SECRET}.` }, [SECRET], 100)).toEqual({
      'x-echo': 'is [redacted].',
    });
  });

  it('leave out what does not fit, as JSON, and keep what comes after it', () => {
    const headers = { one: 'a', long: 'b'.repeat(100), quoted: '"'.repeat(40), two: 'c' };
    expect(shownHeaders(headers, [], 60)).toEqual({ one: 'a', two: 'c' });
  });
});
