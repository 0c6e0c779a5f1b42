import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import type { IncomingHook } from './incoming-hook.entity.js';
import { IncomingHooksRepository } from './incoming-hooks.repository.js';

const FLUSH_AFTER_MS = 3_000;
const MAX_PENDING = 10_000;

/**
 * When hooks were used last. Kept in memory and written in batches, so that posting costs no second write; a process
 * that is killed loses the last seconds of it, and nothing else.
 */
@Injectable()
export class HookUses implements BeforeApplicationShutdown {
  private readonly logger = new Logger(HookUses.name);
  private pending = new Map<string, number>();
  private writing: ReadonlyMap<string, number> = new Map();
  private flushing: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isFailing = false;

  constructor(
    private readonly repository: IncomingHooksRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  touch(hookId: string, usedAt: number): void {
    if (usedAt <= (this.pending.get(hookId) ?? 0)) return;
    this.pending.set(hookId, usedAt);
    this.timer ??= setTimeout(() => void this.flush(), FLUSH_AFTER_MS).unref();
    if (this.pending.size >= MAX_PENDING) void this.flush();
  }

  /** The hook with its last use as it is known now, be it stored yet or not. */
  current(hook: IncomingHook): IncomingHook {
    const lastUsed = Math.max(hook.lastUsed, this.pending.get(hook.id) ?? 0, this.writing.get(hook.id) ?? 0);
    return lastUsed === hook.lastUsed ? hook : { ...hook, lastUsed };
  }

  /** Stores what is in memory. Never throws: what could not be stored is tried again later. */
  flush(): Promise<void> {
    this.flushing ??= this.write().finally(() => (this.flushing = undefined));
    return this.flushing;
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.flushing;
    await this.flush();
    clearTimeout(this.timer);
  }

  private async write(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.pending.size === 0) return;
    const uses = this.pending;
    this.writing = uses;
    this.pending = new Map();
    try {
      await this.unitOfWork.run(() => this.repository.saveUses([...uses]));
      this.isFailing = false;
    } catch (error) {
      const reason = error instanceof Error ? error.name : 'unknown';
      if (!this.isFailing)
        this.logger.warn(`The last uses of incoming webhooks could not be stored yet: ${reason}.`);
      this.isFailing = true;
      for (const [hookId, usedAt] of uses) this.touch(hookId, usedAt);
    } finally {
      this.writing = new Map();
    }
  }
}
