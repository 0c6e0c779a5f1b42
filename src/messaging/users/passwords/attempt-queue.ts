import { PasswordQueueFull } from '../users.errors.js';

const MAX_WAITING = 100;

/** Runs attempts of one account, or from one address, one after the other: each is counted before the next is looked at. */
export class AttemptQueue {
  private readonly queues = new Map<string, { tail: Promise<unknown>; length: number }>();

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const queue = this.queues.get(key) ?? { tail: Promise.resolve(), length: 0 };
    if (queue.length >= MAX_WAITING) throw new PasswordQueueFull();
    this.queues.set(key, queue);
    queue.length++;
    const mine = queue.tail.then(work);
    queue.tail = mine.catch(() => undefined);
    try {
      return await mine;
    } finally {
      queue.length--;
      if (queue.length === 0) this.queues.delete(key);
    }
  }
}
