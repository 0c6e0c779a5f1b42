import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, EntityManager } from 'typeorm';
import { Transaction } from './transaction.js';
import { Transactions } from './transactions.js';

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
    private readonly transactions: Transactions,
  ) {}

  /** The manager of the open transaction, or the plain one. */
  get manager(): EntityManager {
    return this.open.getStore()?.manager ?? this.dataSource.manager;
  }

  get isOpen(): boolean {
    return this.open.getStore() !== undefined;
  }

  async run<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const joined = this.open.getStore();
    if (joined) return work(new Transaction(joined.manager));
    let afterCommit: Action[] = [];
    this.running++;
    let result: T;
    try {
      result = await this.transactions.run((manager) => {
        afterCommit = [];
        return this.open.run({ manager, afterCommit }, () => work(new Transaction(manager)));
      });
    } finally {
      // While a store is enabled, Node 20 and 22 follow every promise of the process.
      if (--this.running === 0) this.open.disable();
    }
    for (const action of afterCommit) action();
    return result;
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
