import { decodeJson, isJsonObject, type JsonObject } from '../../platform/common/json.js';
import { isPeerUrl, isPlainId } from '../remote-cluster.rules.js';
import { inviteUnreadable } from '../remote-clusters.errors.js';
import { ValidationFailed } from '../../platform/common/errors/common-errors.js';
import type { KeyDerivation } from './invite-codec.js';

const MAX_TOKEN_LENGTH = 50;
/** From this version on, the acceptor sends the inviter a new token. */
const REFRESHING_VERSION = 2;

/** The content of an invite (docs/contract/secure-connections.md#plaintext). */
export interface Invite {
  readonly remoteId: string;
  readonly siteUrl: string;
  readonly token: string;
  /** 3: PBKDF2. 2: scrypt. 0: scrypt, the format of 2021 without a version. */
  readonly version: number;
}

export function derivationOf(version: number): KeyDerivation {
  return version >= 3 ? 'pbkdf2' : 'scrypt';
}

export function hasTokenRefresh({ version }: Invite): boolean {
  return version >= REFRESHING_VERSION;
}

/** The exact plaintext: keys in this order, no whitespace. */
export function encodeInvite({ remoteId, siteUrl, token, version }: Invite): string {
  return JSON.stringify({
    remote_id: remoteId,
    remote_team_id: '',
    site_url: siteUrl,
    token,
    ...(version === 0 ? {} : { version }),
  });
}

/** Throws `inviteUnreadable` if this is not an invite, and ValidationFailed if a field is invalid. */
export function parseInvite(plaintext: string): Invite {
  const decoded = parseObject(plaintext);
  const { remote_id: remoteId, site_url: siteUrl, token, version = 0 } = decoded;
  if (!isPlainId(remoteId)) throw invalid('remote_id', 'it must be 26 letters and digits.');
  if (typeof token !== 'string' || token.length > MAX_TOKEN_LENGTH || !/^[\x21-\x7e]+$/.test(token))
    throw invalid('token', 'it is missing or too long.');
  if (!isPeerUrl(siteUrl)) throw invalid('site_url', 'it must be an http or https URL of a server.');
  if (!isVersion(version)) throw inviteUnreadable();
  return { remoteId, siteUrl, token, version };
}

function isVersion(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0;
}

function parseObject(plaintext: string): JsonObject {
  try {
    JSON.parse(plaintext); // decodeJson ignores anything after the first value
    const decoded = decodeJson(plaintext);
    if (isJsonObject(decoded)) return decoded;
  } catch {
    // not JSON: reported below
  }
  throw inviteUnreadable();
}

function invalid(field: string, reason: string): ValidationFailed {
  return new ValidationFailed(
    `model.remote_cluster_invite.is_valid.${field}.app_error`,
    `invite (${field})`,
    reason,
  );
}
