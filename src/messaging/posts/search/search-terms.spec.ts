import { parseSearchTerms } from './search-terms.js';

const parse = (text: string): Record<string, readonly string[]> =>
  Object.fromEntries(
    Object.entries(parseSearchTerms(text)).filter(([, list]) => (list as string[]).length > 0),
  );

describe('parseSearchTerms', () => {
  it.each([
    ['build', { words: ['build'] }],
    ['build "is green" -red #ci', { words: ['build', 'is green', '#ci'], excluded: ['red'] }],
    ['from:@Ada in:~Town-Square x', { words: ['x'], authors: ['ada'], channels: ['town-square'] }],
    ['FROM: ada', { authors: ['ada'] }],
    ['wild*', { words: ['wild'] }],
    ['-from:ada', {}],
    ['"unfinished phrase', { words: ['unfinished phrase'] }],
    ['100%_', { words: ['100%_'] }],
    ['""', {}],
  ])('%j', (text, expected) => {
    expect(parse(text)).toEqual(expected);
  });

  it('takes 20 words at most', () => {
    expect(parse(Array.from({ length: 30 }, (_, index) => `w${index}`).join(' '))['words']).toHaveLength(20);
  });
});
