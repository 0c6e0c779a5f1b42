import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import { stackOf } from '../../platform/common/errors/stack-of.js';
import { CommitEngine } from '../../platform/database/commits/commit-engine.js';
import { isDatabaseUnavailable } from '../../platform/database/database-errors.js';
import { OwnerLock } from '../../platform/database/owner-lock.js';
import type { Statement } from '../../platform/database/statement.js';

/** Lists of changes since a time begin so much earlier: a change may be committed after a later one. */
export const LATE_MS = 2_000;
/** A commit that ends so long after the time of its change may be overlooked: the above, less what clocks may differ. */
const MAX_COMMIT_MS = 1_500;
const RETRY_MS = 250;
const RENEWED_TOGETHER = 500;

/**
 * Gives changes of posts whose commit was held up a later `update_at`, in a commit of its own, and again if that is held up
 * too: a client that lists changes since a later time, and has not seen them, finds them then.
 */
@Injectable()
export class LateCommits implements OnApplicationShutdown {
  private readonly logger = new Logger(LateCommits.name);
  private readonly late = new Set<string>();
  private working: Promise<void> | undefined;
  private isStopped = false;

  constructor(
    private readonly clock: Clock,
    private readonly engine: CommitEngine,
    private readonly ownerLock: OwnerLock,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    await this.working;
  }

  /** Call it after the commit of changes whose time was `changedAt`, with the ids of all posts that they have changed. */
  committed(changedAt: number, ids: Iterable<string>): void {
    if (this.ownerLock.slot === undefined || this.clock.now() - changedAt <= MAX_COMMIT_MS) return;
    for (const id of ids) this.late.add(id);
    if (this.late.size > 0) this.working ??= this.work();
  }

  private async work(): Promise<void> {
    while (this.late.size > 0 && !this.isStopped) await this.renew([...this.late].slice(0, RENEWED_TOGETHER));
    this.working = undefined;
  }

  private async renew(ids: readonly string[]): Promise<void> {
    const now = this.clock.now();
    try {
      await this.engine.run(renewal(ids, now));
      if (this.clock.now() - now > MAX_COMMIT_MS) return;
    } catch (error) {
      if (isDatabaseUnavailable(error))
        return new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref());
      this.logger.error('Posts of a late commit cannot be marked as changed.', stackOf(error));
    }
    for (const id of ids) this.late.delete(id);
  }
}

function renewal(ids: readonly string[], now: number): Statement {
  const list = ids.map(() => '?').join(',');
  return {
    sql: `UPDATE posts SET update_at = ? WHERE id IN (${list}) AND update_at < ?`,
    parameters: [now, ...ids, now],
  };
}
