import type { CommitEngine } from '../../../platform/database/commits/commit-engine.js';
import type { CommitQueue } from '../../../platform/database/commits/commit-queue.js';
import type { Statement } from '../../../platform/database/statement.js';
import type { UnitOfWork } from '../../../platform/database/unit-of-work.js';

/** The time of the database, by which all processes measure: those of their machines may differ. */
const NOW = 'CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)';

/** A turn that was asked for: taken with an epoch, or not for so long. */
export type TakenTurn =
  | { readonly lane: string; readonly epoch: number }
  | { readonly lane: string; readonly epoch: undefined; readonly freeInMs: number };

/** A turn to release; nobody takes the lane before the pause is over, unless it is woken. */
export interface Release {
  readonly lane: string;
  readonly epoch: number;
  readonly pausedMs: number;
}

/** What the table says of a lane that nobody works on. */
export interface FreeLane {
  readonly lane: string;
  /** Its last holder has not released it. */
  readonly isAbandoned: boolean;
}

/** The queries on the turns of lanes. MySQL only, as only there several processes serve one database. */
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

  /** Takes the lanes that are free, in one statement. The others stay with whoever has them. */
  async take(lanes: readonly string[], holder: string, leaseMs: number): Promise<readonly TakenTurn[]> {
    const sorted = [...lanes].sort(); // everyone locks rows in the same order
    // Each value is the same whether the assignments before it have taken effect or not.
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
    const rows = await this.query<{ lane: string; epoch: number; holder: string; left_ms: number }>(
      `SELECT lane, epoch, holder, until - ${NOW} AS left_ms FROM lane_turns WHERE lane IN (${marks(sorted)})`,
      sorted,
    );
    return rows.map(({ lane, epoch, holder: has, left_ms }) =>
      has === holder
        ? { lane, epoch: Number(epoch) }
        : { lane, epoch: undefined, freeInMs: Math.max(0, Number(left_ms)) },
    );
  }

  /** Renews all turns of a holder that nobody has taken meanwhile. Returns their epochs. */
  async renew(holder: string, leaseMs: number): Promise<ReadonlyMap<string, number>> {
    await this.commits.submit({
      sql: `UPDATE lane_turns SET until = ${NOW} + ? WHERE holder = ?`,
      parameters: [leaseMs, holder],
    });
    const rows = await this.query<{ lane: string; epoch: number }>(
      'SELECT lane, epoch FROM lane_turns WHERE holder = ?',
      [holder],
    );
    return new Map(rows.map(({ lane, epoch }) => [lane, Number(epoch)]));
  }

  /** Releases turns, as far as they are still the holder's. */
  async release(turns: readonly Release[], holder: string): Promise<void> {
    const plain = turns.filter(({ pausedMs }) => pausedMs === 0);
    const statements = turns.filter(({ pausedMs }) => pausedMs > 0).map((turn) => releaseOf([turn], holder));
    if (plain.length > 0) statements.push(releaseOf(plain, holder));
    await Promise.all(statements.map((statement) => this.commits.submit(statement)));
  }

  /** Ends the pause of a lane that nobody works on. Returns whether it had one. */
  async endPause(lane: string): Promise<boolean> {
    const affected = await this.commits.submit({
      sql: `UPDATE lane_turns SET until = ${NOW} WHERE lane = ? AND holder = '' AND until > ${NOW}`,
      parameters: [lane],
    });
    return affected === 1;
  }

  /** Those of the lanes that nobody works on, and that may be taken. */
  async listFree(lanes: readonly string[]): Promise<FreeLane[]> {
    if (lanes.length === 0) return [];
    const rows = await this.query<{ lane: string; holder: string; is_taken: number }>(
      `SELECT lane, holder, until > ${NOW} AS is_taken FROM lane_turns WHERE lane IN (${marks(lanes)})`,
      lanes,
    );
    const known = new Map(rows.map((row) => [row.lane, row]));
    return lanes.flatMap((lane) => {
      const row = known.get(lane);
      return Number(row?.is_taken ?? 0) === 1 ? [] : [{ lane, isAbandoned: (row?.holder ?? '') !== '' }];
    });
  }

  /** The processes that work on these lanes. */
  async holdersOf(lanes: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (lanes.length === 0) return new Map();
    const rows = await this.query<{ lane: string; holder: string }>(
      `SELECT lane, holder FROM lane_turns WHERE holder <> '' AND until > ${NOW} AND lane IN (${marks(lanes)})`,
      lanes,
    );
    return new Map(rows.map(({ lane, holder }) => [lane, holder]));
  }

  /** All processes that work on a lane. */
  async listHolders(): Promise<string[]> {
    const rows = await this.query<{ holder: string }>(
      `SELECT DISTINCT holder FROM lane_turns WHERE holder <> '' AND until > ${NOW}`,
      [],
    );
    return rows.map(({ holder }) => holder);
  }

  /** Deletes turns that ended so long ago. Their lanes begin anew, with a higher epoch. */
  async deleteEnded(agoMs: number, limit: number): Promise<number> {
    const isOld = `holder = '' AND until < ${NOW} - ?`;
    const rows = await this.query<{ lane: string }>(
      `SELECT lane FROM lane_turns WHERE ${isOld} LIMIT ${limit}`,
      [agoMs],
    );
    if (rows.length === 0) return 0;
    await this.commits.submit({
      sql: `DELETE FROM lane_turns WHERE lane IN (${marks(rows)}) AND ${isOld}`,
      parameters: [...rows.map(({ lane }) => lane), agoMs],
    });
    return rows.length;
  }

  private query<Row>(sql: string, parameters: readonly unknown[]): Promise<Row[]> {
    return this.unitOfWork.manager.query<Row[]>(sql, [...parameters]);
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
