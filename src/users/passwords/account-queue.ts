import { PasswordQueueFull } from '../users.errors.js';

const MAX_WAITING = 100;

/** Runs what concerns one account one after the other, so that attempts at its password are counted before the next. */
export class AccountQueue {
  private readonly tails = new Map<string, { tail: Promise<unknown>; length: number }>();

  async run<T>(account: string, work: () => Promise<T>): Promise<T> {
    const queue = this.tails.get(account) ?? { tail: Promise.resolve(), length: 0 };
    if (queue.length >= MAX_WAITING) throw new PasswordQueueFull();
    this.tails.set(account, queue);
    queue.length++;
    const mine = queue.tail.then(work);
    queue.tail = mine.catch(() => undefined);
    try {
      return await mine;
    } finally {
      queue.length--;
      if (queue.length === 0) this.tails.delete(account);
    }
  }
}
