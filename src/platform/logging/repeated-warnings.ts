import { Logger } from '@nestjs/common';

const INTERVAL_MS = 60_000;
/** A line has room for so many ids of 26 characters. */
const MAX_IDS = 200;

/** Something to warn of. */
export interface Warning {
  /** What counts as the same. */
  readonly key: string;
  /** The sentence for so many occurrences; this is the last of them. */
  readonly text: (count: number) => string;
  /** By which people look for the line. */
  readonly id: string;
}

/** What has happened since the last line about a key. */
interface Interval {
  count: number;
  ids: string[];
  last: Warning;
  readonly timer: NodeJS.Timeout;
}

/** Warns at once, and of repetitions once a minute, with their number and their ids. */
export class RepeatedWarnings {
  private readonly logger: Logger;
  private readonly intervals = new Map<string, Interval>();

  /** Lines are logged under the name `owner`; `idName` says what the ids are of, as in `Requests: …`. */
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

  /** Writes what is still to be told, and ends every interval. */
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
