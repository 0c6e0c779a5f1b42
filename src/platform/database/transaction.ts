import type { EntityManager } from 'typeorm';

/**
 * A transaction to pass on to repositories; only they use its manager. Needed because the unit of work does not know the
 * transaction of a shared commit.
 */
export class Transaction {
  constructor(readonly manager: EntityManager) {}
}
