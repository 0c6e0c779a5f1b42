import { types } from 'node:util';
import { DatabaseUnavailable } from '../common/errors/common-errors.js';

const UNAVAILABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT', // the server's socket is gone
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'PROTOCOL_CONNECTION_LOST',
  'PROTOCOL_SEQUENCE_TIMEOUT',
  'ER_SERVER_SHUTDOWN',
  'ER_CON_COUNT_ERROR',
  'ER_DISK_FULL',
  'ER_RECORD_FILE_FULL',
  'ER_ERROR_ON_WRITE',
  'ER_READ_ONLY_MODE',
  'ER_OPTION_PREVENTS_STATEMENT', // --read-only
  'ER_NORMAL_SHUTDOWN',
  'ER_CLIENT_INTERACTION_TIMEOUT', // wait_timeout, since MySQL 8.0.24
  'ER_CONNECTION_KILLED',
  'ER_SESSION_WAS_KILLED',
  'ER_QUERY_INTERRUPTED',
  'SQLITE_FULL',
  'SQLITE_IOERR',
  'SQLITE_READONLY',
  'SQLITE_CANTOPEN',
  'SQLITE_BUSY',
]);
/** Codes by number, for drivers whose table does not have them. */
const BY_NUMBER = new Map([
  [1927, 'ER_CONNECTION_KILLED'], // MariaDB
  [3169, 'ER_SESSION_WAS_KILLED'],
  [4031, 'ER_CLIENT_INTERACTION_TIMEOUT'],
]);
const RETRYABLE = new Set(['ER_LOCK_DEADLOCK', 'ER_LOCK_WAIT_TIMEOUT', 'ER_CHECKREAD']);
const DUPLICATE = new Set(['ER_DUP_ENTRY', 'SQLITE_CONSTRAINT_PRIMARYKEY', 'SQLITE_CONSTRAINT_UNIQUE']);
const CLOSED_CONNECTION =
  /closed state|Connection lost|no transaction is active|was not free within|Pool is closed/;

/** Whether the database cannot be reached or cannot write, so that trying later may help. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true;
  if (UNAVAILABLE.has(databaseCode(error) ?? '')) return true;
  return types.isNativeError(error) && CLOSED_CONNECTION.test(error.message);
}

/** Whether a row with the same unique key was there already. */
export function isDuplicateKey(error: unknown): boolean {
  return DUPLICATE.has(databaseCode(error) ?? '');
}

/** Whether the transaction lost against another one and may be run again at once. */
export function isLostRace(error: unknown): boolean {
  return RETRYABLE.has(databaseCode(error) ?? '');
}

/** The symbolic code of the driver's error below `error`, such as ER_DUP_ENTRY or ECONNREFUSED. */
export function databaseCode(error: unknown): string | undefined {
  // By kind rather than by class: an error of a socket may come from outside the realm of the program, as under a test runner.
  for (let cause: unknown = error, depth = 0; types.isNativeError(cause) && depth < 4; depth++) {
    const { code, errno, driverError } = cause as Error & Record<'code' | 'errno' | 'driverError', unknown>;
    if (typeof code === 'string' && code !== '') return code;
    const known = BY_NUMBER.get(errno as number);
    if (known !== undefined) return known;
    cause = driverError ?? cause.cause;
  }
  return undefined;
}
