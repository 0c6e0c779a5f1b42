import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { CommandRefused } from '../platform/common/errors/command-refused.js';
import { SettingError } from '../platform/config/parse.js';
import type { Settings } from '../platform/config/settings.js';
import { databaseCode, isDatabaseUnavailable } from '../platform/database/database-errors.js';
import { KeyRefused } from '../platform/database/installation/installation-keys.js';
import { DatabaseLost } from '../platform/database/installation/served-databases.js';
import { DatabaseOwned } from '../platform/database/database-owned.js';
import { DeclarationClash } from '../platform/modules/collect.js';
import { SecretUnreadable } from '../platform/secrets/secret-box.js';
import { SecretKeyUnusable } from '../platform/secrets/secret-key.js';
import { LocalSocketRefused } from '../platform/local-mode/socket-file.js';
import { WorkerNotStarted } from './workers/worker-process.js';

/** A port cannot be opened. The message is shown to the operator. */
export class PortRefused extends Error {
  constructor(host: string, port: number, code: string | undefined, variable = 'PORT') {
    super(
      PORT_REASONS[code ?? '']?.(host, port, variable) ??
        `HOST ${host} and ${variable} ${port} cannot be used: ${code}.`,
    );
    this.name = new.target.name;
  }
}

const PORT_REASONS: Readonly<Record<string, (host: string, port: number, variable: string) => string>> = {
  EADDRINUSE: (host, port, variable) =>
    `Port ${port} on ${host} is in use by another process. Stop that one, or set ${variable} to a free port.`,
  EACCES: (host, port, variable) =>
    `Port ${port} on ${host} requires privileges that this process does not have. Set ${variable} to 1024 or above.`,
  EADDRNOTAVAIL: (host) => `HOST names ${host}, which is not an address of this machine.`,
  ENOTFOUND: (host) => `HOST names ${host}, which is neither an address nor a name of this machine.`,
};

const EXPECTED_FAILURES = [
  CommandRefused,
  DatabaseLost,
  DeclarationClash,
  KeyRefused,
  SecretKeyUnusable,
  SecretUnreadable,
  SettingError,
  DatabaseOwned,
  LocalSocketRefused,
  PortRefused,
  WorkerNotStarted,
];

/** Explains a failed start in one sentence; empty if a worker already has, undefined if it is a bug. */
export function explainStartFailure(error: unknown, settings: Settings | undefined): string | undefined {
  if (EXPECTED_FAILURES.some((type) => error instanceof type)) return (error as Error).message;
  if (!settings) return undefined;
  const { databaseUrl, dataDir } = settings;
  const code = databaseCode(error) ?? (error instanceof Error ? error.message : 'unknown');
  if (code === 'SQLITE_NOTADB' || code === 'SQLITE_CORRUPT')
    return `The database file in the data folder ${dataDir} (DATA_DIR) is damaged or not a database: ${code}.`;
  if (isAboutFile(error, dataDir) || (databaseUrl === undefined && isDatabaseUnavailable(error)))
    return `The data folder ${dataDir} (DATA_DIR) cannot be used: ${folderFault(dataDir) ?? code}.`;
  return databaseUrl === undefined ? undefined : explainDatabase(error, code, new URL(databaseUrl));
}

function explainDatabase(error: unknown, code: string, { host, pathname }: URL): string | undefined {
  const database = decodeURIComponent(pathname.slice(1));
  switch (code) {
    case 'ER_ACCESS_DENIED_ERROR':
      return `The database at ${host} rejects the user and password of DATABASE_URL.`;
    case 'ER_DBACCESS_DENIED_ERROR':
      return `The user of DATABASE_URL cannot use the database ${database} at ${host}.`;
    case 'ER_TABLEACCESS_DENIED_ERROR':
    case 'ER_SPECIFIC_ACCESS_DENIED_ERROR':
      return `The user of DATABASE_URL lacks privileges on the database ${database} at ${host}: grant all on that database.`;
    case 'ER_OPTION_PREVENTS_STATEMENT':
    case 'ER_READ_ONLY_MODE':
      return `The database at ${host} (DATABASE_URL) is read-only: use the primary, not a replica.`;
    case 'ER_BAD_DB_ERROR':
      return `There is no database ${database} at ${host} (DATABASE_URL). Create it first.`;
  }
  if (!isDatabaseUnavailable(error)) return undefined;
  return `The database at ${host} (DATABASE_URL) cannot be reached: ${code}.`;
}

function isAboutFile(error: unknown, folder: string): boolean {
  const path: unknown = error instanceof Error ? (error as NodeJS.ErrnoException).path : undefined;
  return typeof path === 'string' && path.startsWith(folder);
}

type RequireWritable = (path: string) => void;

const requireWritable: RequireWritable = (path) => {
  const isFolder = statSync(path).isDirectory();
  accessSync(path, isFolder ? constants.W_OK | constants.X_OK : constants.W_OK);
};

/** Why the server cannot write to a folder, as the end of a sentence; undefined if no problem is found. */
export function folderFault(folder: string, require: RequireWritable = requireWritable): string | undefined {
  const nearest = nearestExisting(folder);
  if (!statSync(nearest).isDirectory())
    return nearest === folder ? 'it is a file, not a folder' : `${nearest} is a file, not a folder`;
  const paths = nearest === folder ? [folder, ...filesOf(folder)] : [nearest];
  for (const path of paths) {
    const reason = reasonAgainst(path, require);
    if (reason !== undefined) return path === folder ? `it ${reason}` : `${path} ${reason}`;
  }
  return undefined;
}

function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));
}

/** The files of the embedded database, which an earlier start may have created as another user. */
function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.startsWith('hookline.'))
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function reasonAgainst(path: string, require: RequireWritable): string | undefined {
  try {
    require(path);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'EROFS'
      ? 'is on a file system that cannot be written'
      : `cannot be written by this user, ${userName()}`;
  }
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown'); // a container may run under a UID without a name
  }
}
