/** How many events of one key there may be within a window of time. */
export interface Allowance {
  readonly max: number;
  readonly windowMs: number;
}

const MAX_KEYS = 50_000;

/** Counts events by key, each in a window that begins with its first. Of too many keys, the oldest is forgotten. */
export class EventCounts {
  private readonly windows = new Map<string, { count: number; endsAt: number }>();

  constructor(private readonly maxKeys = MAX_KEYS) {}

  /** How long until another event is allowed; 0 if it is now. */
  waitMs(key: string, { max }: Allowance, now: number): number {
    const window = this.windows.get(key);
    return window && window.count >= max ? Math.max(0, window.endsAt - now) : 0;
  }

  /** Returns how many there have been in the window. */
  note(key: string, windowMs: number, now: number): number {
    const window = this.windows.get(key);
    if (window && window.endsAt > now) {
      window.endsAt = Math.min(window.endsAt, now + windowMs); // another process may tell late of an earlier one
      return ++window.count;
    }
    this.windows.delete(key);
    this.windows.set(key, { count: 1, endsAt: now + windowMs });
    const [oldest] = this.windows.keys();
    if (this.windows.size > this.maxKeys && oldest !== undefined) this.windows.delete(oldest);
    return 1;
  }

  /** When the last window ends; 0 if there is none. */
  endsAt(key: string): number {
    return this.windows.get(key)?.endsAt ?? 0;
  }

  clear(key: string): void {
    this.windows.delete(key);
  }
}
