import { Injectable } from '@nestjs/common';
import { And, In, LessThan, MoreThanOrEqual } from 'typeorm';
import { dialect } from '../../platform/config/settings.js';
import { execute, type Statement } from '../../platform/database/statement.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { COUNT_COLUMNS, type Counts, OUTCOMES } from './counts.js';
import { DeliveryStat } from './delivery-stat.entity.js';

const KEY = 'subject, step_seconds, start_at';
const INTO = `INSERT INTO delivery_stats (${KEY}, ${COUNT_COLUMNS.join(', ')}) VALUES`;
const GROUP = `(?, ?, ?${', ?'.repeat(COUNT_COLUMNS.length)})`;
/** Raw SQL, because TypeORM's upsert replaces values and cannot add to them. */
const ADDED =
  dialect === 'mysql'
    ? `ON DUPLICATE KEY UPDATE ${COUNT_COLUMNS.map((name) => `${name} = ${name} + VALUES(${name})`).join(', ')}`
    : `ON CONFLICT (${KEY}) DO UPDATE SET ${COUNT_COLUMNS.map((name) => `${name} = ${name} + excluded.${name}`).join(', ')}`;

const FAILED = OUTCOMES.filter((name) => name.startsWith('failed_'))
  .map((name) => `stat.${name}`)
  .join(' + ');

export interface OutcomeQuery {
  readonly subjects: readonly string[];
  readonly storedSeconds: number;
  /** The length of a point: one or more stored spans. */
  readonly stepSeconds: number;
  readonly from: number;
  readonly before: number;
}

export interface Outcomes {
  readonly subject: string;
  readonly startAt: number;
  readonly delivered: number;
  readonly failed: number;
}

export interface CountedSpan extends DeliveryStat {
  readonly counts: Counts;
}

/** Queries for delivery statistics. */
@Injectable()
export class DeliveryStatsRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Adds to the stored counts atomically. All callers must use the same key order to avoid deadlocks. */
  async add(spans: readonly CountedSpan[]): Promise<void> {
    // One statement per row on SQLite, a single one on MySQL, like insertStatements.
    const groups = dialect === 'sqlite' ? spans.map((span) => [span]) : [spans];
    await this.unitOfWork.run(async ({ manager }) => {
      for (const group of groups) await execute(manager, additionOf(group));
    }, true);
  }

  async list(
    subject: string,
    stepSeconds: number,
    from: number,
    before: number,
  ): Promise<Pick<CountedSpan, 'startAt' | 'counts'>[]> {
    const spans = await this.stats.find({
      where: { subject, stepSeconds, startAt: And(MoreThanOrEqual(from), LessThan(before)) },
      order: { startAt: 'ASC' },
    });
    return spans.map((span) => ({
      startAt: span.startAt,
      counts: COUNT_COLUMNS.map((name) => (span as unknown as Record<string, number>)[name] ?? 0),
    }));
  }

  async listOutcomes({
    subjects,
    storedSeconds,
    stepSeconds,
    from,
    before,
  }: OutcomeQuery): Promise<Outcomes[]> {
    if (subjects.length === 0) return [];
    const rows = await this.stats
      .createQueryBuilder('stat')
      .select('stat.subject', 'subject')
      .addSelect('stat.startAt - stat.startAt % :stepMs', 'point_at')
      .addSelect('SUM(stat.delivered)', 'delivered')
      .addSelect(`SUM(${FAILED})`, 'failed')
      .where({ subject: In([...subjects]), stepSeconds: storedSeconds })
      .andWhere('stat.startAt >= :from AND stat.startAt < :before')
      .setParameters({ stepMs: stepSeconds * 1_000, from, before })
      .groupBy('stat.subject')
      .addGroupBy('point_at')
      .getRawMany<Record<'subject' | 'point_at' | 'delivered' | 'failed', number | string>>();
    return rows.map((row) => ({
      subject: String(row.subject),
      startAt: Number(row.point_at),
      delivered: Number(row.delivered),
      failed: Number(row.failed),
    }));
  }

  /** Deletes up to `limit` spans of this length that began before `time`. Returns the number deleted. */
  async deleteBefore(stepSeconds: number, time: number, limit: number): Promise<number> {
    const old = await this.stats.find({
      select: { subject: true, startAt: true },
      where: { stepSeconds, startAt: LessThan(time) },
      order: { startAt: 'ASC' },
      take: limit,
    });
    for (const startAt of new Set(old.map((span) => span.startAt))) {
      const subjects = old.filter((span) => span.startAt === startAt).map(({ subject }) => subject);
      await this.stats.delete({ subject: In(subjects), stepSeconds, startAt });
    }
    return old.length;
  }

  private get stats() {
    return this.unitOfWork.manager.getRepository(DeliveryStat);
  }
}

function additionOf(spans: readonly CountedSpan[]): Statement {
  return {
    sql: `${INTO} ${spans.map(() => GROUP).join(', ')} ${ADDED}`,
    parameters: spans.flatMap(({ subject, stepSeconds, startAt, counts }) => [
      subject,
      stepSeconds,
      startAt,
      ...counts,
    ]),
  };
}
