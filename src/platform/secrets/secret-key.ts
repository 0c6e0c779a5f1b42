import { createHash, hkdfSync, randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../common/files.js';

const FILE = 'secret.key';
const PREVIOUS_FILE = 'secret.key.previous';
const NEXT_FILE = 'secret.key.next';
const KEY_BYTES = 32;

/** A key that seals secrets, and the short name under which sealed texts remember it. */
export interface SecretKey {
  readonly id: string;
  readonly key: Buffer;
}

/** The key that seals, and those that still open what was sealed before. */
export interface SecretKeys {
  readonly current: SecretKey;
  readonly previous: readonly SecretKey[];
}

/** The server cannot start: the key that seals its secrets cannot be used. */
export class SecretKeyUnusable extends Error {
  override readonly name = 'SecretKeyUnusable';
}

/**
 * The key of SECRET_KEY, or else the one in DATA_DIR/secret.key, which is made when it is missing. What
 * SECRET_KEY_PREVIOUS, an unfinished rotation or, beside SECRET_KEY, the file holds goes on opening.
 */
export function loadSecretKeys(
  setting: string | undefined,
  previousSetting: string | undefined,
  dataDir: string,
): SecretKeys {
  const current = setting === undefined ? keyOfFile(dataDir, FILE, true) : Buffer.from(setting, 'utf8');
  const previous = [
    ...(previousSetting === undefined ? [] : [Buffer.from(previousSetting, 'utf8')]),
    ...[PREVIOUS_FILE, ...(setting === undefined ? [] : [FILE])]
      .filter((file) => existsSync(path.join(dataDir, file)))
      .map((file) => keyOfFile(dataDir, file, false)),
  ];
  return { current: named(current), previous: previous.map(named) };
}

/**
 * A new key in DATA_DIR/secret.key; the old one is kept beside it until `endRotation`. After a crash at any point both
 * are there, and calling it again goes on with that rotation.
 */
export function beginRotation(dataDir: string): void {
  const [file, previous, next] = [FILE, PREVIOUS_FILE, NEXT_FILE].map((name) => path.join(dataDir, name)) as [
    string,
    string,
    string,
  ];
  const current = keyOfFile(dataDir, FILE, true);
  if (existsSync(previous) && !keyOfFile(dataDir, PREVIOUS_FILE, false).equals(current)) return;
  rmSync(previous, { force: true });
  linkSync(file, previous);
  writeFileSync(next, newKey(), { mode: 0o600, flush: true });
  syncFolder(dataDir); // the old key must be there under its new name before the new one takes the old name
  renameSync(next, file);
  syncFolder(dataDir);
}

/** Forgets the old key: nothing is sealed under it any more. */
export function endRotation(dataDir: string): void {
  rmSync(path.join(dataDir, PREVIOUS_FILE), { force: true });
  syncFolder(dataDir);
}

function named(material: Buffer): SecretKey {
  const key = Buffer.from(hkdfSync('sha256', material, '', 'hookline secrets 1', KEY_BYTES));
  return { id: createHash('sha256').update(key).digest('hex').slice(0, 8), key };
}

function keyOfFile(dataDir: string, name: string, isMade: boolean): Buffer {
  const file = path.join(dataDir, name);
  try {
    if (isMade) makeFile(dataDir, file);
    const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'hex');
    if (key.length === KEY_BYTES) return key;
  } catch (error) {
    throw new SecretKeyUnusable(
      `${file} cannot be used: ${(error as NodeJS.ErrnoException).code ?? 'unknown'}.`,
    );
  }
  throw new SecretKeyUnusable(`${file} is damaged: it must hold ${KEY_BYTES * 2} hexadecimal digits.`);
}

function newKey(): string {
  return `${randomBytes(KEY_BYTES).toString('hex')}\n`;
}

/** Whole or not at all, whoever else makes it at the same moment. */
function makeFile(dataDir: string, file: string): void {
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
  syncFolder(dataDir);
}

/** Only then the names in a folder outlive the loss of power. Windows keeps them itself, and opens no folder. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
