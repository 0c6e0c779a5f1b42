import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { isId } from '../../platform/common/ids.js';
import { loopTurn } from '../../platform/common/loop-turn.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import type { OutgoingHook } from '../outgoing-hook.entity.js';
import { OutgoingHooksRepository } from '../outgoing-hooks.repository.js';
import { TeamTriggers } from './team-triggers.js';

const MAX_BYTES = 64 * 1024 * 1024;
const TEAM_BYTES = 1_024;
/** Hooks that one query reads. */
const READ_SIZE = 500;

const TOPIC = 'team_triggers';

const NO_HOOKS = new TeamTriggers([]);

/** A team in memory, or on its way there. */
interface KnownTeam {
  /** Undefined until all its hooks were read once. */
  triggers: TeamTriggers | undefined;
  /** Hooks that have changed since they were read. */
  readonly changedIds: Set<string>;
  /** The running read. A second one begins only after it. */
  reading: Promise<TeamTriggers> | undefined;
}

/**
 * The hooks of the teams in use, as last committed. A changed hook is noted after its commit, also while its team is being
 * read, and read again by whoever needs the team next: alone, whatever the size of the team. Values are shared and change.
 */
@Injectable()
export class TeamTriggersCache {
  private readonly teams = new LRUCache<string, KnownTeam>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ triggers }) => Math.min(MAX_BYTES, TEAM_BYTES + (triggers?.sizeBytes ?? 0)),
  });

  private readonly watchers: ((hookId: string) => void)[] = [];

  constructor(
    private readonly repository: OutgoingHooksRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {
    unitOfWork.changes.on(TOPIC, ({ id, teamId }) => {
      if (typeof id === 'string' && typeof teamId === 'string') this.note(id, teamId);
    });
    unitOfWork.changes.onLost(() => this.teams.clear());
  }

  /** The hooks of a team if they are in memory as they are now; without a query. */
  peek(teamId: string): TeamTriggers | undefined {
    if (this.unitOfWork.changes.isBehind) return undefined;
    const team = this.teams.get(teamId);
    return team && isFresh(team) ? team.triggers : undefined;
  }

  /** The hooks of a team, with every change that was committed before this call. A unit of work sees its own as well. */
  async get(teamId: string): Promise<TeamTriggers> {
    if (!isId(teamId)) return NO_HOOKS;
    if (this.unitOfWork.isOpen || this.unitOfWork.changes.isBehind)
      return this.readAll(teamId, new TeamTriggers([]));
    const known = this.peek(teamId);
    if (known) return known;
    const team = this.teams.get(teamId) ?? this.add(teamId);
    // What is being read may lack the latest change. What is read after it does not, whoever asked for it.
    if (team.reading) await team.reading.catch(() => undefined);
    if (team.triggers && isFresh(team)) return team.triggers;
    return team.reading ?? this.read(teamId, team);
  }

  /** Notes that a hook was added, changed or deleted. Call it in the unit of work of the change. */
  changed({ id, teamId }: Pick<OutgoingHook, 'id' | 'teamId'>): void {
    this.unitOfWork.tellOthers(TOPIC, { id, teamId });
    this.unitOfWork.afterCommit(() => this.note(id, teamId));
  }

  /** Calls `watcher` after each commit of a change of a hook, here or in another process. It must not throw and not wait. */
  watch(watcher: (hookId: string) => void): void {
    this.watchers.push(watcher);
  }

  private note(id: string, teamId: string): void {
    this.teams.peek(teamId)?.changedIds.add(id);
    for (const watcher of this.watchers) watcher(id);
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
      // What changes from here on is noted, and so read again.
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
      if (last && loopTurn.isLong) await loopTurn.next();
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

/** Whether nothing of it has changed since it was read, nor is being read. */
function isFresh({ changedIds, reading }: KnownTeam): boolean {
  return changedIds.size === 0 && !reading;
}
