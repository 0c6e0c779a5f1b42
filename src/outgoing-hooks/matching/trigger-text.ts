/*
 * Normalization for trigger matching (docs/contract/outgoing-webhooks.md#matching): NFC, with each run of whitespace
 * replaced by one space. Word characters are letters, marks, digits and `_`, in any script.
 */

const WORD_CHARACTER = /[\p{L}\p{M}\p{Nd}_]/u;
/** Unicode's White_Space; JavaScript's `\s` lacks U+0085 and has U+FEFF. */
const SPACE = String.raw`\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000`;
const OTHER_SPACE = SPACE.replace(' ', '');
/** Does not match single spaces, the most frequent case, because they need no replacement. */
const WHITE_SPACE_RUN = new RegExp(`(?:[${OTHER_SPACE}]| (?=[${SPACE}]))[${SPACE}]*`, 'g');

/** A lookup table, filled lazily; 0 means unknown. A regular expression per character would be slow. */
const TABLE_SIZE = 0x20000;
const table = new Uint8Array(TABLE_SIZE);
const IS_WORD = 1;
const IS_OTHER = 2;

/** Below U+0300, no character is a mark. */
const MAY_HAVE_MARKS = /[^\0-\u02ff]/;
/** A run of marks longer than in any language (UAX #15, stream-safe text). */
const LONG_RUN_OF_MARKS = /\p{M}{30}(?=\p{M})/gu;
const GRAPHEME_JOINER = '\u034f';

/** Normalizes a message or a trigger word. Lone surrogates become U+FFFD, as in storage. */
export function normalizeTriggerText(text: string): string {
  return streamSafe(text.toWellFormed()).normalize('NFC').replace(WHITE_SPACE_RUN, ' ');
}

/** Breaks up long runs of marks, because normalization sorts each run in quadratic time. */
function streamSafe(text: string): string {
  return MAY_HAVE_MARKS.test(text) ? text.replace(LONG_RUN_OF_MARKS, `$&${GRAPHEME_JOINER}`) : text;
}

export function withoutLeadingSpace(normalized: string): string {
  return normalized.startsWith(' ') ? normalized.slice(1) : normalized;
}

export function isWordCharacter(codePoint: number): boolean {
  const known = table[codePoint];
  if (known) return known === IS_WORD;
  const isWord = WORD_CHARACTER.test(String.fromCodePoint(codePoint));
  table[codePoint] = isWord ? IS_WORD : IS_OTHER; // out-of-range writes are ignored
  return isWord;
}

export function isWordBefore(normalized: string, index: number): boolean {
  if (index === 0) return false;
  const isPair = (normalized.charCodeAt(index - 1) & 0xfc00) === 0xdc00;
  return isWordCharacter(normalized.codePointAt(index - (isPair ? 2 : 1)) ?? 0);
}

export function isWordAt(normalized: string, index: number): boolean {
  return isWordCharacter(normalized.codePointAt(index) ?? 0);
}

/** Visits each word and each other character except spaces. `key` is a hash. */
export function forEachToken(
  normalized: string,
  visit: (key: number, isWord: boolean, size: number) => void,
): void {
  let key = 0;
  let size = 0;
  for (let index = 0; index < normalized.length; index++) {
    const character = normalized.codePointAt(index) ?? 0;
    if (character > 0xffff) index++;
    if (isWordCharacter(character)) {
      key = Math.imul(key ^ character, 0x01000193);
      size++;
      continue;
    }
    if (size > 0) visit(key, true, size);
    key = size = 0;
    if (character !== 0x20) visit(~character, false, 1);
  }
  if (size > 0) visit(key, true, size);
}
