import { Injectable } from '@nestjs/common';
import { In, MoreThan } from 'typeorm';
import { insertRows } from '../platform/database/rows.js';
import { FOR_UPDATE } from '../platform/database/transactions.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { OutgoingHook } from './outgoing-hook.entity.js';

const MAX_IDS = 500;

/** Queries for outgoing webhooks. Deleted rows are kept; only `…EvenDeleted` return them. */
@Injectable()
export class OutgoingHooksRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  find(id: string): Promise<OutgoingHook | null> {
    return this.hooks.findOneBy({ id, deleteAt: 0 });
  }

  findEvenDeleted(id: string): Promise<OutgoingHook | null> {
    return this.hooks.findOneBy({ id });
  }

  /** At most 500. */
  async listEvenDeleted(ids: readonly string[]): Promise<OutgoingHook[]> {
    return ids.length === 0 ? [] : this.hooks.findBy({ id: In([...ids]) });
  }

  /** The hooks of a team, or of all teams, after `after`, oldest first. */
  list(teamId: string | undefined, after: OutgoingHook | undefined, limit: number): Promise<OutgoingHook[]> {
    const query = this.hooks
      .createQueryBuilder('hook')
      .where('hook.deleteAt = 0')
      .orderBy('hook.createAt', 'ASC')
      .addOrderBy('hook.id', 'ASC')
      .limit(limit);
    if (teamId !== undefined) query.andWhere('hook.teamId = :teamId', { teamId });
    if (after)
      query.andWhere('hook.createAt >= :createAt AND (hook.createAt > :createAt OR hook.id > :id)', {
        createAt: after.createAt,
        id: after.id,
      });
    return query.getMany();
  }

  /** The hooks with a bot, after `after`, by id. */
  listOfBots(after: OutgoingHook | undefined, limit: number): Promise<OutgoingHook[]> {
    return this.hooks.find({
      where: { botUserId: MoreThan(''), deleteAt: 0, id: MoreThan(after?.id ?? '') },
      order: { id: 'ASC' },
      take: limit,
    });
  }

  /** The hooks of all teams that receive an event, oldest first. */
  listOfEvent(event: string): Promise<OutgoingHook[]> {
    return this.hooks
      .createQueryBuilder('hook')
      .where('hook.deleteAt = 0')
      .andWhere('INSTR(hook.events, :event) > 0', { event })
      .orderBy('hook.createAt', 'ASC')
      .addOrderBy('hook.id', 'ASC')
      .getMany();
  }

  async listByIds(ids: readonly string[]): Promise<OutgoingHook[]> {
    const hooks: OutgoingHook[] = [];
    for (let start = 0; start < ids.length; start += MAX_IDS)
      hooks.push(...(await this.hooks.findBy({ id: In(ids.slice(start, start + MAX_IDS)), deleteAt: 0 })));
    return hooks;
  }

  /** The hooks that have the same scope and call one of the URLs. */
  async listInPlace({ teamId, channelId, callbackUrls }: OutgoingHook): Promise<OutgoingHook[]> {
    if (callbackUrls.length === 0) return [];
    // Searches the JSON text, so that rows without any of the URLs are not even parsed.
    const calls = callbackUrls.map((_, index) => `INSTR(hook.callbackUrls, :url${index}) > 0`).join(' OR ');
    const urls = callbackUrls.map((url, index) => [`url${index}`, JSON.stringify(url)] as const);
    return this.hooks
      .createQueryBuilder('hook')
      .where({ teamId, channelId, deleteAt: 0 })
      .andWhere(`(${calls})`, Object.fromEntries(urls))
      .getMany();
  }

  /** The hooks whose creator, setter or bot is the user. */
  listOfPerson(userId: string): Promise<OutgoingHook[]> {
    return this.hooks.findBy([
      { creatorId: userId, deleteAt: 0 },
      { setBy: userId, deleteAt: 0 },
      { botUserId: userId, deleteAt: 0 },
    ]);
  }

  insert(hook: OutgoingHook): Promise<void> {
    return insertRows(this.unitOfWork.manager, OutgoingHook, [hook]);
  }

  /** False if the hook was deleted. */
  async update(id: string, change: Partial<OutgoingHook>): Promise<boolean> {
    const { affected } = await this.hooks.update({ id, deleteAt: 0 }, change);
    return affected === 1;
  }

  /** Locks the rows until the transaction ends, so that no hook can move to another channel. */
  listInChannelForUpdate(channelId: string): Promise<OutgoingHook[]> {
    return this.hooks.find({ where: { channelId, deleteAt: 0 }, ...FOR_UPDATE });
  }

  private get hooks() {
    return this.unitOfWork.manager.getRepository(OutgoingHook);
  }
}
