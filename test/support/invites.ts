import { createCipheriv, createDecipheriv, pbkdf2Sync, randomBytes, scryptSync } from 'node:crypto';

export type InviteVersion = 2 | 3;
export type Kdf = 'pbkdf2' | 'scrypt';

const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const WIRE = /^[A-Za-z0-9_-]*={0,2}$/;

const derive: Record<Kdf, (password: string, salt: Buffer) => Buffer> = {
  pbkdf2: (password, salt) => pbkdf2Sync(Buffer.from(password, 'utf8'), salt, 600_000, 32, 'sha256'),
  scrypt: (password, salt) =>
    scryptSync(Buffer.from(password, 'utf8'), salt, 32, { N: 32_768, r: 8, p: 1, maxmem: 128 * 1024 * 1024 }),
};

/** Derived keys. Deriving one takes half a second. */
export const knownKeys = new Map<string, Buffer>();
export const nameOfKey = (kdf: Kdf, password: string, salt: Buffer): string =>
  `${kdf} ${salt.toString('hex')} ${password}`;
const keyOf = (kdf: Kdf, password: string, salt: Buffer): Buffer => {
  const name = nameOfKey(kdf, password, salt);
  const key = knownKeys.get(name) ?? derive[kdf](password, salt);
  knownKeys.set(name, key);
  return key;
};
/** One salt for all invites, for the same reason. The nonces differ. */
const SALT = randomBytes(SALT_BYTES);

/**
 * Seals an invite in the format of docs/contract/secure-connections.md#invite-format, without the server's own code.
 * `version` only selects the key derivation; the plaintext is sealed as is and contains its own `version`.
 */
export function sealInvite(plaintext: object, password: string, version: InviteVersion): string {
  return sealBytes(Buffer.from(JSON.stringify(plaintext), 'utf8'), password, version);
}

/** Seals any bytes. With `fixed` salt and nonce the result is always the same. */
export function sealBytes(
  bytes: Buffer,
  password: string,
  version: InviteVersion,
  fixed: { readonly salt: Buffer; readonly nonce: Buffer } = { salt: SALT, nonce: randomBytes(NONCE_BYTES) },
): string {
  const key = keyOf(version === 3 ? 'pbkdf2' : 'scrypt', password, fixed.salt);
  const cipher = createCipheriv('aes-256-gcm', key, fixed.nonce);
  const sealed = Buffer.concat([cipher.update(bytes), cipher.final()]);
  return encodeWire(Buffer.concat([fixed.salt, fixed.nonce, sealed, cipher.getAuthTag()]));
}

/** Opens an invite as a peer does, PBKDF2 first. Returns the derivation that worked, and throws if none did. */
export function openInvite(
  wire: string,
  password: string,
): { readonly plaintext: Record<string, unknown>; readonly kdf: Kdf } {
  const { text, kdf } = openText(wire, password);
  return { plaintext: JSON.parse(text) as Record<string, unknown>, kdf };
}

/** Like openInvite, but returns the plaintext as text. */
export function openText(wire: string, password: string): { readonly text: string; readonly kdf: Kdf } {
  const bytes = decodeWire(wire);
  if (bytes.length < SALT_BYTES + NONCE_BYTES + TAG_BYTES + 1) throw new Error('The invite is too short.');
  for (const kdf of ['pbkdf2', 'scrypt'] as const) {
    const text = decrypt(bytes, keyOf(kdf, password, bytes.subarray(0, SALT_BYTES)));
    if (text !== undefined) return { text, kdf };
  }
  throw new Error('The invite does not open with this password.');
}

/** URL-safe base64 with padding. */
export function encodeWire(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '_');
}

/** Strict: throws for another alphabet, blanks and missing padding. */
export function decodeWire(wire: string): Buffer {
  if (!WIRE.test(wire) || wire.length % 4 !== 0) throw new Error('The invite is not padded URL-safe base64.');
  return Buffer.from(wire.replaceAll('-', '+').replaceAll('_', '/'), 'base64');
}

function decrypt(bytes: Buffer, key: Buffer): string | undefined {
  const end = bytes.length - TAG_BYTES;
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(SALT_BYTES, SALT_BYTES + NONCE_BYTES));
  decipher.setAuthTag(bytes.subarray(end));
  try {
    const opened = decipher.update(bytes.subarray(SALT_BYTES + NONCE_BYTES, end));
    return Buffer.concat([opened, decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
