import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { dialect } from '../../../platform/config/settings.js';
import { CommitEngine } from '../../../platform/database/commits/commit-engine.js';
import type { CommitQueue } from '../../../platform/database/commits/commit-queue.js';
import type { Statement } from '../../../platform/database/statement.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import { LaneTurn } from '../delivery.entity.js';
import type { Turn } from './lane-turns.js';

/** The database time. All processes use it because their machine clocks may differ. */
const NOW = 'CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)';

/** A turn of a lane. */
export type TakenTurn = Pick<LaneTurn, 'lane' | 'epoch'>;

/** A turn to release; no one takes the lane until the pause is over, unless it is woken. */
export interface Release extends TakenTurn {
  readonly pausedMs: number;
}

/** The state of a lane that no process works on. */
interface FreeLane {
  readonly lane: string;
  /** Its last holder did not release it. */
  readonly isAbandoned: boolean;
}

/**
 * Queries on lane turns. MySQL only: with other databases, a single process uses the database. Writes are raw SQL: they
 * compare and set by the database's time, and share commits.
 */
@Injectable()
export class LaneTurnsRepository {
  private readonly commits: CommitQueue<Statement, number>;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    engine: CommitEngine,
  ) {
    this.commits = engine.open({
      name: 'turns of lanes',
      isQuiet: true,
      prepare: (statements) => ({ steps: statements, results: (affected) => affected }),
    });
  }

  /** Takes the lanes that are free, in one statement. Returns those that the holder now has. */
  async take(lanes: readonly string[], holder: string, leaseMs: number): Promise<readonly TakenTurn[]> {
    const sorted = [...lanes].sort(); // all processes lock rows in the same order
    // Each expression yields the same value whether or not the preceding assignments have been applied.
    const isFree = `until <= ${NOW} OR holder = ?`;
    await this.commits.submit({
      sql: `INSERT INTO lane_turns (lane, epoch, holder, until)
        VALUES ${sorted.map(() => `(?, ${NOW}, ?, ${NOW} + ?)`).join(',')}
        ON DUPLICATE KEY UPDATE
          epoch = IF(${isFree}, epoch + 1, epoch),
          holder = IF(${isFree}, ?, holder),
          until = IF(${isFree}, ${NOW} + ?, until)`,
      parameters: [
        ...sorted.flatMap((lane) => [lane, holder, leaseMs]),
        ...[holder, holder, holder, holder, leaseMs],
      ],
    });
    return this.turns.find({ select: { lane: true, epoch: true }, where: { lane: In(sorted), holder } });
  }

  /** Renews all turns of a holder that were not taken over in the meantime. Returns their epochs. */
  async renew(holder: string, leaseMs: number): Promise<ReadonlyMap<string, number>> {
    await this.commits.submit({
      sql: `UPDATE lane_turns SET until = ${NOW} + ? WHERE holder = ?`,
      parameters: [leaseMs, holder],
    });
    const rows = await this.turns.find({ select: { lane: true, epoch: true }, where: { holder } });
    return new Map(rows.map(({ lane, epoch }) => [lane, epoch]));
  }

  /** Releases turns that the holder still has. */
  async release(turns: readonly Release[], holder: string): Promise<void> {
    const plain = turns.filter(({ pausedMs }) => pausedMs === 0);
    const statements = turns.filter(({ pausedMs }) => pausedMs > 0).map((turn) => releaseOf([turn], holder));
    if (plain.length > 0) statements.push(releaseOf(plain, holder));
    await Promise.all(statements.map((statement) => this.commits.submit(statement)));
  }

  /** Ends the pause of a lane that no process works on. Returns whether it was paused. */
  async endPause(lane: string): Promise<boolean> {
    const affected = await this.commits.submit({
      sql: `UPDATE lane_turns SET until = ${NOW} WHERE lane = ? AND holder = '' AND until > ${NOW}`,
      parameters: [lane],
    });
    return affected === 1;
  }

  /** Returns the lanes that no process works on and that may be taken. */
  async listFree(lanes: readonly string[]): Promise<FreeLane[]> {
    if (lanes.length === 0) return [];
    const rows = await this.turns
      .createQueryBuilder('turn')
      .select('turn.lane', 'lane')
      .addSelect('turn.holder', 'holder')
      .addSelect(`turn.until > ${NOW}`, 'isTaken')
      .where({ lane: In([...lanes]) })
      .getRawMany<{ lane: string; holder: string; isTaken: number | string }>();
    const known = new Map(rows.map((row) => [row.lane, row]));
    return lanes.flatMap((lane) => {
      const row = known.get(lane);
      return Number(row?.isTaken ?? 0) === 1 ? [] : [{ lane, isAbandoned: (row?.holder ?? '') !== '' }];
    });
  }

  /** The processes that work on these lanes. */
  async holdersOf(lanes: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (lanes.length === 0) return new Map();
    const turns = await this.running()
      .andWhere({ lane: In([...lanes]) })
      .getMany();
    return new Map(turns.map(({ lane, holder }) => [lane, holder]));
  }

  /** All processes that work on a lane. */
  async listHolders(): Promise<string[]> {
    const turns = this.running().select('DISTINCT turn.holder', 'holder');
    return (await turns.getRawMany<Pick<LaneTurn, 'holder'>>()).map(({ holder }) => holder);
  }

  /** Deletes turns that ended at least `agoMs` ago. Their lanes restart with a higher epoch. */
  async deleteEnded(agoMs: number, limit: number): Promise<number> {
    const rows = await this.turns
      .createQueryBuilder('turn')
      .select('turn.lane')
      .where(`turn.holder = '' AND turn.until < ${NOW} - :agoMs`, { agoMs })
      .limit(limit)
      .getMany();
    if (rows.length === 0) return 0;
    await this.commits.submit({
      sql: `DELETE FROM lane_turns WHERE lane IN (${marks(rows)}) AND holder = '' AND until < ${NOW} - ?`,
      parameters: [...rows.map(({ lane }) => lane), agoMs],
    });
    return rows.length;
  }

  private running() {
    return this.turns.createQueryBuilder('turn').where(`turn.holder <> '' AND turn.until > ${NOW}`);
  }

  private get turns() {
    return this.unitOfWork.manager.getRepository(LaneTurn);
  }
}

