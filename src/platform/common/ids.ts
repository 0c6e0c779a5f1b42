import { createHash, randomFillSync } from 'node:crypto';

const ALPHABET = 'ybndrfg8ejkmcpqxot1uwisza345h769';
const ID_BYTES = 16;
const POOL_BYTES = ID_BYTES * 256;
const pool = Buffer.alloc(POOL_BYTES);
let used = POOL_BYTES;

export const ID_LENGTH = 26;

/** A new 26-character id: 128 random bits in base32 (docs/contract/conventions.md#ids). Fit for secrets as well. */
export function newId(): string {
  if (used === POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  const id = encode(pool, used);
  pool.fill(0, used, used + ID_BYTES); // a used id must not stay readable in the pool
  used += ID_BYTES;
  return id;
}

/** The same id for the same text, and in practice for no other one. */
export function idOf(text: string): string {
  return encode(createHash('sha256').update(text).digest(), 0);
}

/** 16 bytes in base32. */
function encode(bytes: Buffer, start: number): string {
  let id = '';
  let bits = 0;
  let value = 0;
  for (let i = 0; i < ID_BYTES; i++) {
    value = (value << 8) | bytes.readUInt8(start + i);
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      id += ALPHABET.charAt((value >>> bits) & 31);
    }
    value &= (1 << bits) - 1;
  }
  return id + ALPHABET.charAt((value << (5 - bits)) & 31);
}

/** Whether `value` has the shape of an id: 26 letters or digits (docs/contract/conventions.md#ids). */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && value.length === ID_LENGTH && /^[\p{L}\p{N}]+$/u.test(value);
}

/**
 * Whether a path segment may name a record at all; other segments miss the route (docs/contract/conventions.md#ids).
 */
export function isAlphanumeric(value: string): boolean {
  return /^[A-Za-z0-9]+$/.test(value);
}
