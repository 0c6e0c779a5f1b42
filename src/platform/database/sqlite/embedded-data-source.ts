import pLimit from 'p-limit';
import { DataSource, type QueryRunner } from 'typeorm';

const WAIT_MS = 15_000;

/**
 * A data source on the embedded database. TypeORM shares one query runner among all callers there, so a failing
 * transaction would also roll back writes of others. Here each caller gets its own, and holds the only connection
 * from its first statement until it releases the query runner, as with a pool of one connection.
 */
export class EmbeddedDataSource extends DataSource {
  private readonly turns = pLimit(1);

  get inUse(): number {
    return this.turns.activeCount;
  }

  get waiting(): number {
    return this.turns.pendingCount;
  }

  override createQueryRunner(): QueryRunner {
    (this.driver as { queryRunner?: QueryRunner }).queryRunner = undefined; // otherwise TypeORM returns the last one
    const runner = super.createQueryRunner();
    const connect = runner.connect.bind(runner);
    const release = runner.release.bind(runner);
    let turn: Promise<() => void> | undefined;
    runner.connect = async () => {
      await (turn ??= this.take());
      return connect() as Promise<unknown>;
    };
    runner.release = async () => {
      await release();
      Object.assign(runner, { isReleased: true }); // later statements fail
      const end = await turn?.catch(() => undefined);
      end?.();
    };
    return runner;
  }

  /** Resolves to the function that ends the turn. */
  private take(): Promise<() => void> {
    return new Promise((resolve, reject) => {
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        reject(new Error(`The database connection was not free within ${WAIT_MS} ms.`));
      }, WAIT_MS);
      void this.turns(async () => {
        clearTimeout(timer);
        if (!isLate) await new Promise<void>((end) => resolve(end));
      });
    });
  }
}
