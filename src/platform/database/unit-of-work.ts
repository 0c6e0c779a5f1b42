import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, EntityManager } from 'typeorm';
import { dialect } from '../config/dialect.js';
import { DatabaseUnavailable } from '../common/errors/common-errors.js';
import { OneTripTransactions } from './one-trip-transactions.js';
import { OwnerLock } from './owner-lock.js';
import type { Statement } from './statement.js';
import { isDatabaseUnavailable, isLostRace } from './database-errors.js';

const MAX_ATTEMPTS = 8;
const MAX_PAUSE_MS = 20;

type Action = () => void;

interface Work {
  readonly manager: EntityManager;
  readonly afterCommit: Action[];
}

/**
 * One transaction around writes that belong together. Repositories ask it for the manager; nested runs join the open
 * one. No network call inside. A lost database or a full disk ends as DatabaseUnavailable.
 */
@Injectable()
export class UnitOfWork {
  private readonly open = new AsyncLocalStorage<Work>();
  private running = 0;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly oneTrip: OneTripTransactions,
    private readonly ownerLock: OwnerLock,
  ) {}

  /** The manager of the open transaction, or the plain one. */
  get manager(): EntityManager {
    return this.open.getStore()?.manager ?? this.dataSource.manager;
  }

  get isOpen(): boolean {
    return this.open.getStore() !== undefined;
  }

  async run<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    const joined = this.open.getStore();
    if (joined) return work(joined.manager);
    let afterCommit: Action[] = [];
    this.running++;
    let result: T;
    try {
      result = await this.transact((manager) => {
        afterCommit = [];
        return this.open.run({ manager, afterCommit }, () => work(manager));
      });
    } finally {
      // While a store is enabled, Node 20 and 22 follow every promise of the process.
      if (--this.running === 0) this.open.disable();
    }
    for (const action of afterCommit) action();
    return result;
  }

  /**
   * A transaction of its own for work that hands the manager on by itself: inside, `manager`, `isOpen` and
   * `afterCommit` know nothing of it. For paths that create many promises at once: while a store of
   * AsyncLocalStorage is enabled, Node 20 and 22 follow each one.
   */
  runDetached<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.transact(work);
  }

  /** Whether `runStatements` can be used on this database. */
  get takesStatements(): boolean {
    return this.oneTrip.isSupported;
  }

  /** A transaction of statements that are all known beforehand. */
  runStatements(statements: readonly Statement[]): Promise<void> {
    return this.persist((onCommitting) => this.oneTrip.run(statements, onCommitting));
  }

  private transact<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.persist((onCommitting) =>
      this.dataSource.transaction(async (manager) => {
        const done = await work(manager);
        onCommitting();
        return done;
      }),
    );
  }

  /** Tries again what lost a race, and turns an outage into DatabaseUnavailable. */
  private async persist<T>(attemptOnce: (onCommitting: () => void) => Promise<T>): Promise<T> {
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

  /**
   * Runs `action` once the open transaction has committed, and never if it is rolled back; at once when none is open.
   * An action must not throw.
   */
  afterCommit(action: () => void): void {
    const work = this.open.getStore();
    if (work) work.afterCommit.push(action);
    else action();
  }
}
