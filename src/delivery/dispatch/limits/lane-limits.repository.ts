import { Injectable } from '@nestjs/common';
import { In, LessThan, MoreThan } from 'typeorm';
import { dialect } from '../../../platform/config/settings.js';
import { execute } from '../../../platform/database/statement.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import { Delivery } from '../delivery.entity.js';
import { LaneLimit } from './lane-limit.entity.js';
import { withChanges } from './limit-change.js';

const COLUMNS = ['calls_limit', 'standing', 'paused_until', 'noted_at', 'changes'];
const INTO = `INSERT INTO lane_limits (lane, ${COLUMNS.join(', ')}) VALUES (?${', ?'.repeat(COLUMNS.length)})`;
const REPLACED =
  dialect === 'mysql'
    ? `ON DUPLICATE KEY UPDATE ${COLUMNS.map((name) => `${name} = VALUES(${name})`).join(', ')}`
    : `ON CONFLICT (lane) DO UPDATE SET ${COLUMNS.map((name) => `${name} = excluded.${name}`).join(', ')}`;
const IDS_AT_ONCE = 500;

/** The queries for endpoint limits. */
@Injectable()
export class LaneLimitsRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Stores limits and appends their changes. All callers must store in lane order. */
  async note(limits: readonly LaneLimit[]): Promise<void> {
    await this.unitOfWork.run(async ({ manager }) => {
      const known = await this.limits.findBy({ lane: In(limits.map(({ lane }) => lane)) });
      const stored = new Map(known.map(({ lane, changes }) => [lane, changes]));
      for (const { lane, callsLimit, standing, pausedUntil, notedAt, changes } of limits) {
        const all = JSON.stringify(withChanges(stored.get(lane) ?? [], changes));
        await execute(manager, {
          sql: `${INTO} ${REPLACED}`,
          parameters: [lane, callsLimit, standing, pausedUntil, notedAt, all],
        });
      }
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
