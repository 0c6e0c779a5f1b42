import { createHash } from 'node:crypto';
import { InvalidBodyParam } from '../../platform/common/errors/common-errors.js';
import { rulesOf } from '../../platform/common/errors/record-rules.js';
import { newId } from '../../platform/common/ids.js';
import { runeLength, sliceRunes } from '../../platform/common/utf8.js';
import type { User } from '../users/user.entity.js';
import type { ChannelMember } from './channel-member.entity.js';
import type { Channel } from './channel.entity.js';

/** The default channel of every team: all members of the team are in it, and it cannot be archived or left. */
export const DEFAULT_CHANNEL = 'town-square';

/** The channels that every new team gets and that every new member joins. */
export const DEFAULT_CHANNELS = [
  { name: DEFAULT_CHANNEL, displayName: 'Town Square' },
  { name: 'off-topic', displayName: 'Off-Topic' },
] as const;

const MAX_DISPLAY_NAME_RUNES = 64;
export const MAX_HEADER_RUNES = 1024;
const MAX_PURPOSE_RUNES = 250;
const DIRECT_NAME = /^[a-z0-9]{26}__[a-z0-9]{26}$/;
const GROUP_NAME = /^[0-9a-f]{40}$/;

/** A member's initial notification settings for a channel; `default` follows the settings of the account. */
export const DEFAULT_NOTIFY_PROPS: Readonly<Record<string, string>> = {
  desktop: 'default',
  email: 'default',
  ignore_channel_mentions: 'default',
  mark_unread: 'all',
  push: 'default',
  channel_auto_follow_threads: 'off',
};

const LEVELS = ['default', 'all', 'mention', 'none'];
const NOTIFY_CHOICES: ReadonlyMap<string, { readonly values: readonly string[]; readonly rule: string }> =
  new Map([
    ['desktop', { values: LEVELS, rule: 'notify_level' }],
    ['push', { values: LEVELS, rule: 'push_level' }],
    ['mark_unread', { values: ['all', 'mention'], rule: 'unread_level' }],
    ['email', { values: ['default', 'true', 'false'], rule: 'email_value' }],
    ['ignore_channel_mentions', { values: ['default', 'on', 'off'], rule: 'ignore_channel_mentions_value' }],
    ['channel_auto_follow_threads', { values: ['on', 'off'], rule: 'channel_auto_follow_threads_value' }],
  ]);
/** Client-only settings; the server just stores them. */
export const NOTIFY_TEXTS = [
  'desktop_sound',
  'desktop_notification_sound',
  'desktop_threads',
  'push_threads',
];
export const MAX_NOTIFY_TEXT = 64;

const requireRule = rulesOf('channel');
const requireMemberRule = rulesOf('channel_member');

/** Whether `name` has the form of a channel name; includes direct and group channels. */
export function isChannelName(name: string): boolean {
  return /^[a-z0-9][a-z0-9_-]{0,63}$/.test(name);
}

/** Whether only a direct or group channel can have this name. */
export function isDirectName(name: string): boolean {
  return DIRECT_NAME.test(name) || GROUP_NAME.test(name);
}

/** The name of the direct channel of two users, in either order. Both may be the same user. */
export function directName(userId: string, otherUserId: string): string {
  return [userId, otherUserId].sort().join('__');
}

/** The name of the group channel of these users, in any order. */
export function groupName(userIds: readonly string[]): string {
  return createHash('sha1')
    .update([...userIds].sort().join(''))
    .digest('hex');
}

/** The usernames in alphabetical order, cut to the maximum length of a display name. */
export function groupDisplayName(usernames: readonly string[]): string {
  return sliceRunes([...usernames].sort().join(', '), 0, MAX_DISPLAY_NAME_RUNES);
}

/**
 * Throws ValidationFailed for the first rule that an open or private channel breaks
 * (docs/contract/messaging.md#channels).
 */
export function requireValidChannel({ displayName, name, type, header, purpose }: Channel): void {
  requireLength('display_name', displayName, MAX_DISPLAY_NAME_RUNES);
  requireRule(
    isChannelName(name),
    '1_or_more',
    'name',
    'it must have 1 to 64 of a-z, 0-9, hyphen and underscore, and begin with a letter or digit.',
  );
  requireRule(type === 'O' || type === 'P', 'type', 'type', 'it must be O (open) or P (private).');
  requireValidHeader(header);
  requireLength('purpose', purpose, MAX_PURPOSE_RUNES);
  requireRule(!isDirectName(name), 'name', 'name', 'it is reserved for direct and group channels.');
}

/** Throws ValidationFailed if the header is too long. */
export function requireValidHeader(header: string): void {
  requireLength('header', header, MAX_HEADER_RUNES);
}

function requireLength(field: string, text: string, max: number): void {
  requireRule(runeLength(text) <= max, field, field, `it must have at most ${max} characters.`);
}

/** Merges a change into the settings, ignoring unknown keys. Throws ValidationFailed or InvalidBodyParam. */
export function changedNotifyProps(
  present: Record<string, string>,
  change: Readonly<Record<string, string>>,
): Record<string, string> {
  const next = { ...present };
  for (const [key, value] of Object.entries(change)) {
    const choice = NOTIFY_CHOICES.get(key);
    if (choice) {
      const { values, rule } = choice;
      requireMemberRule(values.includes(value), rule, key, `it must be one of ${values.join(', ')}.`);
    } else if (!NOTIFY_TEXTS.includes(key)) continue;
    else if (runeLength(value) > MAX_NOTIFY_TEXT)
      throw new InvalidBodyParam(key, `it must have at most ${MAX_NOTIFY_TEXT} characters`);
    next[key] = value;
  }
  return next;
}

/** A new channel without posts; `input` overrides the defaults. */
export function newChannel(
  now: number,
  input: Pick<Channel, 'teamId' | 'type' | 'name' | 'displayName' | 'creatorId'> & Partial<Channel>,
): Channel {
  return {
    id: newId(),
    createAt: now,
    updateAt: now,
    deleteAt: 0,
    header: '',
    purpose: '',
    lastPostAt: 0,
    totalMsgCount: 0,
    lastRootPostAt: 0,
    totalMsgCountRoot: 0,
    lastSeq: 0,
    shared: false,
    ...input,
  };
}

/** A new membership. */
export function newMember(now: number, channelId: string, user: User, isAdmin = false): ChannelMember {
  return {
    channelId,
    userId: user.id,
    explicitRoles: '',
    schemeGuest: false,
    schemeUser: true,
    schemeAdmin: isAdmin,
    lastViewedAt: 0,
    msgCount: 0,
    msgCountRoot: 0,
    mentionCount: 0,
    mentionCountRoot: 0,
    notifyProps: { ...DEFAULT_NOTIFY_PROPS },
    lastUpdateAt: now,
  };
}
