import { readEnvironment } from './environment.js';

export type Dialect = 'mysql' | 'sqlite';

/** The kind of database this process runs on: a constant, because entity decorators need it at import time. */
export const dialect: Dialect = /^(mysql|mariadb):/.test(readEnvironment()['DATABASE_URL'] ?? '')
  ? 'mysql'
  : 'sqlite';
