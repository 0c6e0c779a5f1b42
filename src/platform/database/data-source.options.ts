import { join } from 'node:path';
import type { DataSourceOptions, MigrationInterface } from 'typeorm';
import type { Type } from '@nestjs/common';
import { MAX_RUNNING } from '../common/http/request-limit.js';
import type { Settings } from '../config/settings.js';
import { SnakeNamingStrategy } from './columns.js';
import { CONNECTION_LIMITS, mysqlDriver, mysqlUrl } from './mysql-session.js';
import { SqliteDatabase } from './sqlite/sqlite-database.js';

/** Large enough that one client address cannot use up all connections. */
const POOL_SIZE = MAX_RUNNING + 8;
const CONNECT_TIMEOUT_MS = 5_000;

/** The entities, and the migrations that create their tables. */
export interface Schema {
  readonly entities: readonly Type[];
  readonly migrations: readonly Type<MigrationInterface>[];
}

/** The file of the embedded database. */
export const sqliteFile = (dataDir: string): string => join(dataDir, 'hookline.db');

/** The TypeORM options: MySQL if the settings have a URL, else the embedded database in the data folder. */
export function dataSourceOptions(
  settings: Pick<Settings, 'databaseUrl' | 'dataDir'>,
  schema: Schema,
): DataSourceOptions {
  const shared = {
    entities: [...schema.entities],
    migrations: [...schema.migrations],
    namingStrategy: new SnakeNamingStrategy(),
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each' as const,
    synchronize: false,
    logging: false as const,
  };
  if (settings.databaseUrl !== undefined) {
    return {
      ...shared,
      type: 'mysql',
      driver: mysqlDriver(),
      url: mysqlUrl(settings.databaseUrl),
      charset: 'utf8mb4',
      timezone: 'Z',
      supportBigNumbers: true,
      bigNumberStrings: false,
      poolSize: POOL_SIZE,
      connectTimeout: CONNECT_TIMEOUT_MS,
      trace: false, // captures a stack for every statement; TypeORM's error has its own
      // gracefulEnd: MySQL counts and logs connections that close without COM_QUIT
      extra: {
        enableKeepAlive: true,
        maxIdle: POOL_SIZE - 1,
        idleTimeout: CONNECTION_LIMITS.closeIdleAfterMs,
        gracefulEnd: true,
      },
    };
  }
  return {
    ...shared,
    type: 'better-sqlite3',
    driver: SqliteDatabase,
    database: sqliteFile(settings.dataDir),
    timeout: 5_000,
    prepareDatabase: (db: SqliteDatabase) => {
      db.pragma('journal_mode = WAL');
      db.pragma('synchronous = FULL'); // acknowledged writes survive a power failure
      db.pragma('cache_size = -16384');
      db.pragma('temp_store = MEMORY');
    },
  };
}
