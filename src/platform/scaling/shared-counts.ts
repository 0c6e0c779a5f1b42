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

/** Counts events by key, in windows that start with the first event. Evicts the oldest of too many keys. */
export class EventCounts {
  private readonly windows = new Map<string, { count: number; endsAt: number }>();

  constructor(private readonly maxKeys = MAX_KEYS) {}

  waitMs(key: string, { max }: Allowance, now: number): number {
    const window = this.windows.get(key);
    return window && window.count >= max ? Math.max(0, window.endsAt - now) : 0;
  }

  note(key: string, windowMs: number, now: number): number {
    const window = this.windows.get(key);
    if (window && window.endsAt > now) {
      window.endsAt = Math.min(window.endsAt, now + windowMs); // another process may report late
      return ++window.count;
    }
    this.windows.delete(key);
    this.windows.set(key, { count: 1, endsAt: now + windowMs });
    const [oldest] = this.windows.keys();
    if (this.windows.size > this.maxKeys && oldest !== undefined) this.windows.delete(oldest);
    return 1;
  }

  /** When the last window ends; 0 if there is no window. */
  endsAt(key: string): number {
    return this.windows.get(key)?.endsAt ?? 0;
  }

  clear(key: string): void {
    this.windows.delete(key);
  }
}

/** The message to other processes, by the hash of a key. */
type CountChange =
  { readonly noted: string; readonly windowMs: number; readonly at: number } | { readonly cleared: string };

/** Counts events by key across all processes. Open one with `SharedCounts`. */
export class SharedCount {
  /** By the names of the keys, which other processes send. */
  readonly counts: EventCounts;

  constructor(
    private readonly nameOf: (key: string) => string = (key) => key,
    private readonly tell: (change: CountChange) => void = () => undefined,
    maxKeys?: number,
  ) {
    this.counts = new EventCounts(maxKeys);
  }

  waitMs(key: string, allowance: Allowance, now: number): number {
    return this.counts.waitMs(this.nameOf(key), allowance, now);
  }

  note(key: string, { windowMs }: Allowance, now: number): number {
    const noted = this.nameOf(key);
    this.tell({ noted, windowMs, at: now });
    return this.counts.note(noted, windowMs, now);
  }

  /** When the window ends, the same in all processes once they have exchanged counts; 0 without a window. */
  endsAt(key: string): number {
    return this.counts.endsAt(this.nameOf(key));
  }

  clear(key: string): void {
    const cleared = this.nameOf(key);
    this.tell({ cleared });
    this.counts.clear(cleared);
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
    bus.subscribe(TOPIC, (message) => this.take(message));
  }

  /** Opens the count with this name, which is the same in every process. */
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
    const counts = this.counts.get(String(name))?.counts;
    if (typeof cleared === 'string') counts?.clear(cleared);
    else if (typeof noted === 'string' && typeof windowMs === 'number' && typeof at === 'number')
      counts?.note(noted, windowMs, at);
  }
}
