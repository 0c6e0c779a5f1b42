import { ValidationFailed } from '../../platform/common/errors/common-errors.js';
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
} from './channel.rules.js';

const A = 'aaaaaaaaaaaaaaaaaaaaaaaaaa';
const B = 'bbbbbbbbbbbbbbbbbbbbbbbbbb';

const valid: Channel = {
  id: A,
  createAt: 1,
  updateAt: 1,
  deleteAt: 0,
  teamId: B,
  type: 'O',
  displayName: 'Releases',
  name: 'releases',
  header: '',
  purpose: '',
  creatorId: '',
  lastPostAt: 0,
  totalMsgCount: 0,
  lastRootPostAt: 0,
  totalMsgCountRoot: 0,
  lastSeq: 0,
  shared: false,
};

function idOfFailure(action: () => unknown): string {
  try {
    action();
    return '';
  } catch (error) {
    return error instanceof ValidationFailed ? error.id : 'other';
  }
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
    const expected = rule === '' ? '' : `model.channel.is_valid.${rule}.app_error`;
    expect(idOfFailure(() => requireValidChannel({ ...valid, ...change }))).toBe(expected);
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
    const changed = changedNotifyProps(present, {
      desktop: 'all',
      user_id: A,
      __proto__x: 'y',
      desktop_sound: 'on',
    });
    expect(changed).toEqual({ ...present, desktop: 'all', desktop_sound: 'on' });
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
    expect(idOfFailure(() => changedNotifyProps(present, { [key]: value }))).toBe(
      `model.channel_member.is_valid.${rule}.app_error`,
    );
  });
});
