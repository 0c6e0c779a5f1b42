import { Injectable } from '@nestjs/common';
import { StatusesService } from '../../users/statuses/statuses.service.js';

/**
 * Tells the statuses who has come and who has gone. It looks once the event loop has turned: a client that replaces
 * its connection does neither.
 */
@Injectable()
export class LivePresence {
  private readonly present = new Set<string>();
  private readonly noted = new Map<string, () => boolean>();

  constructor(private readonly statuses: StatusesService) {}

  /** Something about the user's sockets has changed; `isPresent` is asked later. */
  note(userId: string, isPresent: () => boolean): void {
    if (this.noted.size === 0) setImmediate(() => this.tell());
    this.noted.set(userId, isPresent);
  }

  private tell(): void {
    const noted = [...this.noted];
    this.noted.clear();
    for (const [userId, isPresent] of noted) {
      const isNow = isPresent();
      if (isNow === this.present.has(userId)) continue;
      if (isNow) this.present.add(userId);
      else this.present.delete(userId);
      this.statuses.observe(userId, isNow ? 'online' : 'offline');
    }
  }
}
