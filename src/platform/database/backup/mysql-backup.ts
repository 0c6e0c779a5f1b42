import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, fsyncSync, openSync, readSync, renameSync, rmSync } from 'node:fs';
import type { Connection, RowDataPacket } from 'mysql2/promise';
import { CommandRefused } from '../../common/errors/command-refused.js';
import { readEnvironment } from '../../config/settings.js';
import { mysqlUrl } from '../mysql-session.js';

const DUMPERS = ['mariadb-dump', 'mysqldump'];
const CLIENTS = ['mariadb', 'mysql'];
/** One snapshot without locks; requires no privileges beyond those on the database. */
const DUMP_OPTIONS = ['--single-transaction', '--quick', '--hex-blob', '--no-tablespaces'];
/** A dump does not say that a full-text index has no stop words. */
const LOAD_OPTIONS = ['--init-command=SET SESSION innodb_ft_enable_stopword = OFF'];
/** Both programs write this last; a truncated dump may otherwise be read without an error. */
const LAST_LINE = '\n-- Dump completed';
const END_BYTES = 256;

/** Dumps the database, even while in use. Returns the ids of the keys it needs. Throws CommandRefused. */
export async function backUpMysql(databaseUrl: string, file: string): Promise<readonly string[]> {
  const keyIds = await withConnection(databaseUrl, readKeyIds);
  const draft = `${file}.part`;
  rmSync(draft, { force: true });
  const output = openSync(draft, 'wx', 0o600); // never follows a link planted there
  try {
    await runClient(DUMPERS, DUMP_OPTIONS, databaseUrl, ['ignore', output, 'inherit']);
    fsyncSync(output);
    renameSync(draft, file);
    return keyIds;
  } finally {
    closeSync(output);
    rmSync(draft, { force: true });
  }
}

/** Loads a dump into an empty database. Returns the ids of the keys that it needs. Throws CommandRefused. */
export async function restoreMysql(databaseUrl: string, file: string): Promise<readonly string[]> {
  const tables = await withConnection(databaseUrl, readTables);
  if (tables.length > 0)
    throw new CommandRefused(
      `The database ${nameOf(databaseUrl)} is not empty. Create a new one, and set it in DATABASE_URL.`,
    );
  const input = openSync(file, 'r');
  try {
    if (!readEnd(input).includes(LAST_LINE))
      throw new CommandRefused(`${file} is not a complete dump: it does not end with "${LAST_LINE.trim()}".`);
    await runClient(CLIENTS, LOAD_OPTIONS, databaseUrl, [input, 'inherit', 'inherit']);
  } finally {
    closeSync(input);
  }
  return withConnection(databaseUrl, readKeyIds);
}

function readEnd(file: number): string {
  const { size } = fstatSync(file);
  const end = Buffer.alloc(Math.min(END_BYTES, size));
  readSync(file, end, 0, end.length, size - end.length);
  return end.toString();
}

type Stdio = ['ignore' | number, 'inherit' | number, 'inherit'];

/** Runs the first installed program. The password is not an argument, since others can see those. */
async function runClient(
  programs: readonly string[],
  options: readonly string[],
  databaseUrl: string,
  stdio: Stdio,
): Promise<void> {
  const { hostname, port, username, password } = new URL(databaseUrl);
  const server = [`--host=${hostname.replace(/^\[|\]$/g, '')}`, `--port=${port || '3306'}`];
  const user = `--user=${decodeURIComponent(username)}`;
  const args = [...server, user, '--default-character-set=utf8mb4', ...options, nameOf(databaseUrl)];
  const env = { ...readEnvironment(), MYSQL_PWD: decodeURIComponent(password) };
  for (const program of programs) {
    const child = spawn(program, args, { stdio, env });
    try {
      const [code] = (await once(child, 'close')) as [number | null];
      if (code === 0) return;
      throw new CommandRefused(`${program} failed; its output is above.`);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  throw new CommandRefused(
    `Neither ${programs.join(' nor ')} is installed here. On a machine with one of them, run: ${programs.at(-1)} ${args.join(' ')} --password`,
  );
}

async function withConnection<T>(
  databaseUrl: string,
  read: (connection: Connection) => Promise<T>,
): Promise<T> {
  const { createConnection } = await import('mysql2/promise');
  const connection = await createConnection({ uri: mysqlUrl(databaseUrl) });
  try {
    return await read(connection);
  } finally {
    await connection.end();
  }
}

/** Empty if the database was created by a version that did not record key ids. */
async function readKeyIds(connection: Connection): Promise<readonly string[]> {
  if (!(await readTables(connection)).includes('installation')) return [];
  const [rows] = await connection.query<RowDataPacket[]>('SELECT key_ids AS ids FROM installation');
  return rows.flatMap(({ ids }) => String(ids).split(' '));
}

async function readTables(connection: Connection): Promise<readonly string[]> {
  const [rows] = await connection.query<RowDataPacket[]>('SHOW TABLES');
  return rows.map((row) => String(Object.values(row)[0]));
}

function nameOf(databaseUrl: string): string {
  return decodeURIComponent(new URL(databaseUrl).pathname.slice(1));
}
