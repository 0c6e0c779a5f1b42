import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { isId } from '../../platform/common/ids.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { EndpointIndex } from '../endpoints/endpoint-index.js';
import type { OutgoingHook } from '../outgoing-hook.entity.js';
import { OutgoingHooksRepository } from '../outgoing-hooks.repository.js';
import { type HookIndex, KeptIndex } from './kept-index.js';
import { TeamTriggers } from './team-triggers.js';

const MAX_BYTES = 64 * 1024 * 1024;
const TEAM_BYTES = 1_024;

const TOPIC = 'team_triggers';

const NO_HOOKS = new TeamTriggers([]);

/**
 * The hooks of recently used teams, and the endpoints of all hooks, as last committed here or in another process.
 * Values are shared and mutable.
 */
@Injectable()
export class TeamTriggersCache {
  private readonly teams = new LRUCache<string, KeptIndex<TeamTriggers>>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ latest }) => Math.min(MAX_BYTES, TEAM_BYTES + (latest?.sizeBytes ?? 0)),
  });
  private allEndpoints: KeptIndex<EndpointIndex>;

  constructor(
    private readonly repository: OutgoingHooksRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {
    this.allEndpoints = this.keep(() => new EndpointIndex());
    unitOfWork.changes.on(TOPIC, ({ id, teamId }) => {
      if (typeof id === 'string' && typeof teamId === 'string') this.note(id, teamId);
    });
    unitOfWork.changes.onLost(() => {
      this.teams.clear();
      this.allEndpoints = this.keep(() => new EndpointIndex());
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

  /** The endpoints that the hooks of all teams call, with the same changes as `get`. */
  endpoints(): Promise<EndpointIndex> {
    return this.allEndpoints.get();
  }

  /** Marks a hook as added, changed or deleted. Must be called in the unit of work of the change. */
  changed({ id, teamId }: Pick<OutgoingHook, 'id' | 'teamId'>): void {
    this.unitOfWork.tellOthers(TOPIC, { id, teamId });
    this.unitOfWork.afterCommit(() => this.note(id, teamId));
  }

  private note(id: string, teamId: string): void {
    this.teams.peek(teamId)?.note(id);
    this.allEndpoints.note(id);
  }

  private keep<Index extends HookIndex>(create: () => Index, teamId?: string): KeptIndex<Index> {
    return new KeptIndex(this.repository, this.unitOfWork, create, teamId);
  }
}
