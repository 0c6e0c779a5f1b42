import { Injectable } from '@nestjs/common';
import { LessThanOrEqual } from 'typeorm';
import { definedOnly } from '../platform/common/defined-only.js';
import type { Page } from '../platform/common/dto/params.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { HookSchedule } from './hook-schedule.entity.js';

/** Every query of hook schedules. None finds deleted rows. */
@Injectable()
export class HookSchedulesRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  find(id: string): Promise<HookSchedule | null> {
    return this.schedules.findOneBy({ id, deleteAt: 0 });
  }

  /** Those of a team, or of every team; oldest first. */
  list(teamId: string | undefined, { offset, perPage }: Page): Promise<HookSchedule[]> {
    if (perPage === 0) return Promise.resolve([]);
    return this.schedules.find({
      where: { deleteAt: 0, ...definedOnly({ teamId }) },
      order: { createAt: 'ASC', id: 'ASC' },
      skip: offset,
      take: perPage,
    });
  }

  async insert(schedule: HookSchedule): Promise<void> {
    await this.schedules.insert(schedule);
  }

  /** False if it no longer exists. */
  async update(id: string, change: Partial<HookSchedule>): Promise<boolean> {
    const { affected } = await this.schedules.update({ id, deleteAt: 0 }, change);
    return affected === 1;
  }

  /** Those due by now, the longest overdue first. */
  listDue(now: number, limit: number): Promise<HookSchedule[]> {
    return this.schedules.find({
      where: { deleteAt: 0, postedAt: 0, postAt: LessThanOrEqual(now) },
      order: { postAt: 'ASC', id: 'ASC' },
      take: limit,
    });
  }

  /** False if it no longer exists or was already posted. */
  async markPosted(id: string, postedAt: number): Promise<boolean> {
    const { affected } = await this.schedules.update({ id, deleteAt: 0, postedAt: 0 }, { postedAt });
    return affected === 1;
  }

  async deleteOfHook(hookId: string, deleteAt: number): Promise<void> {
    await this.schedules.update({ hookId, deleteAt: 0 }, { deleteAt, updateAt: deleteAt });
  }

  private get schedules() {
    return this.unitOfWork.manager.getRepository(HookSchedule);
  }
}
