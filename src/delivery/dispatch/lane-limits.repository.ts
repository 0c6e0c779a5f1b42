import { Injectable } from '@nestjs/common';
import { In, LessThan, MoreThan } from 'typeorm';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { withChanges } from './call-limits.js';
import { Delivery, LaneLimit } from './delivery.entity.js';

const IDS_AT_ONCE = 500;

/** The queries for endpoint limits. */
@Injectable()
export class LaneLimitsRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Stores limits and appends their changes. All callers must store in lane order. */
  async note(limits: readonly LaneLimit[]): Promise<void> {
    await this.unitOfWork.run(async () => {
      const known = await this.limits.findBy({ lane: In(limits.map(({ lane }) => lane)) });
      const stored = new Map(known.map(({ lane, changes }) => [lane, changes]));
      const rows = limits.map((limit) => ({
        ...limit,
        changes: withChanges(stored.get(limit.lane) ?? [], limit.changes),
      }));
      await this.limits.upsert(rows, ['lane']);
    }, true);
  }

  find(lane: string): Promise<LaneLimit | null> {
    return this.limits.findOneBy({ lane });
  }

  /** Returns the lanes that are paused at the given time. */
  async listPaused(
    lanes: readonly string[],
    now: number,
  ): Promise<Pick<LaneLimit, 'lane' | 'pausedUntil'>[]> {
    if (lanes.length === 0) return [];
    return this.limits.find({
      select: { lane: true, pausedUntil: true },
      where: { lane: In([...lanes]), pausedUntil: MoreThan(now) },
    });
  }

  /** Counts how many of these deliveries belong to a lane. */
  async countOfLane(ids: readonly string[], lane: string): Promise<number> {
    let count = 0;
    for (let start = 0; start < ids.length; start += IDS_AT_ONCE) {
      const found = await this.unitOfWork.manager.getRepository(Delivery).find({
        select: { id: true, lane: true },
        where: { id: In(ids.slice(start, start + IDS_AT_ONCE)) },
      });
      count += found.filter((delivery) => delivery.lane === lane).length;
    }
    return count;
  }

  /** Deletes up to `limit` rows last recorded before the given time. Returns the number deleted. */
  async deleteBefore(time: number, limit: number): Promise<number> {
    const old = await this.limits.find({
      select: { lane: true },
      where: { notedAt: LessThan(time) },
      order: { notedAt: 'ASC' },
      take: limit,
    });
    if (old.length > 0)
      await this.limits.delete({ lane: In(old.map(({ lane }) => lane)), notedAt: LessThan(time) });
    return old.length;
  }

  private get limits() {
    return this.unitOfWork.manager.getRepository(LaneLimit);
  }
}
