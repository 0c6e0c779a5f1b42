/*
 * A second implementation of docs/contract/outgoing-webhooks.md#matching, slow and obvious: lists of characters,
 * compared at every position. It shares no code with the matcher, and classifies white space and word characters in
 * another way.
 */
import fc from 'fast-check';

const AT_START = 1;
const FIRST_WORD = 2;
const SPACES = new Set(
  '\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000',
);
const CATEGORIES = [/^\p{Letter}$/u, /^\p{Mark}$/u, /^\p{Decimal_Number}$/u];

/** What a hook matches. */
export interface Watching {
  readonly channelId: string;
  readonly triggerWords: readonly string[];
  readonly triggerWhen: number;
}

/** Whether a trigger fires for a message. */
function triggers(when: number, trigger: string, message: string): boolean {
  let wanted = characters(trigger);
  let text = characters(message);
  if (wanted.every((character) => character === ' ')) return false;
  if (when === FIRST_WORD) {
    const words = wordsOf(text);
    return wordsOf(wanted).every((word, index) => word === words[index]);
  }
  if (when === AT_START) {
    wanted = wanted.slice(wanted[0] === ' ' ? 1 : 0);
    text = text.slice(text[0] === ' ' ? 1 : 0);
    return standsAt(text, 0, wanted);
  }
  return text.some((_, at) => {
    const before = text[at - 1];
    const behind = text[at + wanted.length];
    const isBoundBefore = isWordCharacter(wanted[0]) && isWordCharacter(before);
    const isBoundBehind = isWordCharacter(wanted[wanted.length - 1]) && isWordCharacter(behind);
    return standsAt(text, at, wanted) && !isBoundBefore && !isBoundBehind;
  });
}

/** The word with which a hook fires for a message in a channel; undefined if it does not. */
export function wordOf(hook: Watching, channelId: string, message: string): string | undefined {
  if (hook.channelId !== '' && hook.channelId !== channelId) return undefined;
  if (hook.triggerWords.length === 0) return hook.channelId === '' ? undefined : '';
  return hook.triggerWords.find((word) => triggers(hook.triggerWhen, word, message));
}

function characters(text: string): string[] {
  const result: string[] = [];
  for (const character of text.normalize('NFC')) {
    const isLone = character.length === 1 && character >= '\ud800' && character <= '\udfff';
    if (!SPACES.has(character)) result.push(isLone ? '\ufffd' : character);
    else if (result[result.length - 1] !== ' ') result.push(' ');
  }
  return result;
}

function wordsOf(text: readonly string[]): string[] {
  return text
    .join('')
    .split(' ')
    .filter((word) => word !== '');
}

function isWordCharacter(character: string | undefined): boolean {
  return character !== undefined && (character === '_' || CATEGORIES.some((is) => is.test(character)));
}

function standsAt(text: readonly string[], at: number, trigger: readonly string[]): boolean {
  return trigger.every((character, index) => text[at + index] === character);
}

/** Letters, marks, digits, spaces and others: each kind that matching distinguishes. */
export const pieces =
  'a b e é _ 1 ٣ ² Ⅷ ! # + . 👍 🚀 𝒜 𞤀 部 署 가 \u1100 \u1161 \u11a8 ﬁ \u212b A \u200d \ufe0f \u0301 \u030a \u0489 \ud83d \udc4d \ufffd \ufeff'
    .split(' ')
    .concat(' ', ' ', '\n', '\u0085', '\u00a0', '\u3000', 'ab', 'a b', 'e\u0301');

/** Texts of a few of `from`. */
export function textOf(from: readonly string[], maxLength: number, minLength = 0): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...from), { minLength, maxLength }).map((parts) => parts.join(''));
}

/** Word characters next to others: the ends of triggers and their neighbours. */
const [inside, outside] = [
  ['a', 'b', '1', '_', 'é', '𝒜', '\u0301', '\u0489'],
  ['!', '+', ' ', '\n', '👍', '.', '²'],
];

/**
 * Two or three characters for a message and its triggers: triggers overlap themselves and each other, and most
 * occurrences touch another.
 */
export const tinyAlphabet = fc
  .tuple(
    fc.constantFrom(...inside),
    fc.constantFrom(...outside),
    fc.option(fc.constantFrom(...pieces), { nil: '' }),
  )
  .map((characters) => characters.filter((character) => character !== ''));
