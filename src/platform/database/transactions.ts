import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { DatabaseUnavailable } from '../common/errors/common-errors.js';
import { dialect } from '../config/dialect.js';
import { isDatabaseUnavailable, isLostRace } from './database-errors.js';
import { OwnerLock } from './owner-lock.js';

const MAX_ATTEMPTS = 8;
const MAX_PAUSE_MS = 20;

/**
 * Runs transactions: one that lost a race is run again, an outage ends as DatabaseUnavailable, and nothing is written
 * while the owner lock is away. The unit of work and the commit engine stand on it; everybody else uses those.
 */
@Injectable()
export class Transactions {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly ownerLock: OwnerLock,
  ) {}

  /** A transaction on a connection of the main pool. `work` may run several times. */
  run<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.attempt((onCommitting) =>
      this.dataSource.transaction(async (manager) => {
        const done = await work(manager);
        onCommitting();
        return done;
      }),
    );
  }

  /**
   * The same for a transaction that `attemptOnce` makes by itself. It calls `onCommitting` before it sends what may
   * commit: after that a lost connection leaves open whether anything was stored.
   */
  async attempt<T>(attemptOnce: (onCommitting: () => void) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      if (!this.ownerLock.isHeld)
        throw new DatabaseUnavailable(new Error('the owner lock is being taken again'));
      let isCommitting = false;
      try {
        return await attemptOnce(() => (isCommitting = true));
      } catch (error) {
        if (isLostRace(error) && attempt < MAX_ATTEMPTS) {
          // Rolled back whole: the work can be done again. Those who met must not meet again at once.
          await new Promise((resolve) => setTimeout(resolve, Math.random() * MAX_PAUSE_MS));
          continue;
        }
        if (isLostRace(error)) throw new DatabaseUnavailable(error);
        if (!isDatabaseUnavailable(error)) throw error;
        // The embedded engine rolls a failed commit back; a server that is gone may have finished it.
        const isOutcomeKnown = !isCommitting || dialect === 'sqlite';
        throw new DatabaseUnavailable(error, isOutcomeKnown ? 'nothing stored' : 'unknown');
      }
    }
  }
}
