import { codeTest } from './code-ranges.js';
import { runeLength } from '../../../platform/common/utf8.js';

/** Maximum number of names one post can mention; further mentions are plain text. */
const MAX_MENTIONS = 200;
const EVERYONE = new Set(['all', 'channel', 'here']);
const MENTION = /(?<![\p{L}\p{N}_@])@[\p{L}\p{N}._-]+/gu;
const NAME = /^[A-Za-z0-9._-]{1,64}$/;
const MENTION_OF_EVERYONE = /(?<![A-Za-z0-9_])@(?:all|channel|here)(?![A-Za-z0-9_])/i;

/**
 * Returns the mentions (`@name`) outside code, without duplicates. Each is a list of candidate names in
 * lowercase, best first: `@bob.` is `bob.` or else `bob` (docs/contract/messaging.md#mentions).
 */
export function findMentions(texts: readonly string[]): (readonly string[])[] {
  const mentions = new Map<string, readonly string[]>();
  for (const text of texts) {
    if (!text.includes('@')) continue;
    const isCode = codeTest(text);
    for (const { 0: mention, index } of text.matchAll(MENTION)) {
      if (mentions.size === MAX_MENTIONS) break;
      if (isCode(index)) continue;
      const name = mention.slice(1).toLowerCase();
      if (NAME.test(mention.slice(1))) mentions.set(name, possibleNames(name));
    }
  }
  return [...mentions.values()];
}

/** Whether this name mentions all channel members. */
export function isEveryone(name: string): boolean {
  return EVERYONE.has(name);
}

/** Whether clients would highlight an everyone mention in this text. */
export function mentionsEveryone(text: string): boolean {
  return text.includes('@') && MENTION_OF_EVERYONE.test(text);
}

/** Returns the word, the word without trailing punctuation, and the part before the first dot or dash. */
function possibleNames(word: string): string[] {
  const bare = word.replace(/(?<![^a-z0-9])[^a-z0-9]+$/, '');
  const first = word.replace(/[.-].*/, '');
  return [...new Set([word, bare, first])].filter((name) => name !== '');
}

/** Maximum number of channels one post can mention; further mentions are plain text. */
const MAX_NAMES = 50;
const CHANNEL_MENTION = /(?<![A-Za-z0-9_~])~[A-Za-z0-9_-]{1,64}(?![A-Za-z0-9_-])/g;

/** Returns the channel names mentioned as `~name` in the texts, lowercase and without duplicates. */
export function findChannelMentions(texts: readonly string[]): string[] {
  const names = new Set<string>();
  for (const text of texts) {
    if (!text.includes('~')) continue;
    for (const { 0: mention } of text.matchAll(CHANNEL_MENTION)) {
      if (names.size < MAX_NAMES) names.add(mention.slice(1).toLowerCase());
    }
  }
  return [...names];
}

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
  if (!message.includes('#')) return '';
  let tags = '';
  let runes = 0;
  for (const word of message.split(/\s+/)) {
    const tag = tagOf(word);
    if (tag === undefined) continue;
    runes += runeLength(tag) + (tags === '' ? 0 : 1);
    if (runes > MAX_HASHTAGS_RUNES) break;
    tags += tags === '' ? tag : ` ${tag}`;
  }
  return tags;
}

function tagOf(word: string): string | undefined {
  const match = TAG.exec(word);
  if (!match?.[1] || !NO_WORD.test(word.slice(match[0].length))) return undefined;
  const tag = withoutTrailingMarks(match[1]);
  return runeLength(tag) > MIN_TAG_RUNES ? tag : undefined; // `>` because the tag includes the `#`
}

/** Strips trailing dots, dashes and underscores, which are not part of a tag. */
function withoutTrailingMarks(tag: string): string {
  let end = tag.length;
  while ('._-'.includes(tag.charAt(end - 1))) end--;
  return tag.slice(0, end);
}