function releaseOf(turns: readonly Release[], holder: string): Statement {
  return {
    sql: `UPDATE lane_turns SET holder = '', until = ${NOW} + ? WHERE holder = ? AND (lane, epoch) IN (${turns.map(() => '(?,?)').join(',')})`,
    parameters: [turns[0]?.pausedMs ?? 0, holder, ...turns.flatMap(({ lane, epoch }) => [lane, epoch])],
  };
}

function marks(values: readonly unknown[]): string {
  return values.map(() => '?').join(',');
}

/** A change to a delivery made during a turn of its lane. */
interface Fenced {
  readonly turn: Turn;
  readonly delivery: { readonly lane: string };
}

const NO_FENCE: Statement = { sql: '', parameters: [] };

/**
 * Appended to the WHERE clause of a statement on `deliveries`: the turns or leases of all these changes are still in
 * force. Empty if one process has all lanes. A process takes no new turn of a lane while calls of an
 * earlier one are running, so each lane has one epoch.
 */
export function fenceOf(changes: readonly Fenced[]): Statement {
  const leases = leasesOf(changes);
  if (leases.length > 0)
    return {
      sql: ` AND EXISTS (SELECT 1 FROM delivery_leases WHERE delivery_leases.delivery_id = deliveries.id
        AND delivery_leases.id IN (${marks(leases)}))`,
      parameters: leases,
    };
  const epochs = lanesOf(changes);
  if (epochs.size === 0) return NO_FENCE;
  const pairs = Array.from(epochs, () => '(?,?)').join(',');
  return {
    sql: ` AND EXISTS (SELECT 1 FROM lane_turns WHERE lane_turns.lane = deliveries.lane
      AND (lane_turns.lane, lane_turns.epoch) IN (${pairs}))`,
    parameters: [...epochs].flat(),
  };
}

/** A FROM clause yielding one row only while a turn or lease is in force. Undefined if one process has all lanes. */
export function isInForce({ turn, delivery }: Fenced): Statement | undefined {
  if (turn.lease !== undefined) return { sql: 'delivery_leases WHERE id = ?', parameters: [turn.lease] };
  if (turn.epoch === undefined) return undefined;
  return {
    sql: 'lane_turns WHERE lane = ? AND epoch = ?',
    parameters: [delivery.lane, turn.epoch],
  };
}

/** Locks turns and leases until the end of the transaction, so that all its statements see the same state. */
export function holdTurns(changes: readonly Fenced[]): Statement[] {
  const lanes = [...lanesOf(changes).keys()].sort();
  const leases = dialect === 'mysql' ? [...leasesOf(changes)].sort() : [];
  const locks = [
    [`SELECT lane FROM lane_turns WHERE lane IN (${marks(lanes)}) FOR UPDATE`, lanes],
    [`SELECT id FROM delivery_leases WHERE id IN (${marks(leases)}) FOR UPDATE`, leases],
  ] as const;
  return locks.flatMap(([sql, parameters]) => (parameters.length === 0 ? [] : { sql, parameters }));
}

/** Ends the leases of these changes. */
export function endLeases(changes: readonly Fenced[]): Statement[] {
  const leases = leasesOf(changes);
  if (leases.length === 0) return [];
  return [{ sql: `DELETE FROM delivery_leases WHERE id IN (${marks(leases)})`, parameters: leases }];
}

function leasesOf(changes: readonly Fenced[]): string[] {
  return changes.flatMap(({ turn }) => turn.lease ?? []);
}

function lanesOf(changes: readonly Fenced[]): Map<string, number> {
  const epochs = new Map<string, number>();
  for (const { turn, delivery } of changes)
    if (turn.epoch !== undefined) epochs.set(delivery.lane, turn.epoch);
  return epochs;
}
