import { Injectable } from '@nestjs/common';
import { StatusesService } from '../../users/statuses/statuses.service.js';

/**
 * Reports who comes online and goes offline. It checks in the next turn of the event loop, so that a client that
 * replaces its connection causes no report.
 */
@Injectable()
export class LivePresence {
  private readonly present = new Set<string>();
  private readonly noted = new Map<string, () => boolean>();

  constructor(private readonly statuses: StatusesService) {}

  /** Call it when the user's sockets change; `isPresent` is called later. */
  note(userId: string, isPresent: () => boolean): void {
    if (this.noted.size === 0) setImmediate(() => this.report());
    this.noted.set(userId, isPresent);
  }

  private report(): void {
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
