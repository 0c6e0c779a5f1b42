import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, EntityManager } from 'typeorm';
import { DatabaseUnavailable } from '../common/errors/common-errors.js';
import { isDatabaseUnavailable, isLostRace } from './database-errors.js';

const MAX_ATTEMPTS = 4;

type Action = () => void;

interface Work {
  readonly manager: EntityManager;
  readonly afterCommit: Action[];
}

/**
 * One transaction around writes that belong together. Repositories ask it for the manager; nested runs join the open
 * one. No network call inside. A lost database or a full disk ends as DatabaseUnavailable, with nothing written.
 */
@Injectable()
export class UnitOfWork {
  private readonly open = new AsyncLocalStorage<Work>();

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

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
    const { result, afterCommit } = await this.commit(work);
    for (const action of afterCommit) action();
    return result;
  }

  private async commit<T>(
    work: (manager: EntityManager) => Promise<T>,
  ): Promise<{ result: T; afterCommit: Action[] }> {
    for (let attempt = 1; ; attempt++) {
      const afterCommit: Action[] = [];
      try {
        const result = await this.dataSource.transaction((manager) =>
          this.open.run({ manager, afterCommit }, () => work(manager)),
        );
        return { result, afterCommit };
      } catch (error) {
        if (isLostRace(error) && attempt < MAX_ATTEMPTS) continue; // rolled back whole: the work can be done again
        throw isLostRace(error) || isDatabaseUnavailable(error) ? new DatabaseUnavailable(error) : error;
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
