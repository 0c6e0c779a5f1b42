import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';

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
    return new Promise((resolve) => {
      const timeout = new Error(`The database did not answer within ${CHECK_TIMEOUT_MS} ms.`);
      const timer = setTimeout(() => resolve(timeout), CHECK_TIMEOUT_MS);
      const settle = (failure?: Error): void => {
        clearTimeout(timer);
        resolve(failure);
      };
      this.dataSource.query('SELECT name FROM migrations LIMIT 1').then(
        () => settle(),
        (error: Error) => settle(error),
      );
    });
  }
}
