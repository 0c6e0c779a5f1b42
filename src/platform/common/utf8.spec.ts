import { byteLength, runeLength, skipRunes, sliceRunes } from './utf8.js';

const SAMPLES = ['', 'plain', 'é', '🚀', 'a🚀b🚀🚀c', '\ud800', 'a\ud800b', '\udc00🚀\ud800', '👩‍👩‍👧'];

describe('utf8', () => {
  it.each([
    ['', 0, 0],
    ['abc', 3, 3],
    ['é', 1, 2],
    ['🚀', 1, 4],
    ['a\ud800b', 3, 5],
  ])('measures %j: %d runes, %d bytes', (text, runes, bytes) => {
    expect(runeLength(text)).toBe(runes);
    expect(byteLength(text)).toBe(bytes);
  });

  it.each(SAMPLES)('counts and slices %j by code points', (text) => {
    const runes = Array.from(text);
    expect(runeLength(text)).toBe(runes.length);
    for (let start = 0; start <= runes.length + 1; start++) {
      expect(sliceRunes(text, start)).toBe(runes.slice(start).join(''));
      for (let end = start; end <= runes.length + 1; end++) {
        expect(sliceRunes(text, start, end)).toBe(runes.slice(start, end).join(''));
      }
    }
  });

  it.each(SAMPLES)('skips the code points of %j', (text) => {
    const runes = Array.from(text);
    for (let count = 0; count <= runes.length + 1; count++) {
      expect(skipRunes(text, 0, count)).toBe(runes.slice(0, count).join('').length);
    }
  });
});
