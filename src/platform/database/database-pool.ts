import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { InstallationRow } from './installation/installation.entity.js';
import { EmbeddedDataSource } from './sqlite/embedded-data-source.js';

interface PoolState {
  readonly inUse: number;
  readonly idle: number;
  readonly waiting: number;
}

/** mysql2 exposes the state of its pool only in these private fields. */
interface MysqlPool {
  readonly _allConnections?: { readonly length: number };
  readonly _freeConnections?: { readonly length: number };
  readonly _connectionQueue?: { readonly length: number };
}

/** The utilization of the database connections. */
@Injectable()
export class DatabasePool {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  get state(): PoolState {
    const { dataSource } = this;
    if (dataSource instanceof EmbeddedDataSource)
      return { inUse: dataSource.inUse, idle: 1 - dataSource.inUse, waiting: dataSource.waiting };
    const { pool = {} } = dataSource.driver as unknown as { pool?: MysqlPool };
    const idle = pool._freeConnections?.length ?? 0;
    return {
      inUse: Math.max(0, (pool._allConnections?.length ?? 0) - idle),
      idle,
      waiting: pool._connectionQueue?.length ?? 0,
    };
  }
}

const CHECK_TIMEOUT_MS = 2_000;

/** Checks that the database answers. Concurrent checks share one query, so a flood of them costs one. */
@Injectable()
export class DatabaseCheck {
  private running: Promise<Error | undefined> | undefined;

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** The error, or undefined if the database answered within two seconds. Never rejects. */
  failure(): Promise<Error | undefined> {
    this.running ??= this.query().finally(() => (this.running = undefined));
    return this.running;
  }

  private query(): Promise<Error | undefined> {
    const timeout = new Error(`The database did not answer within ${CHECK_TIMEOUT_MS} ms.`);
    const answer = this.dataSource
      .getRepository(InstallationRow)
      .find({ take: 1 })
      .then(
        () => undefined,
        (error: Error) => error,
      );
    return Promise.race([answer, sleep(CHECK_TIMEOUT_MS, timeout, { ref: false })]);
  }
}
