import { Logger } from '@nestjs/common';

const INTERVAL_MS = 60_000;
/** The maximum number of ids (26 characters each) in a line. */
const MAX_IDS = 200;

/** A warning that may repeat. */
export interface Warning {
  /** Warnings with the same key are grouped. */
  readonly key: string;
  /** The message for a number of occurrences, built by the latest warning. */
  readonly text: (count: number) => string;
  readonly id: string;
}

/** Occurrences since the last line for a key. */
interface Interval {
  count: number;
  ids: string[];
  last: Warning;
  readonly timer: NodeJS.Timeout;
}

/** Logs a warning at once, and repetitions once a minute with their count and ids. */
export class RepeatedWarnings {
  private readonly logger: Logger;
  private readonly intervals = new Map<string, Interval>();

  /** Lines are logged under the name `owner`; `idName` labels the ids, as in `Requests: …`. */
  constructor(
    owner: string,
    private readonly idName: string,
  ) {
    this.logger = new Logger(owner);
  }

  note(warning: Warning): void {
    const interval = this.intervals.get(warning.key);
    if (!interval) {
      this.write(warning, 1, [warning.id]);
      this.begin(warning);
      return;
    }
    interval.count++;
    interval.last = warning;
    if (interval.ids.length < MAX_IDS) interval.ids.push(warning.id);
  }

  flush(): void {
    for (const { timer, count, ids, last } of this.intervals.values()) {
      clearTimeout(timer);
      if (count > 0) this.write(last, count, ids);
    }
    this.intervals.clear();
  }

  private begin(warning: Warning): void {
    const timer = setTimeout(() => this.end(warning.key), INTERVAL_MS).unref();
    this.intervals.set(warning.key, { count: 0, ids: [], last: warning, timer });
  }

  private end(key: string): void {
    const interval = this.intervals.get(key);
    this.intervals.delete(key);
    if (!interval || interval.count === 0) return;
    this.write(interval.last, interval.count, interval.ids);
    this.begin(interval.last);
  }

  private write({ text }: Warning, count: number, ids: readonly string[]): void {
    const more = count > ids.length ? ' …' : '';
    this.logger.warn(`${text(count)} ${this.idName}: ${ids.join(' ')}${more}`);
  }
}
