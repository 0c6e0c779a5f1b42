import { createHash, randomFillSync } from 'node:crypto';

const ALPHABET = 'ybndrfg8ejkmcpqxot1uwisza345h769';
const ID_BYTES = 16;
const POOL_BYTES = ID_BYTES * 256;
const pool = Buffer.alloc(POOL_BYTES);
let used = POOL_BYTES;

/** The length of every id in characters. */
export const ID_LENGTH = 26;

/** A new 26-character id: 128 random bits in base32 (docs/contract/conventions.md#ids). Also suitable as a secret. */
export function newId(): string {
  if (used === POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  const id = encode(pool, used);
  pool.fill(0, used, used + ID_BYTES); // an id may be a secret: do not leave it in memory
  used += ID_BYTES;
  return id;
}

/** An id derived from a text by hash: always the same for the same text. */
export function idOf(text: string): string {
  return encode(createHash('sha256').update(text).digest(), 0);
}

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

/** Whether a path segment can be an id or a name; other segments match no route (docs/contract/conventions.md#ids). */
export function isAlphanumeric(value: string): boolean {
  return /^[A-Za-z0-9]+$/.test(value);
}
