import { Injectable } from '@nestjs/common';
import { FOR_UPDATE } from '../platform/database/for-update.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { OutgoingHook } from './outgoing-hook.entity.js';

/** Which hooks a list holds. */
export interface HookFilter {
  readonly teamId?: string;
  readonly channelId?: string;
  readonly creatorId?: string;
}

/** The rows of outgoing webhooks. Deleted ones are kept, and found only where they are asked for. */
@Injectable()
export class OutgoingHooksRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  find(id: string): Promise<OutgoingHook | null> {
    return this.hooks.findOneBy({ id, deleteAt: 0 });
  }

  findEvenDeleted(id: string): Promise<OutgoingHook | null> {
    return this.hooks.findOneBy({ id });
  }

  list(filter: HookFilter, offset: number, limit: number): Promise<OutgoingHook[]> {
    if (limit === 0) return Promise.resolve([]);
    return this.hooks.find({
      where: { ...filter, deleteAt: 0 },
      order: { createAt: 'ASC', id: 'ASC' },
      skip: offset,
      take: limit,
    });
  }

  listOfTeam(teamId: string): Promise<OutgoingHook[]> {
    return this.hooks.find({ where: { teamId, deleteAt: 0 }, order: { createAt: 'ASC', id: 'ASC' } });
  }

  /** Those that watch the same place. */
  listInPlace(teamId: string, channelId: string): Promise<OutgoingHook[]> {
    return this.hooks.findBy({ teamId, channelId, deleteAt: 0 });
  }

  async insert(hook: OutgoingHook): Promise<void> {
    await this.hooks.insert(hook);
  }

  /** False when the hook is gone meanwhile. */
  async update(id: string, change: Partial<OutgoingHook>): Promise<boolean> {
    const { affected } = await this.hooks.update({ id, deleteAt: 0 }, change);
    return affected === 1;
  }

  /** Held until the open transaction ends, so that none of them moves elsewhere meanwhile. */
  listInChannelForUpdate(channelId: string): Promise<OutgoingHook[]> {
    return this.hooks.find({
      where: { channelId, deleteAt: 0 },
      ...FOR_UPDATE,
    });
  }

  private get hooks() {
    return this.unitOfWork.manager.getRepository(OutgoingHook);
  }
}
