import { Injectable } from '@nestjs/common';
import { DatabaseCache, idKeys } from '../platform/database/database-cache.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import type { OutgoingHook } from './outgoing-hook.entity.js';
import { TeamTriggersCache } from './matching/team-triggers-cache.js';
import type { TeamTriggers } from './matching/team-triggers.js';
import { OutgoingHooksRepository } from './outgoing-hooks.repository.js';

const MAX_HOOK_BYTES = 32 * 1024 * 1024;

/** A cache of hooks by id and by team. Code that changes a hook must call `forget`. */
@Injectable()
export class OutgoingHookCache {
  private readonly byId: DatabaseCache<OutgoingHook | null>;

  constructor(
    private readonly repository: OutgoingHooksRepository,
    private readonly byTeam: TeamTriggersCache,
    unitOfWork: UnitOfWork,
  ) {
    this.byId = new DatabaseCache(unitOfWork, {
      name: 'outgoing_hooks',
      maxBytes: MAX_HOOK_BYTES,
      keys: idKeys(null),
    });
  }

  /** The current hook; null if unknown or deleted. */
  find(id: string): Promise<OutgoingHook | null> {
    return this.byId.get(id, () => this.repository.find(id));
  }

  /** As find, but undefined if that takes a query. */
  peek(id: string): OutgoingHook | undefined {
    return this.byId.peek(id) ?? undefined;
  }

  /** The hooks of a team. */
  ofTeam(teamId: string): Promise<TeamTriggers> {
    return this.byTeam.get(teamId);
  }

  /** As ofTeam, but undefined if that takes a query. */
  peekOfTeam(teamId: string): TeamTriggers | undefined {
    return this.byTeam.peek(teamId);
  }

  /** Removes a hook once the open unit of work commits. Call it in that of the change. */
  forget(hook: Pick<OutgoingHook, 'id' | 'teamId'>): void {
    this.byId.forget(hook.id);
    this.byTeam.changed(hook);
  }
}
