/**
 * Lengths as defined by the contract (docs/contract/README.md#reading-the-pages): UTF-8 bytes, and runes
 * (Unicode code points). A lone surrogate counts as one rune, like the U+FFFD that replaces it in storage.
 */
const SURROGATE = /[\ud800-\udfff]/;

/** The length of `text` in UTF-8 bytes. */
export function byteLength(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/** The length of `text` in code points; at most `text.length`. */
export function runeLength(text: string): number {
  if (!SURROGATE.test(text)) return text.length;
  let runes = 0;
  for (let i = 0; i < text.length; i += unitsAt(text, i)) runes++;
  return runes;
}

/** The code points from `start` up to, not including, `end`: `String.slice` without negative bounds. */
export function sliceRunes(text: string, start: number, end = Infinity): string {
  if (!SURROGATE.test(text)) return text.slice(Math.max(start, 0), Math.max(end, 0));
  const from = skipRunes(text, 0, start);
  return text.slice(from, skipRunes(text, from, end - Math.max(start, 0)));
}

/** The index reached from index `from` after `runes` code points, at most the end of `text`. */
export function skipRunes(text: string, from: number, runes: number): number {
  let index = from;
  for (let left = runes; left > 0 && index < text.length; left--) index += unitsAt(text, index);
  return index;
}

/** The number of UTF-16 units of the code point at `index`. */
function unitsAt(text: string, index: number): 1 | 2 {
  if ((text.charCodeAt(index) & 0xfc00) !== 0xd800) return 1;
  return (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00 ? 2 : 1;
}
