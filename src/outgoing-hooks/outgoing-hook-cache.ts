import { Injectable } from '@nestjs/common';
import { DatabaseCache } from '../platform/database/database-cache.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import type { OutgoingHook } from './outgoing-hook.entity.js';
import { OutgoingHooksRepository } from './outgoing-hooks.repository.js';

const MAX_HOOK_BYTES = 32 * 1024 * 1024;
const MAX_TEAM_BYTES = 64 * 1024 * 1024;

/** Hooks by id and by team, from memory where possible. Whoever changes one calls `forget`. */
@Injectable()
export class OutgoingHookCache {
  private readonly byId: DatabaseCache<OutgoingHook | null>;
  private readonly byTeam: DatabaseCache<readonly OutgoingHook[]>;

  constructor(
    private readonly repository: OutgoingHooksRepository,
    unitOfWork: UnitOfWork,
  ) {
    this.byId = new DatabaseCache(unitOfWork, { maxBytes: MAX_HOOK_BYTES });
    this.byTeam = new DatabaseCache(unitOfWork, { maxBytes: MAX_TEAM_BYTES });
  }

  /** The hook unless it is unknown or deleted, as every change has left it. */
  find(id: string): Promise<OutgoingHook | null> {
    return this.byId.get(id, () => this.repository.find(id));
  }

  /** All of a team, the oldest first: the same list until one of them changes. */
  listOfTeam(teamId: string): Promise<readonly OutgoingHook[]> {
    return this.byTeam.get(teamId, () => this.repository.listOfTeam(teamId));
  }

  /** As listOfTeam, when it is in memory. */
  peekOfTeam(teamId: string): readonly OutgoingHook[] | undefined {
    return this.byTeam.peek(teamId);
  }

  forget({ id, teamId }: OutgoingHook): void {
    this.byId.forget(id);
    this.byTeam.forget(teamId);
  }
}
