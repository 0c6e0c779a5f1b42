/*
 * Text as triggers are compared (docs/contract/outgoing-webhooks.md#matching): NFC, each run of white space one
 * space. Word characters are letters, marks, digits and `_`, of any script.
 */

const WORD_CHARACTER = /[\p{L}\p{M}\p{Nd}_]/u;
/** Unicode's White_Space; JavaScript's `\s` has not U+0085 but U+FEFF. */
const SPACE = String.raw`\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000`;
const OTHER_SPACE = SPACE.replace(' ', '');
/** Leaves single spaces alone: most white space is one already. */
const WHITE_SPACE_RUN = new RegExp(`(?:[${OTHER_SPACE}]| (?=[${SPACE}]))[${SPACE}]*`, 'g');

/** Asking the regular expression for each character of a message would take longer than everything else. */
const TABLE_SIZE = 0x20000;
const isInTable = new Uint8Array(TABLE_SIZE);
for (let codePoint = 0; codePoint < TABLE_SIZE; codePoint++)
  if (WORD_CHARACTER.test(String.fromCodePoint(codePoint))) isInTable[codePoint] = 1;

/** A message or a trigger word, ready to be compared. A lone surrogate counts as U+FFFD, as it is stored. */
export function normaliseTriggerText(text: string): string {
  return text.toWellFormed().normalize('NFC').replace(WHITE_SPACE_RUN, ' ');
}

/** As normaliseTriggerText, without what stands before the first word. */
export function withoutLeadingSpace(normalised: string): string {
  return normalised.startsWith(' ') ? normalised.slice(1) : normalised;
}

export function isWordCharacter(codePoint: number): boolean {
  return codePoint < TABLE_SIZE
    ? isInTable[codePoint] === 1
    : WORD_CHARACTER.test(String.fromCodePoint(codePoint));
}

/** Whether the character that ends at `index` is a word character. */
export function isWordBefore(normalised: string, index: number): boolean {
  if (index === 0) return false;
  const isPair = (normalised.charCodeAt(index - 1) & 0xfc00) === 0xdc00;
  return isWordCharacter(normalised.codePointAt(index - (isPair ? 2 : 1)) ?? 0);
}

/** Whether the character that begins at `index` is a word character. */
export function isWordAt(normalised: string, index: number): boolean {
  return isWordCharacter(normalised.codePointAt(index) ?? 0);
}

/**
 * Visits each maximal run of word characters, and each other character but the space, with a number that equal ones
 * share, and different ones rarely.
 */
export function forEachToken(
  normalised: string,
  visit: (key: number, isWord: boolean, size: number) => void,
): void {
  let key = 0;
  let size = 0;
  for (let index = 0; index < normalised.length; index++) {
    const character = normalised.codePointAt(index) ?? 0;
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
