import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import {
  DeliveryExhausted,
  type DeliveryFacts,
  DeliveryFailed,
  DeliverySucceeded,
} from '../../delivery/dispatch/dispatch.events.js';
import { endpointLane } from '../../delivery/dispatch/delivery-kind.js';
import { PeriodicTask } from '../../platform/database/periodic-task.js';
import { On } from '../../platform/events/listeners.js';
import { OUTGOING_HOOK } from '../delivery/triggered-deliveries.js';
import { addCounts, ALL, columnsOf, failureOf, noCounts, OUTCOMES, STEPS } from './counts.js';
import type { DeliveryStat } from './delivery-stat.entity.js';
import { type CountedSpan, DeliveryStatsRepository } from './delivery-stats.repository.js';

const INTERVAL_MS = 5_000;
const FAILURE = 'Statistics of deliveries cannot be stored yet.';
/** About 14 MB in memory. Beyond this, a webhook or endpoint without a span is counted only in the total. */
const MAX_SPANS = 40_000;
const SPANS_PER_COMMIT = 200;

/** Counts this process's attempts, and stores the counts every few seconds. A killed process loses the last ones. */
@Injectable()
export class DeliveryCounter implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly writes = new PeriodicTask(DeliveryCounter.name, FAILURE, () => this.write());
  private pending = new Map<string, CountedSpan & { readonly counts: number[] }>();
  private writing = 0;

  constructor(private readonly repository: DeliveryStatsRepository) {}

  onApplicationBootstrap(): void {
    this.writes.start(INTERVAL_MS);
  }

  @On(DeliverySucceeded)
  onSucceeded({ facts }: DeliverySucceeded): void {
    this.count(facts, columnsOf('delivered', facts));
  }

  @On(DeliveryFailed)
  onFailed({ facts }: DeliveryFailed): void {
    this.count(facts, columnsOf(failureOf(facts), facts));
  }

  @On(DeliveryExhausted)
  onExhausted({ facts, reason }: DeliveryExhausted): void {
    const attempted = reason === 'unprepared' ? [] : columnsOf(failureOf(facts), facts);
    this.count(facts, [...attempted, OUTCOMES.indexOf('given_up')]);
  }

  /** Writes the counts so far. Never throws: counts that cannot be written are kept for the next flush. */
  async flush(): Promise<void> {
    await this.writes.run();
    await this.writes.run(); // writes what was counted during the first run
  }

  /** Runs after the dispatcher has finished its calls. */
  async onApplicationShutdown(): Promise<void> {
    await this.flush();
    await this.writes.stop();
  }

  private count({ kind, ownerId, url, finishedAt }: DeliveryFacts, columns: readonly number[]): void {
    if (kind !== OUTGOING_HOOK) return;
    for (const subject of [ALL, ownerId, endpointLane(url)])
      for (const { seconds: stepSeconds } of STEPS) {
        const stepMs = stepSeconds * 1_000;
        const startAt = Math.floor(finishedAt / stepMs) * stepMs;
        const counts = this.countsOf({ subject, stepSeconds, startAt }, subject === ALL || this.hasRoom);
        if (counts) for (const column of columns) counts[column] = (counts[column] ?? 0) + 1;
      }
  }

  private get hasRoom(): boolean {
    return this.pending.size + this.writing < MAX_SPANS;
  }

  /** The counts of a span. Undefined if it has none yet and must not be started. */
  private countsOf(span: DeliveryStat, mayBegin: boolean): number[] | undefined {
    const key = keyOf(span);
    const known = this.pending.get(key);
    if (known || !mayBegin) return known?.counts;
    const counts = noCounts();
    this.pending.set(key, { ...span, counts });
    return counts;
  }

  /** Commits in small batches so that processes do not block each other for long. */
  private async write(): Promise<void> {
    const spans = [...this.pending.values()].sort(byKey);
    this.pending = new Map();
    this.writing = spans.length;
    let stored = 0;
    try {
      for (; stored < spans.length; stored += SPANS_PER_COMMIT)
        await this.repository.add(spans.slice(stored, stored + SPANS_PER_COMMIT));
    } finally {
      this.writing = 0;
      for (const { counts, ...span } of spans.slice(stored))
        addCounts(this.countsOf(span, true) ?? [], counts);
    }
  }
}

function keyOf({ subject, stepSeconds, startAt }: DeliveryStat): string {
  return `${subject} ${stepSeconds} ${startAt}`;
}

/** All processes lock rows in the same order; the contended rows of the total come last. */
function byKey(one: CountedSpan, other: CountedSpan): number {
  if (one.subject !== other.subject) return one.subject < other.subject ? 1 : -1;
  return one.stepSeconds - other.stepSeconds || one.startAt - other.startAt;
}
