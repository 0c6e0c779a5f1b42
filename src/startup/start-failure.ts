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
import { LocalSocketRefused } from '../platform/local-mode/local-mode.errors.js';
import { folderFault } from './folder-fault.js';
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
    `Port ${port} on ${host} needs rights that this process does not have. Set ${variable} to 1024 or above.`,
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
  if (code === 'SQLITE_NOTADB' || code === 'SQLITE_CORRUPT') {
    return `The database file in the data folder ${dataDir}, which DATA_DIR names, is damaged or not a database: ${code}.`;
  }
  if (isAboutFile(error, dataDir) || (databaseUrl === undefined && isDatabaseUnavailable(error))) {
    return `The data folder ${dataDir}, which DATA_DIR names, cannot be used: ${folderFault(dataDir) ?? code}.`;
  }
  return databaseUrl === undefined ? undefined : explainDatabase(error, code, new URL(databaseUrl));
}

function explainDatabase(error: unknown, code: string, { host, pathname }: URL): string | undefined {
  const database = decodeURIComponent(pathname.slice(1));
  switch (code) {
    case 'ER_ACCESS_DENIED_ERROR':
      return `The database at ${host} does not accept the user and password of DATABASE_URL.`;
    case 'ER_DBACCESS_DENIED_ERROR':
      return `The user of DATABASE_URL may not use the database ${database} at ${host}.`;
    case 'ER_TABLEACCESS_DENIED_ERROR':
    case 'ER_SPECIFIC_ACCESS_DENIED_ERROR':
      return `The user of DATABASE_URL lacks rights on the database ${database} at ${host}: grant it all on that database.`;
    case 'ER_OPTION_PREVENTS_STATEMENT':
    case 'ER_READ_ONLY_MODE':
      return `The database at ${host}, which DATABASE_URL names, is read-only: name the primary, not a replica.`;
    case 'ER_BAD_DB_ERROR':
      return `There is no database ${database} at ${host}, which DATABASE_URL names. Create it first.`;
  }
  if (!isDatabaseUnavailable(error)) return undefined;
  return `The database at ${host}, which DATABASE_URL names, cannot be reached: ${code}.`;
}

function isAboutFile(error: unknown, folder: string): boolean {
  const path: unknown = error instanceof Error ? (error as NodeJS.ErrnoException).path : undefined;
  return typeof path === 'string' && path.startsWith(folder);
}
