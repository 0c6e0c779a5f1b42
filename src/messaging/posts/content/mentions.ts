import { withoutCode } from './code-spans.js';

/** How many different names one post can call; more are plain text. */
const MAX_CALLS = 200;
const EVERYONE = new Set(['all', 'channel', 'here']);
const CALL = /(?<![\p{L}\p{N}_@])@([\p{L}\p{N}._-]+)/gu;
const NAME = /^[A-Za-z0-9._-]{1,64}$/;
const CALL_TO_EVERYONE = /(?<![A-Za-z0-9_])@(?:all|channel|here)(?![A-Za-z0-9_])/i;

/**
 * The names that the texts call as `@name` outside code, each call once and in lower case, with all that it can mean,
 * best first: `@bob.` is `bob.` or else `bob` (docs/contract/messaging.md#mentions).
 */
export function findCalls(texts: readonly string[]): (readonly string[])[] {
  const calls = new Map<string, readonly string[]>();
  for (const text of texts) {
    if (!text.includes('@')) continue;
    for (const [, word = ''] of withoutCode(text).matchAll(CALL)) {
      if (calls.size === MAX_CALLS) break;
      if (NAME.test(word)) calls.set(word.toLowerCase(), meanings(word.toLowerCase()));
    }
  }
  return [...calls.values()];
}

/** Whether the name stands for all members of the channel. */
export function isEveryone(name: string): boolean {
  return EVERYONE.has(name);
}

/** Whether clients would highlight a call to everyone in this text. */
export function callsEveryone(text: string): boolean {
  return text.includes('@') && CALL_TO_EVERYONE.test(text);
}

/** The word itself, without the punctuation of the sentence, and what stands before the first dot or dash. */
function meanings(word: string): string[] {
  const bare = /^.*[a-z0-9]/.exec(word)?.[0] ?? '';
  const first = /^[^.-]*/.exec(word)?.[0] ?? '';
  return [...new Set([word, bare, first])].filter((name) => name !== '');
}
