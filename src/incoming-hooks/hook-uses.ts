import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { CommitEngine } from '../platform/database/commits/commit-engine.js';
import { PeriodicTask } from '../platform/database/periodic-task.js';
import type { IncomingHook } from './incoming-hook.entity.js';
import { IncomingHooksRepository } from './incoming-hooks.repository.js';

const INTERVAL_MS = 3_000;
const MAX_PENDING = 10_000;
const FAILURE = 'The last uses of incoming webhooks cannot be stored yet.';

/**
 * Records when hooks were last used. Times are kept in memory and written in batches, so that a post needs no
 * second write. If the process is killed, only the times of the last seconds are lost.
 */
@Injectable()
export class HookUses implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly writes = new PeriodicTask(HookUses.name, FAILURE, () => this.write());
  private pending = new Map<string, number>();
  private writing: ReadonlyMap<string, number> = new Map();

  constructor(
    private readonly repository: IncomingHooksRepository,
    private readonly commits: CommitEngine,
  ) {}

  onApplicationBootstrap(): void {
    this.writes.start(INTERVAL_MS);
  }

  /** Records a use, which is stored within seconds. */
  touch(hookId: string, usedAt: number): void {
    if (usedAt <= (this.pending.get(hookId) ?? 0)) return;
    this.pending.set(hookId, usedAt);
    if (this.pending.size >= MAX_PENDING) void this.writes.run();
  }

  /** Returns the hook with its last use, including uses that are not stored yet. */
  current(hook: IncomingHook): IncomingHook {
    const lastUsed = Math.max(hook.lastUsed, this.pending.get(hook.id) ?? 0, this.writing.get(hook.id) ?? 0);
    return lastUsed === hook.lastUsed ? hook : { ...hook, lastUsed };
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.writes.run();
    await this.writes.run(); // uses recorded during the first run
    await this.writes.stop();
  }

  /** Uses that cannot be stored are retried next time. */
  private async write(): Promise<void> {
    if (this.pending.size === 0) return;
    const uses = this.pending;
    this.writing = uses;
    this.pending = new Map();
    try {
      await this.commits.run(...this.repository.saveUses([...uses]));
    } catch (error) {
      for (const [hookId, usedAt] of uses) this.touch(hookId, usedAt);
      throw error;
    } finally {
      this.writing = new Map();
    }
  }
}
