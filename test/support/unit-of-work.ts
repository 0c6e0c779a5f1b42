import type { DataSource, EntityManager } from 'typeorm';
import type { Transactions } from '../../src/platform/database/transactions.js';
import { ChangeLog } from '../../src/platform/database/changes/change-log.js';
import { UnitOfWork } from '../../src/platform/database/unit-of-work.js';

/** Runs in a separate unit of work what needs one, such as a cache invalidation. */
export const committed = (unitOfWork: UnitOfWork, action: () => void): Promise<void> =>
  unitOfWork.run(() => Promise.resolve(action()));

/** A unit of work without a database, for specs of code inside one or after its commit. */
export function unitOfWorkWithoutDatabase(): UnitOfWork {
  const manager = {} as EntityManager;
  const run = <T>(work: (manager: EntityManager) => Promise<T>): Promise<T> => work(manager);
  return new UnitOfWork(
    { manager } as DataSource,
    { run } as Transactions,
    new ChangeLog(() => Promise.resolve()),
  );
}
