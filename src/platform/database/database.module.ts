import { DynamicModule, Global, Module, type OnApplicationShutdown } from '@nestjs/common';
import { getDataSourceToken, InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { Clock } from '../common/clock.js';
import { Sequence } from '../common/sequence.js';
import { Settings } from '../config/settings.js';
import { ChangeLog, storeMark } from './changes/change-log.js';
import { SharedChanges } from './changes/shared-changes.js';
import { dataSourceOptions, type Schema } from './data-source.options.js';
import { CommitEngine } from './commits/commit-engine.js';
import { DatabaseCheck, DatabasePool } from './database-pool.js';
import { EmbeddedDataSource } from './sqlite/embedded-data-source.js';
import { applyPoolTimeouts } from './mysql-session.js';
import { ServedDatabases, warnOfNewerSchema } from './installation/served-databases.js';
import { InstallationId, InstallationKeys } from './installation/installation-keys.js';
import { OwnerLock } from './owner-lock.js';
import { Purge } from './purge.js';
import { Schedules } from './schedules/schedules.js';
import { SchedulesRepository } from './schedules/schedules.repository.js';
import { SharedSchedules } from './schedules/shared-schedules.js';
import { Transactions } from './transactions.js';
import { UnitOfWork } from './unit-of-work.js';

/** Opens and migrates the database under the owner lock. `mayBeLost`: accepts one that was used and is now empty. */
@Global()
@Module({})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Runs after the shutdown hooks of its providers, which still use the database. */
  async onApplicationShutdown(): Promise<void> {
    await this.dataSource.destroy();
  }

  static forRoot(
    ownerLock: OwnerLock,
    schema: Schema,
    settings: Settings,
    mayBeLost: boolean,
  ): DynamicModule {
    return {
      module: DatabaseModule,
      providers: [
        {
          provide: getDataSourceToken(),
          useFactory: () => openForServer(dataSourceOptions(settings, schema), settings, mayBeLost),
        },
        { provide: OwnerLock, useValue: ownerLock },
        { provide: Clock, useValue: ownerLock.clock },
        { provide: Sequence, useValue: new Sequence(ownerLock.slot) },
        {
          provide: Schedules,
          inject: [UnitOfWork, Clock],
          useFactory: (unitOfWork: UnitOfWork, clock: Clock): Schedules =>
            settings.redisUrl === undefined
              ? new Schedules()
              : new SharedSchedules(new SchedulesRepository(unitOfWork), clock),
        },
        {
          provide: ChangeLog,
          inject: [getDataSourceToken(), Clock, Sequence],
          useFactory: (dataSource: DataSource, clock: Clock, sequence: Sequence): ChangeLog =>
            settings.redisUrl === undefined
              ? new ChangeLog(() => storeMark(dataSource, clock, sequence))
              : new SharedChanges(dataSource, clock, sequence),
        },
        Transactions,
        UnitOfWork,
        CommitEngine,
        Purge,
        DatabaseCheck,
        DatabasePool,
        ServedDatabases,
        InstallationId,
      ],
      exports: [
        getDataSourceToken(),
        Schedules,
        OwnerLock,
        Clock,
        Sequence,
        ChangeLog,
        UnitOfWork,
        CommitEngine,
        Purge,
        DatabaseCheck,
        DatabasePool,
        ServedDatabases,
        InstallationId,
      ],
    };
  }
}

/** Opens the database for the server. Throws DatabaseLost, KeyRefused and SecretKeyUnusable. */
function openForServer(
  options: DataSourceOptions,
  settings: Settings,
  mayBeLost: boolean,
): Promise<DataSource> {
  return openDatabase(options, {
    beforeMigrations: async (dataSource) => {
      if (!mayBeLost) await new ServedDatabases(settings, dataSource).requireNotLost();
    },
    afterMigrations: async (dataSource) => {
      await warnOfNewerSchema(dataSource);
      await new InstallationKeys(dataSource, settings).accept();
    },
  });
}

interface Steps {
  readonly beforeMigrations?: (dataSource: DataSource) => Promise<void>;
  readonly afterMigrations?: (dataSource: DataSource) => Promise<void>;
}

/** Opens the database and runs its migrations. Closes it again if a step throws. */
export async function openDatabase(options: DataSourceOptions, steps: Steps = {}): Promise<DataSource> {
  const dataSource = new (options.type === 'better-sqlite3' ? EmbeddedDataSource : DataSource)(options);
  await dataSource.initialize();
  try {
    await steps.beforeMigrations?.(dataSource);
    await dataSource.runMigrations();
    await steps.afterMigrations?.(dataSource);
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
  applyPoolTimeouts(dataSource); // after the migrations, which may take longer than the timeouts
  return dataSource;
}
