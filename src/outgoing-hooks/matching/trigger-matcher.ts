import type { Author } from '../events/hook-events.js';
import { isWordAt, isWordBefore, normalizeTriggerText, withoutLeadingSpace } from './trigger-text.js';
import type { Post } from '../../messaging/posts/post.entity.js';
import type { CreatedPost } from '../../messaging/posts/posts.events.js';

/** Where a trigger must be in the message, by `trigger_when`. */
const PLACES = ['anywhere', 'start', 'firstWord'] as const;

/** A message, normalized once for all hooks. */
export interface PreparedMessage {
  readonly text: string;
  /** Without leading whitespace. */
  readonly start: string;
}

/** A trigger word, normalized once for all messages. */
export interface PreparedTrigger {
  readonly word: string;
  /** Ends with a space for `firstWord`, which matches white space or the end of the message. */
  readonly text: string;
  readonly when: (typeof PLACES)[number];
  /** Only whitespace: it never matches. */
  readonly isBlank: boolean;
  /** It starts or ends with a word character, so a match needs a word boundary there. */
  readonly needsBoundaryBefore: boolean;
  readonly needsBoundaryAfter: boolean;
}

export function prepareMessage(message: string): PreparedMessage {
  const text = normalizeTriggerText(message);
  return { text, start: withoutLeadingSpace(text) };
}

/** The triggers of a hook, in order. */
export function prepareTriggers(hook: {
  readonly triggerWords: readonly string[];
  readonly triggerWhen: number;
}): PreparedTrigger[] {
  return hook.triggerWords.map((word) => {
    const normalized = normalizeTriggerText(word);
    const when = PLACES[hook.triggerWhen] ?? 'anywhere';
    let text = when === 'anywhere' ? normalized : withoutLeadingSpace(normalized);
    if (when === 'firstWord' && !text.endsWith(' ')) text += ' ';
    return {
      word,
      text,
      when,
      isBlank: text === '' || text === ' ',
      needsBoundaryBefore: isWordAt(text, 0),
      needsBoundaryAfter: isWordBefore(text, text.length),
    };
  });
}

/** Whether a trigger occurs in the message (docs/contract/outgoing-webhooks.md#matching). */
export function matches(message: PreparedMessage, trigger: PreparedTrigger): boolean {
  if (trigger.isBlank) return false;
  const { text, start } = message;
  if (trigger.when !== 'anywhere')
    return start.startsWith(trigger.text) || (trigger.when === 'firstWord' && `${start} ` === trigger.text);
  for (let at = text.indexOf(trigger.text); at >= 0; at = text.indexOf(trigger.text, at + 1)) {
    const end = at + trigger.text.length;
    const isWholeWord =
      !(trigger.needsBoundaryBefore && isWordBefore(text, at)) &&
      !(trigger.needsBoundaryAfter && isWordAt(text, end));
    if (isWholeWord) return true;
  }
  return false;
}

/** The first trigger word that matches; empty if the hook fires on every post; undefined if it does not fire. */
export function firingWord(
  message: PreparedMessage,
  triggers: readonly PreparedTrigger[],
  hook: { readonly channelId: string },
): string | undefined {
  if (triggers.length === 0) return hook.channelId === '' ? undefined : '';
  return triggers.find((trigger) => matches(message, trigger))?.word;
}

/** Posts of the server and of other servers are no events (docs/contract/outgoing-webhooks.md#triggers). */
export function isEvent({ origin, post }: Pick<CreatedPost, 'origin' | 'post'>): boolean {
  return (origin === 'user' || origin === 'hook') && !post.type.startsWith('system_');
}

/** Who wrote a post. Users cannot set these props. */
export function authorOf({ props }: Pick<Post, 'props'>): Author {
  if (props['from_webhook'] === 'true') return 'program';
  return props['from_bot'] === 'true' ? 'bot' : 'person';
}
