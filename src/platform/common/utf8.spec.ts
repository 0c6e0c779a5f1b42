import { runeLength, skipRunes, sliceRunes } from './utf8.js';

const SAMPLES = ['', 'plain', 'é', '🚀', 'a🚀b🚀🚀c', '\ud800', 'a\ud800b', '\udc00🚀\ud800', '👩‍👩‍👧'];

describe('utf8', () => {
  it.each(SAMPLES)('counts, slices and skips %j by code points', (text) => {
    const runes = Array.from(text);
    expect(runeLength(text)).toBe(runes.length);
    for (let start = 0; start <= runes.length + 1; start++) {
      expect(sliceRunes(text, start)).toBe(runes.slice(start).join(''));
      expect(skipRunes(text, 0, start)).toBe(runes.slice(0, start).join('').length);
      for (let end = start; end <= runes.length + 1; end++)
        expect(sliceRunes(text, start, end)).toBe(runes.slice(start, end).join(''));
    }
  });
});
