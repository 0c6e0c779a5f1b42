import { createHash, hkdfSync, randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const FILE = 'secret.key';
const KEY_BYTES = 32;

/** A key that seals secrets, and the short name under which sealed texts remember it. */
export interface SecretKey {
  readonly id: string;
  readonly key: Buffer;
}

/** The server cannot start: the key that seals its secrets cannot be used. */
export class SecretKeyUnusable extends Error {
  override readonly name = 'SecretKeyUnusable';
}

/** The key of SECRET_KEY, or else the one in DATA_DIR/secret.key, which is made when it is missing. */
export function loadSecretKey(setting: string | undefined, dataDir: string): SecretKey {
  return named(setting === undefined ? keyOfFile(dataDir) : Buffer.from(setting, 'utf8'));
}

function named(material: Buffer): SecretKey {
  const key = Buffer.from(hkdfSync('sha256', material, '', 'hookline secrets 1', KEY_BYTES));
  return { id: createHash('sha256').update(key).digest('hex').slice(0, 8), key };
}

function keyOfFile(dataDir: string): Buffer {
  const file = path.join(dataDir, FILE);
  try {
    makeFile(dataDir, file);
    const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'hex');
    if (key.length === KEY_BYTES) return key;
  } catch (error) {
    throw new SecretKeyUnusable(
      `${file} cannot be used: ${(error as NodeJS.ErrnoException).code ?? 'unknown'}.`,
    );
  }
  throw new SecretKeyUnusable(`${file} is damaged: it must hold ${KEY_BYTES * 2} hexadecimal digits.`);
}

/** Whole or not at all, whoever else makes it at the same moment. */
function makeFile(dataDir: string, file: string): void {
  mkdirSync(dataDir, { recursive: true });
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  writeFileSync(draft, `${randomBytes(KEY_BYTES).toString('hex')}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
}
