import type { EntityManager } from 'typeorm';

/**
 * A transaction that is handed on to repositories, which alone use its manager: of the transaction of a shared commit
 * the unit of work knows nothing.
 */
export class Transaction {
  constructor(readonly manager: EntityManager) {}
}
