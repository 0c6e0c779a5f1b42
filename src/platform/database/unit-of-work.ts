import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, EntityManager } from 'typeorm';
import { DatabaseUnavailable } from '../common/errors/common-errors.js';
import type { JsonObject } from '../common/json.js';
import { type Change, ChangeLog, type NumberedChanges } from './changes/change-log.js';
import { type Contribution, ContributionSlot } from './contribution.js';
import { execute, type Statement } from './statement.js';
import { Transaction, Transactions } from './transactions.js';

type Action = () => void;

interface Work {
  readonly manager: EntityManager;
  readonly afterCommit: Action[];
  /** Changes to announce to other processes. */
  readonly changes: Change[];
}

interface Scope {
  /** The open transaction, if any. */
  readonly work?: Work;
  /** The contribution of the request, if any. */
  readonly slot?: ContributionSlot | undefined;
}

/**
 * One transaction around writes that belong together. Repositories get their manager from it; nested runs join the open
 * transaction. Make no network calls inside. An outage or a full disk throws DatabaseUnavailable.
 */
@Injectable()
export class UnitOfWork {
  private readonly scopes = new AsyncLocalStorage<Scope>();
  private running = 0;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    /** The changes made by other processes. */
    readonly changes: ChangeLog,
  ) {}

  /** The manager of the open transaction, or the default one. */
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

  /**
   * Runs `work` in a transaction, or in the open one. `work` may run several times, so it must have no side
   * effects. `isQuiet`: see `contribute`.
   */
  async run<T>(work: (transaction: Transaction) => Promise<T>, isQuiet = false): Promise<T> {
    const joined = this.open;
    if (joined) return work(new Transaction(joined.manager));
    let afterCommit: Action[] = [];
    let numbered: NumberedChanges | undefined;
    const result = await this.contribute(
      (statements) =>
        this.within((slot) =>
          this.transactions.run((manager) => {
            afterCommit = [];
            numbered = undefined;
            const changes: Change[] = [];
            return this.scopes.run({ work: { manager, afterCommit, changes }, slot }, async () => {
              const done = await work(new Transaction(manager));
              for (const statement of statements()) await execute(manager, statement);
              if (changes.length === 0) return done;
              numbered = this.changes.numbered(changes);
              for (const statement of numbered.statements) await execute(manager, statement);
              return done;
            });
          }),
        ),
      isQuiet,
    );
    for (const action of afterCommit) action();
    await numbered?.committed();
    return result;
  }

  /** Runs `work`; the first change that it stores also stores `contribution`. */
  async runWith<T>(contribution: Contribution, work: () => Promise<T>): Promise<T> {
    const slot = new ContributionSlot(contribution);
    try {
      return await this.within(() => this.scopes.run({ slot }, work));
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
        this.changes.doubt();
      throw error;
    }
  }

  /**
   * Runs `action` after the open transaction commits, or never if it rolls back; immediately if none is open. `action`
   * must not throw.
   */
  afterCommit(action: () => void): void {
    const work = this.open;
    if (work) work.afterCommit.push(action);
    else action();
  }

  /** Announces a change to the other processes, with the open unit of work. No-op without others. */
  tellOthers(topic: string, body: JsonObject): void {
    if (!this.changes.isShared) return;
    const work = this.open;
    if (work) work.changes.push({ topic, body });
    else this.changes.append({ topic, body });
  }

  private get open(): Work | undefined {
    return this.scopes.getStore()?.work;
  }

  private async within<T>(run: (slot: ContributionSlot | undefined) => Promise<T>): Promise<T> {
    this.running++;
    try {
      return await run(this.scopes.getStore()?.slot);
    } finally {
      // While a store is enabled, Node 20 and 22 track every promise in the process.
      if (--this.running === 0) this.scopes.disable();
    }
  }
}

const nothing = (): readonly Statement[] => [];
