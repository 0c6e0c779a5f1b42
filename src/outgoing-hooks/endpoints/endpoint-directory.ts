import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import { loopTurn } from '../../platform/common/loop-turn.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { TeamTriggersCache } from '../matching/team-triggers-cache.js';
import { type CalledHook, OutgoingHooksRepository } from '../outgoing-hooks.repository.js';
import { EndpointIndex } from './endpoint-index.js';

/** Hooks per query. */
const READ_SIZE = 500;
/** With more changed hooks than this, all hooks are reloaded. */
const MAX_CHANGED = 5_000;
/** The directory is dropped from memory after this long without a request. */
const KEPT_MS = 10 * 60_000;

/**
 * The endpoints of all hooks, as last committed. They are derived from the hooks: the first request reads all
 * hooks, and later ones only those that changed, here or in another process.
 */
@Injectable()
export class EndpointDirectory {
  private index: EndpointIndex | undefined;
  private readonly changedIds = new Set<string>();
  /** The read in progress. The next one starts only after it. */
  private reading: Promise<EndpointIndex> | undefined;
  private losses = 0;
  private askedAt = 0;

  constructor(
    private readonly repository: OutgoingHooksRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    triggers: TeamTriggersCache,
  ) {
    triggers.watch((hookId) => this.note(hookId));
    unitOfWork.changes.onLost(() => this.drop());
  }

  /** Includes every change this process knew of before the call. The index is shared and mutable. */
  async get(): Promise<EndpointIndex> {
    if (this.unitOfWork.changes.isBehind) return this.readAll();
    this.askedAt = this.clock.now();
    // The read in progress may miss the latest change. Any read that starts after it includes the change.
    if (this.reading) await this.reading.catch(() => undefined);
    if (this.index && this.changedIds.size === 0) return this.index;
    this.reading ??= this.refresh().finally(() => (this.reading = undefined));
    return this.reading;
  }

  private note(hookId: string): void {
    if (!this.index && !this.reading) return;
    this.changedIds.add(hookId);
    const isUnused = this.clock.now() - this.askedAt > KEPT_MS;
    if (isUnused || this.changedIds.size > MAX_CHANGED) this.drop();
  }

  private drop(): void {
    this.losses++;
    this.index = undefined;
    this.changedIds.clear();
  }

  private async refresh(): Promise<EndpointIndex> {
    const { losses } = this;
    if (this.index) return this.readChanged(this.index);
    // Changes from here on are recorded and read again.
    this.changedIds.clear();
    const index = await this.readAll();
    if (losses === this.losses) this.index = index;
    return index;
  }

  private async readAll(): Promise<EndpointIndex> {
    const index = new EndpointIndex();
    let last: CalledHook | undefined;
    do {
      const hooks = await this.repository.listCalled(last, READ_SIZE);
      for (const hook of hooks) index.set(hook);
      last = hooks.length === READ_SIZE ? hooks.at(-1) : undefined;
      if (last && loopTurn.isLong) await loopTurn.next();
    } while (last);
    return index;
  }

  private async readChanged(index: EndpointIndex): Promise<EndpointIndex> {
    const ids = [...this.changedIds];
    this.changedIds.clear();
    try {
      const hooks = await this.repository.listByIds(ids);
      for (const id of ids) index.delete(id);
      for (const hook of hooks) index.set(hook);
    } catch (error) {
      for (const id of ids) this.changedIds.add(id);
      throw error;
    }
    return index;
  }
}
