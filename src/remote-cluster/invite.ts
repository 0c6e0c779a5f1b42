import { decodeJson, isJsonObject, type JsonObject } from '../platform/common/json.js';
import { isPeerUrl, isPlainId } from './remote-cluster.rules.js';
import { inviteNotBase64, inviteUnreadable, tooManyInvites } from './remote-clusters.errors.js';
import { InvalidBodyParam, ValidationFailed } from '../platform/common/errors/common-errors.js';
import { createCipheriv, createDecipheriv, pbkdf2, randomBytes, randomInt, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { Injectable } from '@nestjs/common';
import { BoundedLimit } from '../platform/common/bounded-limit.js';
import { runeLength } from '../platform/common/utf8.js';

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

const KEY_BYTES = 32;
const PBKDF2_ITERATIONS = 600_000;
const SCRYPT = { N: 32_768, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
/** A derivation occupies a core, scrypt needs 32 MiB, and the thread pool has other work too. */
const MAX_AT_ONCE = 2;
const MAX_WAITING = 20;
const RETRY_AFTER_SECONDS = 10;

const pbkdf2Key = promisify(pbkdf2);
const scryptKey = promisify<string, Buffer, number, typeof SCRYPT, Buffer>(scrypt);

/** `pbkdf2` for invites from version 3 on, `scrypt` for earlier ones (docs/contract/secure-connections.md#bytes). */
export type KeyDerivation = 'pbkdf2' | 'scrypt';

const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const OVERHEAD_BYTES = SALT_BYTES + NONCE_BYTES + TAG_BYTES;
const MAX_WIRE_LENGTH = 8 * 1024;
const CIPHER = 'aes-256-gcm';

/**
 * Encrypts and decrypts invites. The format is salt, nonce, AES-256-GCM ciphertext and tag in URL-safe base64 with
 * padding (docs/contract/secure-connections.md#bytes).
 */
@Injectable()
export class InviteCodec {
  private readonly limit = new BoundedLimit(MAX_AT_ONCE, MAX_WAITING, () =>
    tooManyInvites(RETRY_AFTER_SECONDS),
  );

  /** `salt` and `nonce` are random unless given, as in test vectors. */
  async seal(
    plaintext: string,
    password: string,
    derivation: KeyDerivation,
    salt = randomBytes(SALT_BYTES),
    nonce = randomBytes(NONCE_BYTES),
  ): Promise<string> {
    const key = await this.derive(derivation, password, salt);
    const cipher = createCipheriv(CIPHER, key, nonce);
    const sealed = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
    return toWire(Buffer.concat([salt, nonce, sealed, cipher.getAuthTag()]));
  }

  /** Tries both key derivations. Throws InviteNotBase64, or `inviteUnreadable` if neither key fits. */
  async open(wire: string, password: string): Promise<string> {
    const bytes = fromWire(wire);
    if (bytes.length <= OVERHEAD_BYTES) throw inviteUnreadable();
    const salt = bytes.subarray(0, SALT_BYTES);
    for (const derivation of ['pbkdf2', 'scrypt'] as const) {
      const opened = decrypt(await this.derive(derivation, password, salt), bytes);
      if (opened !== undefined) return opened;
    }
    throw inviteUnreadable();
  }

  /** Derives a key off the event loop, a few at a time. Throws `tooManyInvites` if too many are waiting. */
  derive(derivation: KeyDerivation, password: string, salt: Buffer): Promise<Buffer> {
    return this.limit.run(() =>
      derivation === 'pbkdf2'
        ? pbkdf2Key(password, salt, PBKDF2_ITERATIONS, KEY_BYTES, 'sha256')
        : scryptKey(password, salt, KEY_BYTES, SCRYPT),
    );
  }
}

function decrypt(key: Buffer, bytes: Buffer): string | undefined {
  const nonce = bytes.subarray(SALT_BYTES, SALT_BYTES + NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, key, nonce);
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const sealed = bytes.subarray(SALT_BYTES + NONCE_BYTES, -TAG_BYTES);
    return Buffer.concat([decipher.update(sealed), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

function toWire(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '_');
}

/** Stricter than Node's decoder, but allows line breaks and surrounding spaces, which email clients add. */
function fromWire(wire: string): Buffer {
  if (wire.length > MAX_WIRE_LENGTH) throw inviteNotBase64();
  const text = wire.replace(/[\r\n]/g, '').trim();
  if (!/^[A-Za-z0-9_-]*={0,2}$/.test(text) || text.length % 4 !== 0) throw inviteNotBase64();
  return Buffer.from(text, 'base64url');
}

const MAX_LENGTH = 1_024;
const GENERATED_LENGTH = 16;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Returns the password. Throws InvalidBodyParam if it is too long. */
export function requirePassword(password: string): string {
  if (runeLength(password) > MAX_LENGTH)
    throw new InvalidBodyParam('password', `it must have at most ${MAX_LENGTH} characters`);
  return password;
}

/** A random password of about 95 bits. */
export function newPassword(): string {
  return Array.from({ length: GENERATED_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
}
