import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, EntityManager } from 'typeorm';
import { DatabaseUnavailable } from '../common/errors/common-errors.js';
import type { JsonObject } from '../common/json.js';
import { type Change, ChangeLog, type StoredChanges } from './changes/change-log.js';
import { execute, type Statement } from './statement.js';
import { Transaction, Transactions } from './transactions.js';

/** Statements that a request stores with its first change, such as its audit row: all or nothing. */
export interface Contribution {
  /** Called once the change is written, and again on each retry. Empty while not all values are known. */
  statements(): readonly Statement[];
  onStored(): void;
}

type Action = () => void;

interface Work {
  readonly manager: EntityManager;
  readonly afterCommit: Action[];
  readonly changes: Change[];
}

interface Scope {
  readonly work?: Work;
  readonly slot?: ContributionSlot | undefined;
}

/**
 * One transaction around writes that belong together (docs/decisions/0050-unit-of-work.md says why not
 * @nestjs-cls/transactional). Repositories get their manager from it; nested runs join the open
 * transaction. Make no network calls inside. An outage or a full disk throws DatabaseUnavailable.
 */
@Injectable()
export class UnitOfWork {
  private readonly scopes = new AsyncLocalStorage<Scope>();

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    readonly changes: ChangeLog,
  ) {}

  get manager(): EntityManager {
    return this.open?.manager ?? this.dataSource.manager;
  }

  get isOpen(): boolean {
    return this.open !== undefined;
  }

  /** The contribution of the request, even after it was stored. */
  get contribution(): Contribution | undefined {
    return this.scopes.getStore()?.slot?.contribution;
  }

  /** Runs `work`, perhaps several times, in a transaction or in the open one. `isQuiet`: see `contribute`. */
  async run<T>(work: (transaction: Transaction) => Promise<T>, isQuiet = false): Promise<T> {
    if (this.open) return work(new Transaction(this.open.manager));
    let afterCommit: Action[] = [];
    let stored: StoredChanges | undefined;
    const store = (statements: () => readonly Statement[]): Promise<T> =>
      this.transactions.run((manager) => {
        afterCommit = [];
        stored = undefined;
        const changes: Change[] = [];
        const scope = { ...this.scopes.getStore(), work: { manager, afterCommit, changes } };
        return this.scopes.run(scope, async () => {
          const result = await work(new Transaction(manager));
          for (const statement of statements()) await execute(manager, statement);
          if (changes.length > 0) stored = await this.changes.store(manager, changes);
          return result;
        });
      });
    const result = await this.contribute(store, isQuiet);
    for (const action of afterCommit) action();
    await stored?.committed();
    return result;
  }

  /** Runs `work`; the first change that it stores also stores `contribution`. */
  async runWith<T>(contribution: Contribution, work: () => Promise<T>): Promise<T> {
    const slot = new ContributionSlot(contribution);
    try {
      return await this.scopes.run({ slot }, work);
    } finally {
      slot.close();
    }
  }

  /**
   * Runs `store`, which must also store the statements it is given, the contribution of the request. All
   * writes pass through here, so that in-memory state is invalidated if the outcome of a commit is unknown;
   * `isQuiet` skips that for writes that nothing depends on.
   */
  async contribute<T>(
    store: (statements: () => readonly Statement[]) => Promise<T>,
    isQuiet = false,
  ): Promise<T> {
    const slot = this.scopes.getStore()?.slot;
    try {
      return await (slot ? slot.fill(store) : store(nothing));
    } catch (error) {
      if (!isQuiet && error instanceof DatabaseUnavailable && error.outcome === 'unknown')
        this.changes.commitUncertain();
      throw error;
    }
  }

  /** Runs `action`, which must not throw, after the commit of the open transaction; immediately if none is open. */
  afterCommit(action: () => void): void {
    const work = this.open;
    if (work) work.afterCommit.push(action);
    else action();
  }

  /** Announces a change to the other processes, with the open unit of work. No-op without others. */
  notifyOtherProcesses(topic: string, body: JsonObject): void {
    if (!this.changes.isShared) return;
    const work = this.open;
    if (work) work.changes.push({ topic, body });
    else this.changes.append({ topic, body });
  }

  private get open(): Work | undefined {
    return this.scopes.getStore()?.work;
  }
}

const nothing = (): readonly Statement[] => [];

/** Keeps a contribution until one change has stored it. */
export class ContributionSlot {
  private isFree = true;
  private isClosed = false;

  constructor(readonly contribution: Contribution) {}

  /** Runs `store` with the contribution, unless another change has it. Frees it if it was not stored. */
  async fill<T>(store: (statements: () => readonly Statement[]) => Promise<T>): Promise<T> {
    if (!this.isFree || this.isClosed) return store(() => []);
    this.isFree = false;
    let isGiven = false;
    try {
      const result = await store(() => {
        const statements = this.isClosed ? [] : this.contribution.statements();
        isGiven = statements.length > 0;
        return statements;
      });
      if (isGiven) this.contribution.onStored();
      else this.isFree = true;
      return result;
    } catch (error) {
      this.isFree = true;
      throw error;
    }
  }

  close(): void {
    this.isClosed = true;
  }
}
