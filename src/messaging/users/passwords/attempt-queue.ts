import { BoundedLimit } from '../../../platform/common/bounded-limit.js';
import { PasswordQueueFull } from '../users.errors.js';

const MAX_WAITING = 100;

/** Runs attempts of one account, or from one address, one after the other: each is counted before the next is looked at. */
export class AttemptQueue {
  private readonly limits = new Map<string, BoundedLimit>();

  /** Throws PasswordQueueFull when too many attempts of `key` wait. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const limit = this.limits.get(key) ?? new BoundedLimit(1, MAX_WAITING, () => new PasswordQueueFull());
    this.limits.set(key, limit);
    try {
      return await limit.run(work);
    } finally {
      if (limit.size === 0) this.limits.delete(key);
    }
  }
}
