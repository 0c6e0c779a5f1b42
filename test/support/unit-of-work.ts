import type { DataSource, EntityManager } from 'typeorm';
import type { Transactions } from '../../src/platform/database/transactions.js';
import { OwnChanges } from '../../src/platform/database/changes/change-log.js';
import { UnitOfWork } from '../../src/platform/database/unit-of-work.js';

/** Does in a unit of work of its own what must be done in one, such as to forget what a cache has. */
export const committed = (unitOfWork: UnitOfWork, action: () => void): Promise<void> =>
  unitOfWork.run(() => Promise.resolve(action()));

/** A unit of work without a database, for specs of what runs in one or after its commit. */
export function unitOfWorkWithoutDatabase(): UnitOfWork {
  const manager = {} as EntityManager;
  const run = <T>(work: (manager: EntityManager) => Promise<T>): Promise<T> => work(manager);
  return new UnitOfWork(
    { manager } as DataSource,
    { run } as Transactions,
    new OwnChanges(() => Promise.resolve()),
  );
}
