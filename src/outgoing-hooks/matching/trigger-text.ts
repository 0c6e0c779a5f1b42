/*
 * Text as triggers are compared (design section 8, D3): NFC, each run of white space one space. Word characters are
 * letters, marks, digits and `_`, of any script.
 */

const WHITE_SPACE_RUN = /\s+/gu;
const LEADING_SPACE = /^ /;
const ENDS_WITH_WORD = /[\p{L}\p{M}\p{N}_]$/u;
const STARTS_WITH_WORD = /^[\p{L}\p{M}\p{N}_]/u;

/** A message or a trigger word, ready to be compared. */
export function normaliseTriggerText(text: string): string {
  return text.normalize('NFC').replace(WHITE_SPACE_RUN, ' ');
}

/** As normaliseTriggerText, without what stands before the first word. */
export function withoutLeadingSpace(normalised: string): string {
  return normalised.replace(LEADING_SPACE, '');
}

/** Whether the character that ends at `index` is a word character. */
export function isWordBefore(text: string, index: number): boolean {
  return index > 0 && ENDS_WITH_WORD.test(text.slice(Math.max(0, index - 2), index));
}

/** Whether the character that begins at `index` is a word character. */
export function isWordAt(text: string, index: number): boolean {
  return index < text.length && STARTS_WITH_WORD.test(text.slice(index, index + 2));
}
