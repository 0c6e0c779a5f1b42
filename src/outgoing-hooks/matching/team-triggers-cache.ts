import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { isId } from '../../platform/common/ids.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { EndpointIndex } from '../endpoints/endpoint-index.js';
import type { OutgoingHook } from '../outgoing-hook.entity.js';
import { OutgoingHooksRepository } from '../outgoing-hooks.repository.js';
import { TeamTriggers } from './team-triggers.js';

const READ_SIZE = 500;
/** With more changed hooks than this, the index is dropped, and the next `get` reads all hooks. */
const MAX_CHANGED = 5_000;

interface HookIndex {
  set(hook: OutgoingHook): void;
  remove(id: string): void;
}

/** The hooks of all teams that have a bot, by bot. */
export class BotHooks implements HookIndex {
  private readonly hooks = new Map<string, OutgoingHook>();
  private readonly byBot = new Map<string, Set<OutgoingHook>>();

  set(hook: OutgoingHook): void {
    if (hook.botUserId === '') return;
    this.hooks.set(hook.id, hook);
    this.byBot.set(hook.botUserId, (this.byBot.get(hook.botUserId) ?? new Set()).add(hook));
  }

  remove(id: string): void {
    const hook = this.hooks.get(id);
    if (!hook) return;
    this.hooks.delete(id);
    const others = this.byBot.get(hook.botUserId);
    others?.delete(hook);
    if (others?.size === 0) this.byBot.delete(hook.botUserId);
  }

  of(botId: string): Iterable<OutgoingHook> {
    return this.byBot.get(botId) ?? [];
  }
}

/**
 * An index of the hooks of a team, or of all teams, as last committed. The first `get` reads all hooks, later ones
 * only those that `note` has marked, which may happen during a read. The index is shared and mutable.
 */
class KeptIndex<Index extends HookIndex> {
  private index: Index | undefined;
  private readonly changedIds = new Set<string>();
  /** The read in progress. The next one starts only after it. */
  private reading: Promise<Index> | undefined;

  constructor(
    private readonly repository: OutgoingHooksRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly create: () => Index,
    private readonly list: (after: OutgoingHook | undefined, limit: number) => Promise<OutgoingHook[]>,
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
      const hooks = await this.list(last, READ_SIZE);
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

const MAX_BYTES = 64 * 1024 * 1024;
const TEAM_BYTES = 1_024;

const TOPIC = 'team_triggers';

const NO_HOOKS = new TeamTriggers([]);

/** The hooks of recently used teams, and all endpoints, as last committed anywhere. Values are shared. */
@Injectable()
export class TeamTriggersCache {
  private readonly teams = new LRUCache<string, KeptIndex<TeamTriggers>>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ latest }) => Math.min(MAX_BYTES, TEAM_BYTES + (latest?.sizeBytes ?? 0)),
  });
  private allEndpoints: KeptIndex<EndpointIndex>;
  private allBots: KeptIndex<BotHooks>;

  constructor(
    private readonly repository: OutgoingHooksRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {
    this.allEndpoints = this.keep(() => new EndpointIndex());
    this.allBots = this.keepBots();
    unitOfWork.changes.on(TOPIC, ({ id, teamId }) => {
      if (typeof id === 'string' && typeof teamId === 'string') this.note(id, teamId);
    });
    unitOfWork.changes.onLost(() => {
      this.teams.clear();
      this.allEndpoints = this.keep(() => new EndpointIndex());
      this.allBots = this.keepBots();
    });
  }

  /** The hooks of a team if the cache is up to date; never queries the database. */
  peek(teamId: string): TeamTriggers | undefined {
    return this.teams.get(teamId)?.peek();
  }

  /** Includes every change committed before this call, and uncommitted ones of the current unit of work. */
  async get(teamId: string): Promise<TeamTriggers> {
    if (!isId(teamId)) return NO_HOOKS;
    const team = this.teams.get(teamId) ?? this.keep(() => new TeamTriggers([]), teamId);
    this.teams.set(teamId, team);
    const triggers = await team.get();
    // Its size may have changed, which `set` alone ignores for the same value.
    if (this.teams.peek(teamId) === team && this.teams.delete(teamId)) this.teams.set(teamId, team);
    return triggers;
  }

  /** Like `get`, but without the uncommitted changes of the current unit of work. */
  async getCommitted(teamId: string): Promise<TeamTriggers> {
    const known = this.peek(teamId);
    if (known) return known;
    if (this.unitOfWork.isOpen)
      this.unitOfWork.afterCommit(() => void this.get(teamId).catch(() => undefined));
    return this.get(teamId);
  }

  /** The hooks with bots, with the same changes as `get`. */
  async bots(): Promise<BotHooks> {
    return this.allBots.peek() ?? this.allBots.get();
  }

  /** The endpoints that the hooks of all teams call, with the same changes as `get`. */
  endpoints(): Promise<EndpointIndex> {
    return this.allEndpoints.get();
  }

  /** Marks a hook as added, changed or deleted. Must be called in the unit of work of the change. */
  changed({ id, teamId }: Pick<OutgoingHook, 'id' | 'teamId'>): void {
    this.unitOfWork.notifyOtherProcesses(TOPIC, { id, teamId });
    this.unitOfWork.afterCommit(() => this.note(id, teamId));
  }

  private note(id: string, teamId: string): void {
    this.teams.peek(teamId)?.note(id);
    this.allEndpoints.note(id);
    this.allBots.note(id);
  }

  private keepBots(): KeptIndex<BotHooks> {
    return new KeptIndex(
      this.repository,
      this.unitOfWork,
      () => new BotHooks(),
      (after, limit) => this.repository.listOfBots(after, limit),
    );
  }

  private keep<Index extends HookIndex>(create: () => Index, teamId?: string): KeptIndex<Index> {
    return new KeptIndex(this.repository, this.unitOfWork, create, (after, limit) =>
      this.repository.list(teamId, after, limit),
    );
  }
}
