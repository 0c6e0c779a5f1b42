import { DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { Settings } from '../config/settings.js';
import { dataSourceOptions, type Schema } from './data-source.options.js';
import { CommitEngine } from './commits/commit-engine.js';
import { DatabaseCheck } from './database-check.js';
import { DatabasePool } from './database-pool.js';
import { Checkpoints } from './sqlite/checkpoints.js';
import { guardSqliteRunners } from './sqlite/guarded-query-runner.js';
import { applyPoolTimeouts } from './connection-timeouts.js';
import { OwnerLock } from './owner-lock.js';
import { Purge } from './purge.js';
import { SecretsUpgrade } from './secrets-upgrade.js';
import { Transactions } from './transactions.js';
import { UnitOfWork } from './unit-of-work.js';

/**
 * Opens the database, runs its migrations, and provides the unit of work, the commit engine and the health check. The
 * owner lock must already be held.
 */
@Global()
@Module({})
export class DatabaseModule {
  static forRoot(ownerLock: OwnerLock, schema: Schema): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({
          inject: [Settings],
          useFactory: (settings: Settings) => ({ ...dataSourceOptions(settings, schema), retryAttempts: 0 }),
          dataSourceFactory: (options) => openDatabase(options as DataSourceOptions),
        }),
      ],
      providers: [
        { provide: OwnerLock, useValue: ownerLock },
        Transactions,
        UnitOfWork,
        CommitEngine,
        Purge,
        DatabaseCheck,
        DatabasePool,
        SecretsUpgrade,
        Checkpoints,
      ],
      exports: [UnitOfWork, CommitEngine, Purge, DatabaseCheck, DatabasePool],
    };
  }
}

/** Opens the database and runs its migrations. */
export async function openDatabase(options: DataSourceOptions): Promise<DataSource> {
  const dataSource = new DataSource(options);
  guardSqliteRunners(dataSource);
  await dataSource.initialize();
  await dataSource.runMigrations();
  applyPoolTimeouts(dataSource); // after the migrations, which may take longer than the timeouts
  return dataSource;
}
