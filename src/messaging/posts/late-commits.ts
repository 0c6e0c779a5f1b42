import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import { stackOf } from '../../platform/common/errors/stack-of.js';
import { CommitEngine } from '../../platform/database/commits/commit-engine.js';
import { isDatabaseUnavailable } from '../../platform/database/database-errors.js';
import { OwnerLock } from '../../platform/database/owner-lock.js';

/** How far lists of changes reach back, since changes may be committed out of order. */
export const LATE_MS = 2_000;
/** A commit slower than this may be missed by clients: LATE_MS minus an allowance for clock skew. */
const MAX_COMMIT_MS = 1_500;
const PAUSE_MS = 250;
const MAX_BATCH_SIZE = 200;
/** Above this, the database has long been slow; clients find missed changes when they reload a channel. */
const MAX_LATE = 20_000;

/**
 * Sets a later `update_at` on posts whose change was committed late, in a separate commit, and repeats this
 * if that commit is late too. Clients that list changes since a later time then still find them.
 */
@Injectable()
export class LateCommits implements OnApplicationShutdown {
  private readonly logger = new Logger(LateCommits.name);
  private readonly late = new Set<string>();
  private readonly commits: ReturnType<CommitEngine['openChanges']>;
  private working: Promise<void> | undefined;
  private isStopped = false;

  constructor(
    private readonly clock: Clock,
    private readonly ownerLock: OwnerLock,
    engine: CommitEngine,
  ) {
    this.commits = engine.openChanges('times of late posts');
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    await this.working;
  }

  /** Call it after a commit with the time of the changes and the IDs of all changed posts. */
  committed(changedAt: number, ids: Iterable<string>): void {
    if (this.ownerLock.slot === undefined || this.clock.now() - changedAt <= MAX_COMMIT_MS) return;
    for (const id of ids) if (this.late.size < MAX_LATE) this.late.add(id);
    if (this.late.size > 0) this.working ??= this.work();
  }

  private async work(): Promise<void> {
    while (this.late.size > 0 && !this.isStopped) {
      const ids = [...this.late].slice(0, MAX_BATCH_SIZE);
      for (const id of ids) this.late.delete(id);
      if (await this.renew(ids)) continue;
      for (const id of ids) this.late.add(id); // at the end of the queue
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS).unref());
    }
    this.working = undefined;
  }

  /** Returns false if the commit was late again or the database is unavailable. */
  private async renew(ids: readonly string[]): Promise<boolean> {
    const now = this.clock.now();
    try {
      const list = ids.map(() => '?').join(',');
      const sql = `UPDATE posts SET update_at = ? WHERE id IN (${list}) AND update_at < ?`;
      await this.commits.submit([{ sql, parameters: [now, ...ids, now] }]);
      return this.clock.now() - now <= MAX_COMMIT_MS;
    } catch (error) {
      if (isDatabaseUnavailable(error)) return false;
      this.logger.error('Posts of a late commit cannot be marked as changed.', stackOf(error));
      return true;
    }
  }
}
