import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { DatabaseUnavailable } from '../common/errors/common-errors.js';
import { dialect } from '../config/settings.js';
import {
  isDatabaseUnavailable,
  isTransactionConflict,
  isRefusedWrite,
  isUnflushed,
} from './database-errors.js';
import { OwnerLock } from './owner-lock.js';

const MAX_ATTEMPTS = 8;
const MAX_PAUSE_MS = 20;

/**
 * Runs transactions: retries those that lose a conflict, turns an outage into DatabaseUnavailable, and writes nothing
 * while the owner lock is not held. Only the unit of work and the commit engine use it.
 */
@Injectable()
export class Transactions {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly ownerLock: OwnerLock,
  ) {}

  /** Runs a transaction on a connection of the pool. `work` may run several times. */
  run<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.attempt((onCommitting) =>
      this.dataSource.transaction(async (manager) => {
        const result = await work(manager);
        onCommitting();
        return result;
      }),
    );
  }

  /**
   * Like `run`, for a caller that runs the transaction itself. `attemptOnce` must call `onCommitting` before
   * it sends anything that may commit: if the connection is lost after that, the outcome is unknown.
   */
  async attempt<T>(attemptOnce: (onCommitting: () => void) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      if (!this.ownerLock.isHeld)
        throw new DatabaseUnavailable(new Error('the owner lock is being acquired again'));
      let isCommitting = false;
      try {
        return await attemptOnce(() => (isCommitting = true));
      } catch (error) {
        if (isTransactionConflict(error) && attempt < MAX_ATTEMPTS) {
          // Rolled back, so it can run again; a random delay keeps the transactions from colliding again.
          await new Promise((resolve) => setTimeout(resolve, Math.random() * MAX_PAUSE_MS));
          continue;
        }
        if (isTransactionConflict(error)) throw new DatabaseUnavailable(error);
        if (!isDatabaseUnavailable(error)) throw error;
        // A failed commit is rolled back by SQLite and by a refusing server; others may have committed.
        const isRolledBack = dialect === 'sqlite' ? !isUnflushed(error) : isRefusedWrite(error);
        const isOutcomeKnown = !isCommitting || isRolledBack;
        throw new DatabaseUnavailable(error, isOutcomeKnown ? 'nothing stored' : 'unknown');
      }
    }
  }
}

/** A transaction to pass to repositories: the unit of work does not know that of a shared commit. */
export class Transaction {
  constructor(readonly manager: EntityManager) {}
}

/** Find options that lock the latest committed row until the open transaction ends. SQLite has one writer anyway. */
export const FOR_UPDATE = dialect === 'mysql' ? { lock: { mode: 'pessimistic_write' as const } } : {};
