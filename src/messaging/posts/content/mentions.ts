import { codeTest } from './code-ranges.js';

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
