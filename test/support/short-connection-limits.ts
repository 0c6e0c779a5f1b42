import { CONNECTION_LIMITS } from '../../src/platform/database/mysql-session.js';

/** Lets the ends of a MySQL connection, opened from now on, wait for seconds instead of a quarter of a minute. */
export function shortenConnectionLimits(): void {
  jest.replaceProperty(CONNECTION_LIMITS, 'maxSilenceMs', 6_000); // GET_LOCK may be silent for 3 s
  jest.replaceProperty(CONNECTION_LIMITS, 'maxIdleSeconds', 8);
  jest.replaceProperty(CONNECTION_LIMITS, 'closeIdleAfterMs', 2_000); // also on a busy machine before the database
}
