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
  'ER_QUERY_TIMEOUT', // max_execution_time of MySQL
  'ER_STATEMENT_TIMEOUT', // max_statement_time of MariaDB
  'SQLITE_FULL',
  'SQLITE_IOERR',
  'SQLITE_IOERR_FSYNC',
  'SQLITE_READONLY',
  'SQLITE_CANTOPEN',
  'SQLITE_BUSY',
]);
/** Error numbers for which the driver has no symbolic code. */
const CODES_BY_NUMBER = new Map([
  [1927, 'ER_CONNECTION_KILLED'], // MariaDB
  [1969, 'ER_STATEMENT_TIMEOUT'], // MariaDB
  [3169, 'ER_SESSION_WAS_KILLED'],
  [4031, 'ER_CLIENT_INTERACTION_TIMEOUT'],
]);
const REFUSED_WRITE = new Set([
  'ER_DISK_FULL',
  'ER_RECORD_FILE_FULL',
  'ER_ERROR_ON_WRITE',
  'ER_READ_ONLY_MODE',
  'ER_OPTION_PREVENTS_STATEMENT',
]);
const RETRYABLE = new Set(['ER_LOCK_DEADLOCK', 'ER_LOCK_WAIT_TIMEOUT', 'ER_CHECKREAD']);
const DUPLICATE = new Set(['ER_DUP_ENTRY', 'SQLITE_CONSTRAINT_PRIMARYKEY', 'SQLITE_CONSTRAINT_UNIQUE']);
const MISSING_VALUE = new Set(['ER_BAD_NULL_ERROR', 'SQLITE_CONSTRAINT_NOTNULL']);
const CLOSED_CONNECTION =
  /closed state|Connection lost|no transaction is active|was not free within|Pool is closed/;

/** Whether the database is unreachable or cannot write, so that a later retry may succeed. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true;
  if (UNAVAILABLE.has(databaseCode(error) ?? '')) return true;
  return types.isNativeError(error) && CLOSED_CONNECTION.test(error.message);
}

/** The error number of InnoDB for a full-text search beyond `innodb_ft_result_cache_limit`. */
const TOO_MANY_MATCHES = /\b188\b|FTS query exceeds result cache limit/;

/** Whether a full-text search of MySQL was refused because it has too many matches. */
export function isTooManyMatches(error: unknown): boolean {
  const { driverError = error } = error as { driverError?: unknown };
  return types.isNativeError(driverError) && TOO_MANY_MATCHES.test(driverError.message);
}

/** Whether the database rejected the write, so that nothing of the transaction is stored. */
export function isRefusedWrite(error: unknown): boolean {
  return REFUSED_WRITE.has(databaseCode(error) ?? '');
}

/** Whether the embedded database has committed, but may lose the commit in a power failure. */
export function isUnflushed(error: unknown): boolean {
  return databaseCode(error) === 'SQLITE_IOERR_FSYNC';
}

/** Whether a row with the same unique key already existed. */
export function isDuplicateKey(error: unknown): boolean {
  return DUPLICATE.has(databaseCode(error) ?? '');
}

/** Whether a statement tried to set a NOT NULL column to NULL. */
export function isMissingValue(error: unknown, column: string): boolean {
  return MISSING_VALUE.has(databaseCode(error) ?? '') && (error as Error).message.includes(column);
}

/** Whether the transaction failed on a deadlock or a lock timeout, so that it can be retried at once. */
export function isTransactionConflict(error: unknown): boolean {
  return RETRYABLE.has(databaseCode(error) ?? '');
}

/** The symbolic code of the driver's error in the causes of `error`, such as ER_DUP_ENTRY or ECONNREFUSED. */
export function databaseCode(error: unknown): string | undefined {
  // Not `instanceof Error`: socket errors may come from another realm, as under a test runner.
  for (let cause: unknown = error, depth = 0; types.isNativeError(cause) && depth < 4; depth++) {
    const { code, errno, driverError } = cause as Error & Record<'code' | 'errno' | 'driverError', unknown>;
    if (typeof code === 'string' && code !== '') return code;
    const codeOfNumber = CODES_BY_NUMBER.get(errno as number);
    if (codeOfNumber !== undefined) return codeOfNumber;
    cause = driverError ?? cause.cause;
  }
  return undefined;
}
