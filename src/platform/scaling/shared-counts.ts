import { Injectable } from '@nestjs/common';
import type { JsonObject } from '../common/json.js';
import { SecretBox } from '../secrets/secret-box.js';
import { Bus } from './bus.js';

/** The maximum number of events per key within a time window. */
export interface Allowance {
  readonly max: number;
  readonly windowMs: number;
}

const MAX_KEYS = 50_000;

/** The message to other processes, by the hash of a key. */
type CountChange =
  { readonly noted: string; readonly windowMs: number; readonly at: number } | { readonly cleared: string };

/**
 * Counts events by key across all processes, in windows that start with the first event. Evicts the oldest of
 * too many keys. Open one with `SharedCounts`.
 */
export class SharedCount {
  private readonly windows = new Map<string, { count: number; endsAt: number }>();

  /** `nameOf`: the names of the keys in messages. `tell` sends a change to the other processes. */
  constructor(
    private readonly nameOf: (key: string) => string,
    private readonly tell: (change: CountChange) => void,
    private readonly maxKeys = MAX_KEYS,
  ) {}

  waitMs(key: string, { max }: Allowance, now: number): number {
    const window = this.windows.get(this.nameOf(key));
    return window && window.count >= max ? Math.max(0, window.endsAt - now) : 0;
  }

  note(key: string, { windowMs }: Allowance, now: number): number {
    const noted = this.nameOf(key);
    this.tell({ noted, windowMs, at: now });
    return this.add(noted, windowMs, now);
  }

  /** When the window ends, the same in all processes once they have exchanged counts; 0 without a window. */
  endsAt(key: string): number {
    return this.windows.get(this.nameOf(key))?.endsAt ?? 0;
  }

  clear(key: string): void {
    const cleared = this.nameOf(key);
    this.tell({ cleared });
    this.windows.delete(cleared);
  }

  /** Applies a change of another process. */
  take({ noted, windowMs, at, cleared }: JsonObject): void {
    if (typeof cleared === 'string') this.windows.delete(cleared);
    else if (typeof noted === 'string' && typeof windowMs === 'number' && typeof at === 'number')
      this.add(noted, windowMs, at);
  }

  private add(name: string, windowMs: number, now: number): number {
    const window = this.windows.get(name);
    if (window && window.endsAt > now) {
      window.endsAt = Math.min(window.endsAt, now + windowMs); // another process may report late
      return ++window.count;
    }
    this.windows.delete(name);
    this.windows.set(name, { count: 1, endsAt: now + windowMs });
    const [oldest] = this.windows.keys();
    if (this.windows.size > this.maxKeys && oldest !== undefined) this.windows.delete(oldest);
    return 1;
  }
}

const TOPIC = 'counts';

/**
 * Counts across all processes that share the database: each broadcasts its events and counts those of others.
 * While Redis is down, each counts alone; a new one starts at zero. Keys are sent only as hashes.
 */
@Injectable()
export class SharedCounts {
  private readonly counts = new Map<string, SharedCount>();

  constructor(
    private readonly bus: Bus,
    private readonly secrets: SecretBox,
  ) {
    bus.subscribe(TOPIC, (message) => this.counts.get(String(message['name']))?.take(message));
  }

  /** Opens the count with this name, which is the same in every process. */
  open(name: string, maxKeys?: number): SharedCount {
    if (this.counts.has(name)) throw new Error(`The count ${name} is open already.`);
    const { bus, secrets } = this;
    const place = { table: 'counts', column: name, id: '' };
    const count = new SharedCount(
      (key) => (bus.hasOthers ? secrets.hash(key, place) : key),
      (change) => bus.publish(TOPIC, { name, ...change }),
      maxKeys,
    );
    this.counts.set(name, count);
    return count;
  }
}
