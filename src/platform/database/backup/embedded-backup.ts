import { constants, copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { flushPath, makeFolder } from '../../common/files.js';
import { sqliteFile } from '../data-source.options.js';
import { SqliteDatabase, SqliteError } from '../sqlite/sqlite-database.js';
import { CommandRefused } from '../../common/errors/command-refused.js';

/** Generous, for large databases under load. */
const TIMEOUT_MS = 60_000;

/** Copies the database, even while in use. Returns the ids of the keys it needs. Throws CommandRefused. */
export function backUpEmbedded(dataDir: string, file: string): readonly string[] {
  const source = sqliteFile(dataDir);
  if (!existsSync(source)) throw new CommandRefused(`There is no ${source} to back up; check DATA_DIR.`);
  const draft = `${file}.part`;
  rmSync(draft, { force: true });
  try {
    const database = open(source);
    try {
      database.prepare('VACUUM INTO ?').run(draft);
    } finally {
      database.close();
    }
    const keyIds = inspect(draft);
    flushPath(draft);
    renameSync(draft, file);
    flushPath(dirname(file));
    return keyIds;
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Replaces the embedded database, which no server may use, with a backup, and keeps the former files next to
 * it. Returns the ids of the needed keys and the path of the former files. Throws CommandRefused.
 */
export function restoreEmbedded(dataDir: string, file: string): { keyIds: readonly string[]; kept?: string } {
  const keyIds = inspect(file);
  const target = sqliteFile(dataDir);
  const draft = `${target}.restored`;
  makeFolder(dataDir, 0o700);
  rmSync(draft, { force: true });
  copyFileSync(file, draft, constants.COPYFILE_EXCL);
  flushPath(draft);
  const kept = `${target}.before-${new Date().toISOString().replace(/\D/g, '').slice(0, 14)}`;
  const hadDatabase = existsSync(target);
  for (const suffix of ['-shm', '-wal', ''])
    // a stale log would be applied to the restored database
    if (existsSync(target + suffix)) renameSync(target + suffix, kept + suffix);
  renameSync(draft, target);
  flushPath(dataDir);
  return hadDatabase ? { keyIds, kept } : { keyIds };
}

/** The ids of the keys that a backup needs. Throws CommandRefused if the file is damaged or not a backup. */
function inspect(file: string): readonly string[] {
  try {
    const database = open(file);
    try {
      if (database.pragma('quick_check', { simple: true }) !== 'ok')
        throw new CommandRefused(`${file} is damaged.`);
      const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all() as {
        name: string;
      }[];
      const has = (table: string): boolean => tables.some(({ name }) => name === table);
      if (!has('migrations')) throw new CommandRefused(`${file} is not the database of a Hookline server.`);
      if (!has('installation')) return [];
      const rows = database.prepare('SELECT key_ids AS ids FROM installation').all() as { ids: string }[];
      return rows.flatMap(({ ids }) => ids.split(' '));
    } finally {
      database.close();
    }
  } catch (error) {
    if (error instanceof SqliteError && ['SQLITE_NOTADB', 'SQLITE_CORRUPT'].includes(error.code))
      throw new CommandRefused(`${file} is damaged or not a database: ${error.code}.`);
    throw error;
  }
}

function open(file: string): SqliteDatabase {
  return new SqliteDatabase(file, { readonly: true, timeout: TIMEOUT_MS });
}
