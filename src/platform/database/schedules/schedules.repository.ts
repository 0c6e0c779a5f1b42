import type { CommitEngine } from '../commits/commit-engine.js';
import type { UnitOfWork } from '../unit-of-work.js';

/** A stored schedule. */
export interface StoredSchedule {
  readonly nextAt: number;
  readonly runner: string;
}

/** Queries on schedules. MySQL only, since only there can several processes share a database. */
export class SchedulesRepository {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly engine: CommitEngine,
  ) {}

  /** The schedule with this name; created as due if missing. */
  async get(name: string): Promise<StoredSchedule> {
    const known = await this.find(name);
    if (known) return known;
    await this.engine.run({
      sql: `INSERT IGNORE INTO schedules (name, next_at, runner) VALUES (?, 0, '')`,
      parameters: [name],
    });
    return (await this.find(name)) ?? { nextAt: 0, runner: '' };
  }

  /** Claims the next run. Returns false if another process has already claimed it. */
  async claim(name: string, { nextAt }: StoredSchedule, next: StoredSchedule): Promise<boolean> {
    const [affected] = await this.engine.run({
      sql: 'UPDATE schedules SET next_at = ?, runner = ? WHERE name = ? AND next_at = ?',
      parameters: [next.nextAt, next.runner, name, nextAt],
    });
    return affected === 1;
  }

  private async find(name: string): Promise<StoredSchedule | undefined> {
    const [row] = await this.unitOfWork.manager.query<{ next_at: number | string; runner: string }[]>(
      'SELECT next_at, runner FROM schedules WHERE name = ?',
      [name],
    );
    return row && { nextAt: Number(row.next_at), runner: row.runner };
  }
}
