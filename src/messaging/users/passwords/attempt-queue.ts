import { BoundedLimit } from '../../../platform/common/bounded-limit.js';
import { addressBusy } from '../users.errors.js';

const MAX_WAITING = 100;

/** Runs attempts with the same key one at a time, so that each is counted before the next is checked. */
export class AttemptQueue {
  private readonly limits = new Map<string, BoundedLimit>();

  /** Throws `addressBusy` if too many attempts with this key are waiting. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const limit = this.limits.get(key) ?? new BoundedLimit(1, MAX_WAITING, () => addressBusy(MAX_WAITING));
    this.limits.set(key, limit);
    try {
      return await limit.run(work);
    } finally {
      if (limit.size === 0) this.limits.delete(key);
    }
  }
}
