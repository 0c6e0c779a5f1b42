import { setImmediate } from 'node:timers/promises';
import type { UnitOfWork } from '../../platform/database/unit-of-work.js';
import type { OutgoingHook } from '../outgoing-hook.entity.js';
import type { OutgoingHooksRepository } from '../outgoing-hooks.repository.js';

const READ_SIZE = 500;
/** With more changed hooks than this, the index is dropped, and the next `get` reads all hooks. */
const MAX_CHANGED = 5_000;

export interface HookIndex {
  set(hook: OutgoingHook): void;
  remove(id: string): void;
}

/**
 * An index of the hooks of a team, or of all teams, as last committed. The first `get` reads all hooks, later ones
 * only those that `note` has marked, which may happen during a read. The index is shared and mutable.
 */
export class KeptIndex<Index extends HookIndex> {
  private index: Index | undefined;
  private readonly changedIds = new Set<string>();
  /** The read in progress. The next one starts only after it. */
  private reading: Promise<Index> | undefined;

  constructor(
    private readonly repository: OutgoingHooksRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly create: () => Index,
    private readonly teamId?: string,
  ) {}

  /** The index, up to date or not; undefined until all its hooks have been read once. */
  get latest(): Index | undefined {
    return this.index;
  }

  /** The index if it is up to date; never queries the database. */
  peek(): Index | undefined {
    const isFresh = this.changedIds.size === 0 && !this.reading;
    return isFresh && !this.unitOfWork.changes.isBehind ? this.index : undefined;
  }

  /** Includes every change committed before this call, and uncommitted ones of the current unit of work. */
  async get(): Promise<Index> {
    if (this.unitOfWork.isOpen || this.unitOfWork.changes.isBehind) return this.readAll();
    // The read in progress may miss the latest change. Any read that starts after it includes the change.
    if (this.reading) await this.reading.catch(() => undefined);
    return this.peek() ?? this.reading ?? this.read();
  }

  /** Marks a hook as added, changed or deleted, after the commit. */
  note(id: string): void {
    if (!this.index && !this.reading) return;
    this.changedIds.add(id);
    if (this.reading || this.changedIds.size <= MAX_CHANGED) return;
    this.index = undefined;
    this.changedIds.clear();
  }

  private read(): Promise<Index> {
    this.reading = this.refresh().finally(() => (this.reading = undefined));
    return this.reading;
  }

  private async refresh(): Promise<Index> {
    if (this.index) await this.readChanged(this.index);
    else {
      // Changes from here on are recorded and read again.
      this.changedIds.clear();
      this.index = await this.readAll();
    }
    return this.index;
  }

  private async readAll(): Promise<Index> {
    const index = this.create();
    let last: OutgoingHook | undefined;
    do {
      const hooks = await this.repository.list(this.teamId, last, READ_SIZE);
      for (const hook of hooks) index.set(hook);
      last = hooks.length === READ_SIZE ? hooks.at(-1) : undefined;
      if (last) await setImmediate();
    } while (last);
    return index;
  }

  private async readChanged(index: Index): Promise<void> {
    const ids = [...this.changedIds];
    this.changedIds.clear();
    try {
      const hooks = await this.repository.listByIds(ids);
      for (const id of ids) index.remove(id);
      for (const hook of hooks) index.set(hook);
    } catch (error) {
      for (const id of ids) this.changedIds.add(id);
      throw error;
    }
  }
}
