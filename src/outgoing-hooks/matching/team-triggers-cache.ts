import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { isId } from '../../platform/common/ids.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import type { OutgoingHook } from '../outgoing-hook.entity.js';
import { OutgoingHooksRepository } from '../outgoing-hooks.repository.js';
import { TeamTriggers } from './team-triggers.js';

const MAX_BYTES = 64 * 1024 * 1024;
const TEAM_BYTES = 1_024;
/** Hooks per query. */
const READ_SIZE = 500;

const TOPIC = 'team_triggers';

const NO_HOOKS = new TeamTriggers([]);

/** A team that is cached or being loaded. */
interface KnownTeam {
  /** Undefined until all its hooks have been read once. */
  triggers: TeamTriggers | undefined;
  /** Hooks that have changed since they were read. */
  readonly changedIds: Set<string>;
  /** The read in progress. The next one starts only after it. */
  reading: Promise<TeamTriggers> | undefined;
}

/**
 * The hooks of recently used teams, as last committed. A changed hook is marked after its commit, even during
 * a read of its team, and the next `get` of the team reloads only that hook. Values are shared and mutable.
 */
@Injectable()
export class TeamTriggersCache {
  private readonly teams = new LRUCache<string, KnownTeam>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ triggers }) => Math.min(MAX_BYTES, TEAM_BYTES + (triggers?.sizeBytes ?? 0)),
  });

  constructor(
    private readonly repository: OutgoingHooksRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {
    unitOfWork.changes.on(TOPIC, ({ id, teamId }) => {
      if (typeof id === 'string' && typeof teamId === 'string') this.note(id, teamId);
    });
    unitOfWork.changes.onLost(() => this.teams.clear());
  }

  /** The hooks of a team if the cache is up to date; never queries the database. */
  peek(teamId: string): TeamTriggers | undefined {
    if (this.unitOfWork.changes.isBehind) return undefined;
    const team = this.teams.get(teamId);
    return team && isFresh(team) ? team.triggers : undefined;
  }

  /** Includes every change committed before this call, and uncommitted ones of the current unit of work. */
  async get(teamId: string): Promise<TeamTriggers> {
    if (!isId(teamId)) return NO_HOOKS;
    if (this.unitOfWork.isOpen || this.unitOfWork.changes.isBehind)
      return this.readAll(teamId, new TeamTriggers([]));
    const known = this.peek(teamId);
    if (known) return known;
    const team = this.teams.get(teamId) ?? this.add(teamId);
    // The read in progress may miss the latest change. Any read that starts after it includes the change.
    if (team.reading) await team.reading.catch(() => undefined);
    if (team.triggers && isFresh(team)) return team.triggers;
    return team.reading ?? this.read(teamId, team);
  }

  /** Marks a hook as added, changed or deleted. Must be called in the unit of work of the change. */
  changed({ id, teamId }: Pick<OutgoingHook, 'id' | 'teamId'>): void {
    this.unitOfWork.tellOthers(TOPIC, { id, teamId });
    this.unitOfWork.afterCommit(() => this.note(id, teamId));
  }

  private note(id: string, teamId: string): void {
    this.teams.peek(teamId)?.changedIds.add(id);
  }

  private add(teamId: string): KnownTeam {
    const team: KnownTeam = { triggers: undefined, changedIds: new Set(), reading: undefined };
    this.teams.set(teamId, team);
    return team;
  }

  private read(teamId: string, team: KnownTeam): Promise<TeamTriggers> {
    team.reading = this.refresh(teamId, team).finally(() => (team.reading = undefined));
    return team.reading;
  }

  private async refresh(teamId: string, team: KnownTeam): Promise<TeamTriggers> {
    if (!team.triggers) {
      // Changes from here on are recorded and read again.
      team.changedIds.clear();
      team.triggers = await this.readAll(teamId, new TeamTriggers([]));
    } else await this.readChanged(team.triggers, team.changedIds);
    if (this.teams.peek(teamId) === team) this.teams.set(teamId, team); // its size has changed
    return team.triggers;
  }

  private async readAll(teamId: string, triggers: TeamTriggers): Promise<TeamTriggers> {
    let last: OutgoingHook | undefined;
    do {
      const hooks = await this.repository.listOfTeam(teamId, last, READ_SIZE);
      for (const hook of hooks) triggers.set(hook);
      last = hooks.length === READ_SIZE ? hooks.at(-1) : undefined;
      if (last) await setImmediate();
    } while (last);
    return triggers;
  }

  private async readChanged(triggers: TeamTriggers, changedIds: Set<string>): Promise<void> {
    const ids = [...changedIds];
    changedIds.clear();
    try {
      const hooks = await this.repository.listByIds(ids);
      for (const id of ids) triggers.remove(id);
      for (const hook of hooks) triggers.set(hook);
    } catch (error) {
      for (const id of ids) changedIds.add(id);
      throw error;
    }
  }
}

/** Whether nothing has changed since the last read and no read is in progress. */
function isFresh({ changedIds, reading }: KnownTeam): boolean {
  return changedIds.size === 0 && !reading;
}
