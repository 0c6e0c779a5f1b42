import { Injectable } from '@nestjs/common';
import { DatabaseCache, idKeys } from '../platform/database/database-cache.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import type { OutgoingHook } from './outgoing-hook.entity.js';
import { OutgoingHooksRepository } from './outgoing-hooks.repository.js';

const MAX_HOOK_BYTES = 32 * 1024 * 1024;
const MAX_TEAM_BYTES = 64 * 1024 * 1024;

/** A cache of hooks by id and by team. Code that changes a hook must call `forget`. */
@Injectable()
export class OutgoingHookCache {
  private readonly byId: DatabaseCache<OutgoingHook | null>;
  private readonly byTeam: DatabaseCache<readonly OutgoingHook[]>;

  constructor(
    private readonly repository: OutgoingHooksRepository,
    unitOfWork: UnitOfWork,
  ) {
    this.byId = new DatabaseCache(unitOfWork, { maxBytes: MAX_HOOK_BYTES, keys: idKeys(null) });
    this.byTeam = new DatabaseCache(unitOfWork, { maxBytes: MAX_TEAM_BYTES, keys: idKeys([]) });
  }

  /** The current hook; null if unknown or deleted. */
  find(id: string): Promise<OutgoingHook | null> {
    return this.byId.get(id, () => this.repository.find(id));
  }

  /** All hooks of a team, oldest first. The same array until one of them changes. */
  listOfTeam(teamId: string): Promise<readonly OutgoingHook[]> {
    return this.byTeam.get(teamId, () => this.repository.listOfTeam(teamId));
  }

  /** As listOfTeam, but undefined if the team is not cached. */
  peekOfTeam(teamId: string): readonly OutgoingHook[] | undefined {
    return this.byTeam.peek(teamId);
  }

  /** Removes a hook, after the commit of an open unit of work. */
  forget({ id, teamId }: OutgoingHook): void {
    this.byId.forget(id);
    this.byTeam.forget(teamId);
  }
}
