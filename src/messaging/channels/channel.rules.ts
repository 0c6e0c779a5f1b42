import { createHash } from 'node:crypto';
import { InvalidBodyParam } from '../../platform/common/errors/common-errors.js';
import { rulesOf } from '../../platform/common/errors/record-rules.js';
import { runeLength, sliceRunes } from '../../platform/common/utf8.js';
import type { Channel } from './channel.entity.js';

/** Every team has it, everybody in the team is in it, and it stays. */
export const DEFAULT_CHANNEL = 'town-square';

const MAX_DISPLAY_NAME_RUNES = 64;
const MAX_HEADER_RUNES = 1024;
const MAX_PURPOSE_RUNES = 250;
const DIRECT_NAME = /^[a-z0-9]{26}__[a-z0-9]{26}$/;
const GROUP_NAME = /^[0-9a-f]{40}$/;

/** How a user is told of a channel's messages; `default` follows the settings of the account. */
export const DEFAULT_NOTIFY_PROPS: Readonly<Record<string, string>> = {
  desktop: 'default',
  email: 'default',
  ignore_channel_mentions: 'default',
  mark_unread: 'all',
  push: 'default',
  channel_auto_follow_threads: 'off',
};

const LEVELS = ['default', 'all', 'mention', 'none'];
const NOTIFY_CHOICES: Readonly<
  Record<string, { readonly values: readonly string[]; readonly rule: string }>
> = {
  desktop: { values: LEVELS, rule: 'notify_level' },
  push: { values: LEVELS, rule: 'push_level' },
  mark_unread: { values: ['all', 'mention'], rule: 'unread_level' },
  email: { values: ['default', 'true', 'false'], rule: 'email_value' },
  ignore_channel_mentions: { values: ['default', 'on', 'off'], rule: 'ignore_channel_mentions_value' },
  channel_auto_follow_threads: { values: ['on', 'off'], rule: 'channel_auto_follow_threads_value' },
};
/** Settings of clients, which the server only keeps. */
const NOTIFY_TEXTS = ['desktop_sound', 'desktop_notification_sound', 'desktop_threads', 'push_threads'];
const MAX_NOTIFY_TEXT = 64;

const requireRule = rulesOf('channel');
const requireMemberRule = rulesOf('channel_member');

/** Whether a stored channel can have this name, a direct or group one included. */
export function isChannelName(name: string): boolean {
  return /^[a-z0-9][a-z0-9_-]{0,63}$/.test(name);
}

/** Whether the name is one that only a direct or group channel has. */
export function isDirectName(name: string): boolean {
  return DIRECT_NAME.test(name) || GROUP_NAME.test(name);
}

/** The one name of the direct channel of two users, or of one user alone. */
export function directName(userId: string, otherUserId: string): string {
  return [userId, otherUserId].sort().join('__');
}

/** The one name of the group channel of these users. */
export function groupName(userIds: readonly string[]): string {
  return createHash('sha1')
    .update([...userIds].sort().join(''))
    .digest('hex');
}

export function groupDisplayName(usernames: readonly string[]): string {
  return sliceRunes([...usernames].sort().join(', '), 0, MAX_DISPLAY_NAME_RUNES);
}

/**
 * Throws ValidationFailed for the first rule that an open or private channel breaks
 * (docs/contract/messaging.md#channels).
 */
export function requireValidChannel({ displayName, name, type, header, purpose }: Channel): void {
  requireRule(
    runeLength(displayName) <= MAX_DISPLAY_NAME_RUNES,
    'display_name',
    'display_name',
    'it may have 64 characters at most.',
  );
  requireRule(
    isChannelName(name),
    '1_or_more',
    'name',
    'it must have 1 to 64 of a-z, 0-9, hyphen and underscore, and begin with a letter or digit.',
  );
  requireRule(type === 'O' || type === 'P', 'type', 'type', 'it must be O or P.');
  requireValidHeader(header);
  requireRule(
    runeLength(purpose) <= MAX_PURPOSE_RUNES,
    'purpose',
    'purpose',
    'it may have 250 characters at most.',
  );
  requireRule(!isDirectName(name), 'name', 'name', 'only a direct or group channel has such a name.');
}

export function requireValidHeader(header: string): void {
  requireRule(
    runeLength(header) <= MAX_HEADER_RUNES,
    'header',
    'header',
    'it may have 1024 characters at most.',
  );
}

/** The settings after a change; unknown keys are dropped, a wrong value throws ValidationFailed. */
export function changedNotifyProps(
  present: Record<string, string>,
  change: Readonly<Record<string, string>>,
): Record<string, string> {
  const next = { ...present };
  for (const [key, value] of Object.entries(change)) {
    const choice = Object.hasOwn(NOTIFY_CHOICES, key) ? NOTIFY_CHOICES[key] : undefined;
    if (choice) {
      const { values, rule } = choice;
      requireMemberRule(values.includes(value), rule, key, `it must be one of ${values.join(', ')}.`);
    }
    if (!choice && !NOTIFY_TEXTS.includes(key)) continue;
    if (!choice && value.length > MAX_NOTIFY_TEXT)
      throw new InvalidBodyParam(key, `it may have ${MAX_NOTIFY_TEXT} characters at most`);
    next[key] = value;
  }
  return next;
}
