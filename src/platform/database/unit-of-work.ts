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
 * One transaction around writes that belong together. Repositories get their manager from it; nested runs join the open
 * transaction. Make no network calls inside. An outage or a full disk throws DatabaseUnavailable.
 */
@Injectable()
export class UnitOfWork {
  private readonly open = new AsyncLocalStorage<Work>();
  private running = 0;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
  ) {}

  /** The manager of the open transaction, or the default one. */
  get manager(): EntityManager {
    return this.open.getStore()?.manager ?? this.dataSource.manager;
  }

  get isOpen(): boolean {
    return this.open.getStore() !== undefined;
  }

  /** Runs `work` in a transaction, or in the open one. `work` may run several times, so it must have no side effects. */
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
      // While a store is enabled, Node 20 and 22 track every promise in the process.
      if (--this.running === 0) this.open.disable();
    }
    for (const action of afterCommit) action();
    return result;
  }

  /**
   * Runs `action` after the open transaction commits, or never if it rolls back; immediately if none is open. `action`
   * must not throw.
   */
  afterCommit(action: () => void): void {
    const work = this.open.getStore();
    if (work) work.afterCommit.push(action);
    else action();
  }
}
