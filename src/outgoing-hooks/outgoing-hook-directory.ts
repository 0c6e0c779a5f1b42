import { Injectable } from '@nestjs/common';
import { BoundedCache } from '../platform/common/bounded-cache.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import type { OutgoingHook } from './outgoing-hook.entity.js';
import { OutgoingHooksRepository } from './outgoing-hooks.repository.js';

const MAX_HOOKS = 10_000;
const MAX_TEAMS = 2_000;

/** Hooks by id and by team, from memory where possible. Whoever changes one calls `forget` after the commit. */
@Injectable()
export class OutgoingHookDirectory {
  private readonly byId = new BoundedCache<OutgoingHook | undefined>(MAX_HOOKS);
  private readonly byTeam = new BoundedCache<readonly OutgoingHook[]>(MAX_TEAMS);

  constructor(
    private readonly repository: OutgoingHooksRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** The hook unless it is unknown or deleted, as every change has left it. */
  async find(id: string): Promise<OutgoingHook | null> {
    if (this.unitOfWork.isOpen) return this.repository.find(id);
    return (await this.byId.get(id, async () => (await this.repository.find(id)) ?? undefined)) ?? null;
  }

  /** All of a team, the oldest first: the same list until one of them changes. */
  listOfTeam(teamId: string): Promise<readonly OutgoingHook[]> {
    const load = (): Promise<readonly OutgoingHook[]> => this.repository.listOfTeam(teamId);
    return this.unitOfWork.isOpen ? load() : this.byTeam.get(teamId, load);
  }

  /** As listOfTeam, when it is in memory. */
  peekOfTeam(teamId: string): readonly OutgoingHook[] | undefined {
    return this.unitOfWork.isOpen ? undefined : this.byTeam.peek(teamId);
  }

  forget({ id, teamId }: OutgoingHook): void {
    this.byId.forget(id);
    this.byTeam.forget(teamId);
  }
}
