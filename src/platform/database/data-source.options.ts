import { join } from 'node:path';
import type { DataSourceOptions, MigrationInterface } from 'typeorm';
import type { Type } from '@nestjs/common';
import type { Settings } from '../config/settings.js';
import { SnakeNamingStrategy } from './snake-naming-strategy.js';
import { REST_MS } from './silence-guard.js';
import { SqliteDatabase } from './sqlite/sqlite-database.js';

const POOL_SIZE = 10;
const CONNECT_TIMEOUT_MS = 5_000;

/** The tables, and what makes them. */
export interface Schema {
  readonly entities: readonly Type[];
  readonly migrations: readonly Type<MigrationInterface>[];
}

/** How to reach the database that the settings name: MySQL by URL, else the embedded file under the data folder. */
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
      url: settings.databaseUrl.replace(/^mariadb:/, 'mysql:'),
      charset: 'utf8mb4',
      timezone: 'Z',
      supportBigNumbers: true,
      bigNumberStrings: false,
      isolationLevel: 'READ COMMITTED', // what is read behind a lock must be newer than the wait for it
      poolSize: POOL_SIZE,
      connectTimeout: CONNECT_TIMEOUT_MS,
      // gracefulEnd: the server counts, and logs, those that leave without a farewell
      extra: { enableKeepAlive: true, maxIdle: POOL_SIZE - 1, idleTimeout: REST_MS, gracefulEnd: true },
    };
  }
  return {
    ...shared,
    type: 'better-sqlite3',
    driver: SqliteDatabase,
    database: join(settings.dataDir, 'hookline.db'),
    enableWAL: true,
    timeout: 5_000,
    prepareDatabase: (db: SqliteDatabase) => {
      db.pragma('synchronous = FULL'); // an acknowledged post survives a power cut; the group commit hides the cost
      db.pragma('cache_size = -16384');
      db.pragma('wal_autocheckpoint = 4000'); // hot pages are copied back less often
      db.pragma('temp_store = MEMORY');
    },
  };
}
