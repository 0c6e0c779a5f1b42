import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';

const CHECK_TIMEOUT_MS = 2_000;

/** Asks the database for a row. Questions that arrive meanwhile share the answer, so a flood of them costs one. */
@Injectable()
export class DatabaseCheck {
  private running: Promise<Error | undefined> | undefined;

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** The failure, or undefined when the database answered within two seconds. */
  failure(): Promise<Error | undefined> {
    this.running ??= this.ask().finally(() => (this.running = undefined));
    return this.running;
  }

  private ask(): Promise<Error | undefined> {
    return new Promise((resolve) => {
      const late = new Error(`The database did not answer within ${CHECK_TIMEOUT_MS} ms.`);
      const timer = setTimeout(() => resolve(late), CHECK_TIMEOUT_MS);
      const answer = (failure?: Error): void => {
        clearTimeout(timer);
        resolve(failure);
      };
      this.dataSource.query('SELECT name FROM migrations LIMIT 1').then(
        () => answer(),
        (error: Error) => answer(error),
      );
    });
  }
}
