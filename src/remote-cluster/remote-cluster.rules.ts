import { ValidationFailed } from '../platform/common/errors/common-errors.js';
import { byteLength, runeLength } from '../platform/common/utf8.js';
import type { RemoteCluster } from './remote-cluster.entity.js';

const MAX_NAME_BYTES = 64;
const MAX_DISPLAY_NAME_RUNES = 64;
/** Invisible characters: control characters, direction marks and zero-width characters. */
const INVISIBLE = /[\p{Cc}\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/gu;

/** The form in which a machine name is stored. */
export function cleanName(name: string): string {
  return name.replace(INVISIBLE, '').toLowerCase();
}

export function cleanDisplayName(displayName: string): string {
  return displayName.replace(INVISIBLE, '');
}

/** Whether this is 26 ASCII letters and digits: the form of ids and of tokens between servers. */
export function isPlainId(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9]{26}$/.test(value);
}

/**
 * Throws ValidationFailed with the id of the first broken rule (docs/contract/secure-connections.md#record).
 */
export function requireValidCluster(cluster: Omit<RemoteCluster, 'sealedToken' | 'sealedRemoteToken'>): void {
  const { name, displayName, creatorId, defaultTeamId } = cluster;
  if (!/^[a-z0-9._-]+$/.test(name) || byteLength(name) > MAX_NAME_BYTES)
    throw new ValidationFailed(
      'model.cluster.is_valid.name.app_error',
      'name',
      'it must be 1 to 64 letters, digits, dots, dashes or underscores.',
    );
  if (!isPlainId(creatorId)) throw invalidId('creator_id');
  if (defaultTeamId !== '' && !isPlainId(defaultTeamId)) throw invalidId('default_team_id');
  if (runeLength(displayName) > MAX_DISPLAY_NAME_RUNES)
    throw new ValidationFailed(
      'model.cluster.is_valid.display_name.app_error',
      'display_name',
      'it may have 64 characters at most.',
    );
}

function invalidId(field: string): ValidationFailed {
  return new ValidationFailed(
    'model.cluster.is_valid.id.app_error',
    field,
    'it must be 26 letters and digits.',
  );
}

/** Whether the handshake has started: any state but pending. */
export function isConfirmed({ state }: RemoteCluster): boolean {
  return state !== 'pending';
}

/** Whether the last successful ping is less than `offlineAfterMs` ago. */
export function isOnline({ lastPingAt }: RemoteCluster, now: number, offlineAfterMs: number): boolean {
  return lastPingAt > now - offlineAfterMs;
}

/** Separates topics by single blanks, with one before and one after. Leaves an empty text and `*` alone. */
export function normalizeTopics(topics: string): string {
  const words = topics.split(/\s+/).filter((word) => word !== '');
  if (words.length === 0 || (words.length === 1 && words[0] === '*')) return words.join('');
  return ` ${words.join(' ')} `;
}
