import { parseSearchTerms } from './search-terms.js';

const parse = (text: string): Record<string, readonly string[]> =>
  Object.fromEntries(
    Object.entries(parseSearchTerms(text)).filter(([, list]) => (list as string[]).length > 0), // omits times
  );

describe('parseSearchTerms', () => {
  it.each([
    ['build', { words: ['build'] }],
    ['build "is green" -red #ci', { words: ['build', 'is green', '#ci'], excluded: ['red'] }],
    ['from:@Ada in:~Town-Square x', { words: ['x'], authors: ['ada'], channels: ['town-square'] }],
    ['FROM: ada', { authors: ['ada'] }],
    ['wild* "not*" -re* *', { words: ['wild*', 'not'], excluded: ['re*'] }],
    ['-from:ada x -in:~town-square', { words: ['x'], otherAuthors: ['ada'], otherChannels: ['town-square'] }],
    ['(alpha) beta. - ?? gamma! :tada:', { words: ['alpha', 'beta', 'gamma', 'tada'] }],
    ['c++ -- --red ".env"', { words: ['c++', '.env'], excluded: ['red'] }],
    ['on:31.1.2026 x', { words: ['x'], invalid: 'on:31.1.2026' }],
    ['before:2026-02-31', { invalid: 'before:2026-02-31' }],
    ['after:2026-13-01', { invalid: 'after:2026-13-01' }],
    ['-on:2026-01-31', { invalid: '-on:2026-01-31' }],
    ['"unfinished phrase', { words: ['unfinished phrase'] }],
    ['100%_', { words: ['100%_'] }],
    ['""', {}],
  ])('%j', (text, expected) => {
    expect(parse(text)).toEqual(expected);
  });

  const HOUR = 3_600_000;
  const at = (day: string): number => Date.parse(`${day}T00:00:00Z`);

  it.each([
    ['x', -Infinity, Infinity],
    ['on:2026-01-31', at('2026-01-31'), at('2026-02-01')],
    ['before:2026-01-31', -Infinity, at('2026-01-31')],
    ['after:2026-01-31', at('2026-02-01'), Infinity],
    ['-before:2026-01-31', at('2026-01-31'), Infinity],
    ['-after:2026-01-31', -Infinity, at('2026-02-01')],
    ['after:2026-01-01 after:2026-01-05 before:2026-01-10', at('2026-01-06'), at('2026-01-10')],
  ])('parses %j as a time', (text, since, until) => {
    expect(parseSearchTerms(text)).toMatchObject({ since, until, invalid: '' });
    expect(parseSearchTerms(text, HOUR)).toMatchObject({ since: since - HOUR, until: until - HOUR });
  });

  it('uses at most 20 words', () => {
    expect(parse(Array.from({ length: 30 }, (_, index) => `w${index}`).join(' '))['words']).toHaveLength(20);
  });
});
