import type { Channel } from '../../messaging/channels/channel.entity.js';
import { editDistance } from '../../platform/common/edit-distance.js';

/** The target that a payload names (docs/contract/incoming-webhooks.md#target). */
export interface WantedTarget {
  readonly kind: 'own' | 'user' | 'channel' | 'several';
  /** Without its prefix; in the case in which it was sent, because ids may have capital letters. */
  readonly name: string;
}

/** Longer than any name with its prefix. */
const MAX_LENGTH = 200;
const MAX_DISTANCE = 3;
/** So many letters may hold one error. */
const LETTERS_PER_ERROR = 3;

/** Reads `channel` as people write it: with spaces around, full-width characters, `#` or `~`. */
export function wantedTarget(channel: string): WantedTarget {
  const text = channel.slice(0, MAX_LENGTH).normalize('NFKC').trim();
  if (text === '') return { kind: 'own', name: '' };
  const targets = text.split(/[,;]|(?<=\s)(?=[@#~])/).filter((part) => part.trim() !== '');
  const [only = text, ...others] = targets;
  if (others.length > 0) return { kind: 'several', name: text };
  const [, prefix = '', name = ''] = /^([@#~]?)(.*)$/s.exec(only.trim()) ?? [];
  return { kind: prefix === '@' ? 'user' : 'channel', name: name.trim() };
}

/** The channels whose name or display name is close to `wanted`, the closest first. */
export function closeNames<T extends Pick<Channel, 'name' | 'displayName'>>(
  wanted: string,
  channels: readonly T[],
): T[] {
  const name = wanted.toLowerCase();
  const limit = Math.min(MAX_DISTANCE, Math.floor(name.length / LETTERS_PER_ERROR));
  return channels
    .map((channel) => {
      const titled = editDistance(name, channel.displayName.toLowerCase(), limit);
      return { channel, distance: Math.min(titled, editDistance(name, channel.name, limit)) };
    })
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance)
    .map(({ channel }) => channel);
}
