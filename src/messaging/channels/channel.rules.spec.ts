import type { Channel } from './channel.entity.js';
import {
  changedNotifyProps,
  requireValidChannel,
  DEFAULT_NOTIFY_PROPS,
  directName,
  groupDisplayName,
  groupName,
  isChannelName,
  isDirectName,
  newChannel,
} from './channel.rules.js';

const A = 'aaaaaaaaaaaaaaaaaaaaaaaaaa';
const B = 'bbbbbbbbbbbbbbbbbbbbbbbbbb';

const fields = { teamId: B, type: 'O', displayName: 'Releases', name: 'releases', creatorId: '' };
const valid = newChannel(1, fields);

/** Expects that `action` breaks this rule of the record; none if empty. */
function expectBroken(record: string, rule: string, action: () => unknown): void {
  if (rule === '') expect(action).not.toThrow();
  else expect(action).toThrow(expect.objectContaining({ id: `model.${record}.is_valid.${rule}.app_error` }));
}

describe('requireValidChannel', () => {
  it.each<[string, Partial<Channel>]>([
    ['', {}],
    ['', { displayName: '😀'.repeat(64), header: '😀'.repeat(1024), purpose: '😀'.repeat(250), type: 'P' }],
    ['', { name: '0' }],
    ['', { name: `a${'-_'.repeat(31)}` }],
    ['display_name', { displayName: '😀'.repeat(65) }],
    ['1_or_more', { name: '' }],
    ['1_or_more', { name: 'a'.repeat(65) }],
    ['1_or_more', { name: '-a' }],
    ['1_or_more', { name: 'Releases' }],
    ['1_or_more', { name: 'a b' }],
    ['1_or_more', { name: 'a\n' }],
    ['type', { type: 'D' }],
    ['type', { type: '' }],
    ['header', { header: 'x'.repeat(1025) }],
    ['purpose', { purpose: 'x'.repeat(251) }],
    ['name', { name: `${A}__${B}` }],
    ['name', { name: '0123456789abcdef0123456789abcdef01234567' }],
    ['display_name', { displayName: 'x'.repeat(65), name: '', type: '' }],
  ])('finds %p', (rule, change) => {
    expectBroken('channel', rule, () => requireValidChannel({ ...valid, ...change }));
  });
});

describe('names', () => {
  it('of direct channels do not depend on the caller', () => {
    expect(directName(B, A)).toBe(`${A}__${B}`);
    expect(directName(A, B)).toBe(`${A}__${B}`);
    expect(directName(A, A)).toBe(`${A}__${A}`);
    expect(isDirectName(directName(A, B))).toBe(true);
    expect(isChannelName(directName(A, B))).toBe(true);
  });

  it('of group channels depend only on the users', () => {
    expect(groupName([B, A])).toBe(groupName([A, B]));
    expect(groupName([A, B])).toMatch(/^[0-9a-f]{40}$/);
    expect(isDirectName(groupName([A, B]))).toBe(true);
    expect(groupDisplayName(['zoe', 'anna'])).toBe('anna, zoe');
    expect(groupDisplayName(['a'.repeat(64), 'b'])).toHaveLength(64);
  });
});

describe('changedNotifyProps', () => {
  const present = { ...DEFAULT_NOTIFY_PROPS };

  it('accepts known keys and keeps the rest', () => {
    const change = { desktop: 'all', desktop_sound: 'on' };
    expect(changedNotifyProps(present, { ...change, user_id: A })).toEqual({ ...present, ...change });
    expect(present['desktop']).toBe('default');
  });

  it.each([
    ['desktop', 'loud', 'notify_level'],
    ['push', '', 'push_level'],
    ['mark_unread', 'default', 'unread_level'],
    ['email', 'maybe', 'email_value'],
    ['ignore_channel_mentions', 'yes', 'ignore_channel_mentions_value'],
    ['channel_auto_follow_threads', 'default', 'channel_auto_follow_threads_value'],
  ])('refuses %s = %p', (key, value, rule) => {
    expectBroken('channel_member', rule, () => changedNotifyProps(present, { [key]: value }));
  });
});
