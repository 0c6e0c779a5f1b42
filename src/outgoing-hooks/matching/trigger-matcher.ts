import { isWordAt, isWordBefore, normaliseTriggerText, withoutLeadingSpace } from './trigger-text.js';

/** A message, prepared once for all hooks. */
export interface PreparedMessage {
  /** For triggers anywhere. */
  readonly text: string;
  /** For triggers at the start: without leading white space. */
  readonly start: string;
}

/** A trigger word, prepared once for all messages. */
export interface PreparedTrigger {
  /** As the hook has it, and as the payload tells it. */
  readonly word: string;
  readonly text: string;
  readonly when: 'anywhere' | 'start';
  /** Nothing but white space: it never matches. */
  readonly isBlank: boolean;
  /** Whether what stands before and behind an occurrence matters. */
  readonly isBoundedBefore: boolean;
  readonly isBoundedBehind: boolean;
}

export function prepareMessage(message: string): PreparedMessage {
  const text = normaliseTriggerText(message);
  return { text, start: withoutLeadingSpace(text) };
}

/** The triggers of a hook in its order. `triggerWhen` is 1 for the start of the message, else anywhere. */
export function prepareTriggers(hook: {
  readonly triggerWords: readonly string[];
  readonly triggerWhen: number;
}): PreparedTrigger[] {
  return hook.triggerWords.map((word) => {
    const normalised = normaliseTriggerText(word);
    const when = hook.triggerWhen === 1 ? 'start' : 'anywhere';
    const text = when === 'start' ? withoutLeadingSpace(normalised) : normalised;
    return {
      word,
      text,
      when,
      isBlank: text === '' || text === ' ',
      isBoundedBefore: isWordAt(text, 0),
      isBoundedBehind: isWordBefore(text, text.length),
    };
  });
}

/** Whether a trigger occurs in the message (docs/contract/outgoing-webhooks.md#matching). */
export function matches(message: PreparedMessage, trigger: PreparedTrigger): boolean {
  if (trigger.isBlank) return false;
  if (trigger.when === 'start') return message.start.startsWith(trigger.text);
  const { text } = message;
  for (let at = text.indexOf(trigger.text); at >= 0; at = text.indexOf(trigger.text, at + 1)) {
    const end = at + trigger.text.length;
    const isFree =
      !(trigger.isBoundedBefore && isWordBefore(text, at)) &&
      !(trigger.isBoundedBehind && isWordAt(text, end));
    if (isFree) return true;
  }
  return false;
}

/**
 * The word with which a hook fires on a message: the first of its words that matches; empty when it fires on every
 * post of its channel. Undefined: it does not fire.
 */
export function firingWord(
  message: PreparedMessage,
  triggers: readonly PreparedTrigger[],
  hook: { readonly channelId: string },
): string | undefined {
  if (triggers.length === 0) return hook.channelId === '' ? undefined : '';
  return triggers.find((trigger) => matches(message, trigger))?.word;
}
