import { runeLength } from '../../../platform/common/utf8.js';

/** The `hashtags` of a post record: at most so many runes (docs/contract/messaging.md#posts). */
export const MAX_HASHTAGS_RUNES = 1000;
const MIN_TAG_RUNES = 3;

// In two steps, each anchored, so that no long run of punctuation is tried twice.
const TAG = /^[^#\p{L}\p{N}]*#*(#\p{L}[\p{L}\p{M}\p{N}._-]*)/u;
const NO_WORD = /^[^\p{L}\p{N}]*$/u;

/**
 * The hashtags of a message, space-separated, by the rules the peer documents to its users ("Search for
 * messages", Hashtags): a word of `#`, a letter, then letters, digits, dots, dashes and underscores, at
 * least three without the `#`. Punctuation around the word does not count; a tag that no longer fits
 * ends the list.
 */
export function extractHashtags(message: string): string {
  if (!message.includes('#')) {
    return '';
  }
  let tags = '';
  let runes = 0;
  for (const word of message.split(/\s+/)) {
    const tag = tagOf(word);
    if (tag === undefined) {
      continue;
    }
    runes += runeLength(tag) + (tags === '' ? 0 : 1);
    if (runes > MAX_HASHTAGS_RUNES) {
      break;
    }
    tags += tags === '' ? tag : ` ${tag}`;
  }
  return tags;
}

function tagOf(word: string): string | undefined {
  if (!word.includes('#')) {
    return undefined;
  }
  const match = TAG.exec(word);
  if (!match?.[1] || !NO_WORD.test(word.slice(match[0].length))) {
    return undefined;
  }
  const tag = withoutTrailingMarks(match[1]);
  return runeLength(tag) > MIN_TAG_RUNES ? tag : undefined; // one more than the minimum: the `#`
}

/** Dots, dashes and underscores belong inside a tag, not at its end. */
function withoutTrailingMarks(tag: string): string {
  let end = tag.length;
  while ('._-'.includes(tag.charAt(end - 1))) {
    end--;
  }
  return tag.slice(0, end);
}
