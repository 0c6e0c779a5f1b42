import { isIP } from 'node:net';
import { ValidationFailed } from '../platform/common/errors/common-errors.js';
import { byteLength, runeLength } from '../platform/common/utf8.js';
import type { RemoteCluster } from './remote-cluster.entity.js';
import type { Settings } from '../platform/config/settings.js';
import { siteUrlMissing } from './remote-clusters.errors.js';

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
      'it must have at most 64 characters.',
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

/** Separates topics with single spaces, including one before and after. Keeps empty text and `*` as is. */
export function normalizeTopics(topics: string): string {
  const words = topics.split(/\s+/).filter((word) => word !== '');
  if (words.length === 0 || (words.length === 1 && words[0] === '*')) return words.join('');
  return ` ${words.join(' ')} `;
}

const MAX_LENGTH = 512;
const MAX_HOST_LENGTH = 253;
/** One host name label as in URLs: lower case, with other scripts in punycode. */
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** Whether this is a valid peer address: an absolute http(s) URL without credentials, query or fragment. */
export function isPeerUrl(value: unknown): value is string {
  if (typeof value !== 'string' || runeLength(value) > MAX_LENGTH || !/^https?:\/\/[^/?#\\\s]/i.test(value))
    return false;
  // eslint-disable-next-line no-control-regex -- URL parsers silently strip these characters
  if (/[\u0000-\u0020\u007f\\]/.test(value) || !URL.canParse(value)) return false;
  const url = new URL(value);
  return isHost(url.hostname) && url.username === '' && url.password === '' && !/[?#@]/.test(value);
}

/** The host of a URL without brackets and without a trailing dot. */
export function plainHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

/** Whether this is a valid host name or address. URL parsers also accept `a..b` and `*.x`. */
function isHost(hostname: string): boolean {
  const host = plainHost(hostname);
  if (isIP(host) !== 0) return true;
  return host.length <= MAX_HOST_LENGTH && host.split('.').every((label) => LABEL.test(label));
}

/** The form in which a site URL is sent and stored: scheme in lower case, no trailing slashes. */
export function trimSiteUrl(siteUrl: string): string {
  return siteUrl.replace(/^https?:/i, (scheme) => scheme.toLowerCase()).replace(/(?<!\/)\/+$/, '');
}

/** Whether two URLs name the same site, regardless of spelling. */
export function isSameSite(a: string, b: string): boolean {
  const [first, second] = [new URL(a), new URL(b)];
  return first.origin === second.origin && trimSiteUrl(first.pathname) === trimSiteUrl(second.pathname);
}

/** The URL of a call to a peer. */
export function peerApiUrl(siteUrl: string, path: string): string {
  return `${trimSiteUrl(siteUrl)}/api/v4/remotecluster/${path}`;
}

/** The address at which peers reach this server. Throws `siteUrlMissing`. */
export function requireOwnSiteUrl({ siteUrl }: Pick<Settings, 'siteUrl'>): string {
  if (siteUrl === undefined) throw siteUrlMissing();
  return trimSiteUrl(siteUrl);
}
