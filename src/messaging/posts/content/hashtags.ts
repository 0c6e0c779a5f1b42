import { runeLength } from '../../../platform/common/utf8.js';

/** Maximum length of a post's `hashtags` (docs/contract/messaging.md#posts). */
export const MAX_HASHTAGS_RUNES = 1000;
const MIN_TAG_RUNES = 3;

// Two anchored patterns instead of one, so that matching stays linear in long runs of punctuation.
const TAG = /^[^#\p{L}\p{N}]*#*(#\p{L}[\p{L}\p{M}\p{N}._-]*)/u;
const NO_WORD = /^[^\p{L}\p{N}]*$/u;

/**
 * Returns the hashtags of a message, separated by spaces. A hashtag is `#`, a letter, then letters, digits,
 * dots, dashes and underscores: at least three characters after the `#`. Surrounding punctuation is ignored.
 * The list ends before the first tag that would exceed the maximum length.
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
  const match = TAG.exec(word);
  if (!match?.[1] || !NO_WORD.test(word.slice(match[0].length))) {
    return undefined;
  }
  const tag = withoutTrailingMarks(match[1]);
  return runeLength(tag) > MIN_TAG_RUNES ? tag : undefined; // `>` because the tag includes the `#`
}

/** Strips trailing dots, dashes and underscores, which are not part of a tag. */
function withoutTrailingMarks(tag: string): string {
  let end = tag.length;
  while ('._-'.includes(tag.charAt(end - 1))) {
    end--;
  }
  return tag.slice(0, end);
}
