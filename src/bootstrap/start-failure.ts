import { SettingError } from '../config/parse.js';
import type { Settings } from '../config/settings.js';
import { isDatabaseUnavailable } from '../database/database-errors.js';
import { DatabaseOwned } from '../database/owner-lock.js';
import { LocalSocketRefused } from '../local-mode/local-mode.errors.js';

/** The port cannot be opened. The message is the sentence for the person who started us. */
export class PortRefused extends Error {
  constructor(host: string, port: number, code: string | undefined) {
    super(PORT_REASONS[code ?? '']?.(host, port) ?? `HOST ${host} and PORT ${port} cannot be used: ${code}.`);
    this.name = new.target.name;
  }
}

const PORT_REASONS: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (host, port) =>
    `Port ${port} on ${host} is in use by another process. Stop that one, or set PORT to a free port.`,
  EACCES: (host, port) => `Port ${port} on ${host} needs rights that this process does not have. Set PORT to 1024 or above.`,
  EADDRNOTAVAIL: (host) => `HOST names ${host}, which is no address of this machine.`,
  ENOTFOUND: (host) => `HOST names ${host}, which is no address and no name of this machine.`,
};

/** The sentence for a start that failed for a reason outside the program; undefined for a bug. */
export function explainStartFailure(error: unknown, settings: Settings | undefined): string | undefined {
  if (
    error instanceof SettingError ||
    error instanceof DatabaseOwned ||
    error instanceof LocalSocketRefused ||
    error instanceof PortRefused
  ) {
    return error.message;
  }
  if (!settings) return undefined;
  const code = codeOf(error);
  if (settings.databaseUrl === undefined) {
    const isFileProblem = isDatabaseUnavailable(error) || ['EACCES', 'EPERM', 'ENOTDIR', 'EEXIST', 'EROFS', 'ENOSPC'].includes(code);
    return isFileProblem ? `The data folder ${settings.dataDir} cannot be used: ${code}. DATA_DIR names it.` : undefined;
  }
  const { host, pathname } = new URL(settings.databaseUrl);
  const database = decodeURIComponent(pathname.slice(1));
  if (code === 'ER_ACCESS_DENIED_ERROR') return `The database at ${host} does not accept the user and password of DATABASE_URL.`;
  if (code === 'ER_BAD_DB_ERROR') return `There is no database ${database} at ${host}, which DATABASE_URL names. Create it first.`;
  if (code === 'ER_DBACCESS_DENIED_ERROR') return `The user of DATABASE_URL may not use the database ${database} at ${host}.`;
  if (isDatabaseUnavailable(error)) return `The database at ${host}, which DATABASE_URL names, cannot be reached: ${code}.`;
  return undefined;
}

function codeOf(error: unknown): string {
  for (let cause: unknown = error, depth = 0; cause instanceof Error && depth < 4; depth++) {
    const { code, driverError } = cause as Error & { code?: unknown; driverError?: unknown };
    if (typeof code === 'string' && code !== '') return code;
    cause = driverError ?? cause.cause;
  }
  return error instanceof Error ? error.message : 'unknown';
}
