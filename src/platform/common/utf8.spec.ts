import { byteLength, runeLength, sliceRunes, splitRunes } from './utf8.js';

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

  it.each(SAMPLES)('counts and slices %j as its code points', (text) => {
    const runes = Array.from(text);
    expect(runeLength(text)).toBe(runes.length);
    for (let start = 0; start <= runes.length + 1; start++) {
      expect(sliceRunes(text, start)).toBe(runes.slice(start).join(''));
      for (let end = start; end <= runes.length + 1; end++) {
        expect(sliceRunes(text, start, end)).toBe(runes.slice(start, end).join(''));
      }
    }
  });

  it.each(SAMPLES)('splits %j into pieces of equal length', (text) => {
    for (const size of [1, 2, 3]) {
      const pieces = splitRunes(text, size);
      expect(pieces.join('')).toBe(text);
      expect(pieces.slice(0, -1).every((piece) => runeLength(piece) === size)).toBe(true);
      expect(runeLength(pieces.at(-1)!)).toBeLessThanOrEqual(size);
      expect(pieces).toHaveLength(Math.max(1, Math.ceil(Array.from(text).length / size)));
    }
  });
});
