import { readEnvironment } from './environment.js';

export type Dialect = 'mysql' | 'sqlite';

/** The kind of database this process runs on. Entities need it while they are being declared. */
export const dialect: Dialect = /^(mysql|mariadb):/.test(readEnvironment()['DATABASE_URL'] ?? '')
  ? 'mysql'
  : 'sqlite';
