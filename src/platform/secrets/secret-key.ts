import { createHash, hkdfSync, randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { flushPath, makeFolder } from '../common/files.js';
import type { Settings } from '../config/settings.js';

const FILE = 'secret.key';
const PREVIOUS_FILE = 'secret.key.previous';
const KEY_BYTES = 32;

/** A key that seals secrets, and the short id that identifies it in sealed texts. */
export interface SecretKey {
  readonly id: string;
  readonly key: Buffer;
}

/** The sealing key, and earlier keys that can only open. */
export interface SecretKeys {
  readonly current: SecretKey;
  readonly previous: readonly SecretKey[];
}

/** The server cannot start because its sealing key is unusable. */
export class SecretKeyUnusable extends Error {
  override readonly name = 'SecretKeyUnusable';
}

/** The key file used without SECRET_KEY. */
export const keyFile = (dataDir: string): string => path.join(dataDir, FILE);

/** The settings that say where the keys are. */
export type KeySettings = Pick<Settings, 'dataDir'> &
  Partial<Pick<Settings, 'secretKey' | 'previousSecretKey'>>;

/** Like `findSecretKeys`, but also throws SecretKeyUnusable if there is no current key. */
export function loadSecretKeys(settings: KeySettings): SecretKeys {
  const { current, previous } = findSecretKeys(settings);
  if (!current)
    throw new SecretKeyUnusable(`${keyFile(settings.dataDir)} is gone, and SECRET_KEY is not set.`);
  return { current, previous };
}

/**
 * The current key is SECRET_KEY, or else the one in DATA_DIR/secret.key. Earlier keys come from
 * SECRET_KEY_PREVIOUS, an unfinished rotation and, if SECRET_KEY is set, the file. Throws SecretKeyUnusable.
 */
export function findSecretKeys({
  secretKey,
  previousSecretKey,
  dataDir,
}: KeySettings): Partial<SecretKeys> & Pick<SecretKeys, 'previous'> {
  const ofFile = findKey(dataDir, FILE);
  const [current, ...previous] =
    secretKey === undefined
      ? [ofFile, previousSecretKey, findKey(dataDir, PREVIOUS_FILE)]
      : [secretKey, previousSecretKey, findKey(dataDir, PREVIOUS_FILE), ofFile];
  return {
    ...(current !== undefined && { current: derive(current) }),
    previous: previous.filter((key) => key !== undefined).map(derive),
  };
}

/** Generates the key file unless it exists, if nothing is sealed yet. Throws SecretKeyUnusable. */
export function createSecretKey(dataDir: string): void {
  try {
    createKeyFile(dataDir, keyFile(dataDir));
  } catch (error) {
    throw unusable(keyFile(dataDir), error);
  }
}

/**
 * Puts a new key in DATA_DIR/secret.key and keeps the old one next to it until `endRotation`. Both survive a
 * crash at any point; calling it again then continues the rotation. Throws SecretKeyUnusable.
 */
export function beginRotation(dataDir: string): void {
  const [file, previous, next] = [
    keyFile(dataDir),
    `${keyFile(dataDir)}.previous`,
    `${keyFile(dataDir)}.next`,
  ];
  const current = readKey(dataDir, FILE);
  if (existsSync(previous) && !readKey(dataDir, PREVIOUS_FILE).equals(current)) return;
  rmSync(previous, { force: true });
  linkSync(file, previous);
  writeFileSync(next, newKey(), { mode: 0o600, flush: true });
  flushPath(dataDir); // the old key must be durable under its new name before it is replaced
  renameSync(next, file);
  flushPath(dataDir);
}

/** Deletes the old key. Call it only once nothing is sealed with it. */
export function endRotation(dataDir: string): void {
  rmSync(path.join(dataDir, PREVIOUS_FILE), { force: true });
  flushPath(dataDir);
}

/** Derives the encryption key and its id from a key in a setting or a file. */
function derive(material: Buffer | string): SecretKey {
  const key = Buffer.from(hkdfSync('sha256', material, '', 'hookline secrets 1', KEY_BYTES));
  return { id: createHash('sha256').update(key).digest('hex').slice(0, 8), key };
}

function findKey(dataDir: string, name: string): Buffer | undefined {
  return existsSync(path.join(dataDir, name)) ? readKey(dataDir, name) : undefined;
}

function readKey(dataDir: string, name: string): Buffer {
  const file = path.join(dataDir, name);
  try {
    const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'hex');
    if (key.length === KEY_BYTES) return key;
  } catch (error) {
    throw unusable(file, error);
  }
  throw new SecretKeyUnusable(`${file} is damaged: it must contain ${KEY_BYTES * 2} hexadecimal digits.`);
}

function unusable(file: string, error: unknown): SecretKeyUnusable {
  const { code = 'unknown' } = error as NodeJS.ErrnoException;
  return new SecretKeyUnusable(`${file} cannot be used: ${code}.`);
}

function newKey(): string {
  return `${randomBytes(KEY_BYTES).toString('hex')}\n`;
}

/** Creates the file with a new key unless it exists; atomic, even across processes. */
function createKeyFile(dataDir: string, file: string): void {
  if (existsSync(file)) return;
  makeFolder(dataDir, 0o700);
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  writeFileSync(draft, newKey(), { mode: 0o600, flush: true });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
  flushPath(dataDir);
}
