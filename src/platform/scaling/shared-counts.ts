import { Injectable } from '@nestjs/common';
import type { JsonObject } from '../common/json.js';
import { SecretBox } from '../secrets/secret-box.js';
import { Bus } from './bus.js';
import { SharedCount } from './shared-count.js';

const TOPIC = 'counts';

/**
 * Counts over all processes that serve the database: each tells the others of what it counts, and counts theirs as its own.
 * While Redis is away each counts alone; one that starts counts from then on. The others never see a key, only its hash.
 */
@Injectable()
export class SharedCounts {
  private readonly counts = new Map<string, SharedCount>();

  constructor(
    private readonly bus: Bus,
    private readonly secrets: SecretBox,
  ) {
    bus.subscribe(TOPIC, (message) => this.take(message));
  }

  /** The count of that name, which is the same in every process. */
  open(name: string, maxKeys?: number): SharedCount {
    if (this.counts.has(name)) throw new Error(`The count ${name} is open already.`);
    const { bus, secrets } = this;
    const place = { table: 'counts', column: name, id: '' };
    const count = bus.hasOthers
      ? new SharedCount(
          (key) => secrets.hash(key, place),
          (change) => bus.publish(TOPIC, { name, ...change }),
          maxKeys,
        )
      : new SharedCount(undefined, undefined, maxKeys);
    this.counts.set(name, count);
    return count;
  }

  private take({ name, noted, windowMs, at, cleared }: JsonObject): void {
    const count = typeof name === 'string' ? this.counts.get(name) : undefined;
    if (typeof cleared === 'string') count?.takeClear(cleared);
    else if (typeof noted === 'string' && typeof windowMs === 'number' && typeof at === 'number')
      count?.takeNote(noted, windowMs, at);
  }
}
