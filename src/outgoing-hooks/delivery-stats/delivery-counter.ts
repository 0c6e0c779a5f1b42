import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import {
  DeliveryExhausted,
  type DeliveryFacts,
  DeliveryFailed,
  DeliverySucceeded,
} from '../../delivery/dispatch/dispatch.events.js';
import { endpointLane } from '../../delivery/dispatch/lane-name.js';
import { PeriodicTask } from '../../platform/database/periodic-task.js';
import { On } from '../../platform/events/listeners.js';
import { OUTGOING_HOOK } from '../delivery/triggered-deliveries.js';
import { addCounts, columnsOf, failureOf, noCounts, OUTCOMES } from './counts.js';
import type { DeliveryStat } from './delivery-stat.entity.js';
import { type CountedSpan, DeliveryStatsRepository } from './delivery-stats.repository.js';
import { ALL, STEPS } from './steps.js';

const INTERVAL_MS = 5_000;
const FAILURE = 'Statistics of deliveries cannot be stored yet.';
/** In memory: some 14 MB. Beyond it a webhook or endpoint that has no span yet counts among all only. */
const MAX_SPANS = 40_000;
const SPANS_PER_COMMIT = 200;

/**
 * Counts the attempts of outgoing webhooks that this process makes, once their outcomes are stored, and adds the counts to
 * the table every few seconds. A killed process loses only those of the last seconds.
 */
@Injectable()
export class DeliveryCounter implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly writes = new PeriodicTask(DeliveryCounter.name, FAILURE, () => this.write());
  private pending = new Map<string, CountedSpan & { readonly counts: number[] }>();
  /** How many spans are being stored. */
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

  /** Stores what is counted so far. Never throws: what cannot be stored waits for the next time. */
  async flush(): Promise<void> {
    await this.writes.run();
    await this.writes.run(); // counted during the first one
  }

  /** After the dispatcher, which has ended its calls before. */
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

  /** What is counted of a span. Undefined if nothing is yet, and it may not begin. */
  private countsOf(span: DeliveryStat, mayBegin: boolean): number[] | undefined {
    const key = keyOf(span);
    const known = this.pending.get(key);
    if (known || !mayBegin) return known?.counts;
    const counts = noCounts();
    this.pending.set(key, { ...span, counts });
    return counts;
  }

  /** In commits of some rows, so that processes do not wait long for each other. */
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

/** Everyone locks rows in the same order: last those of all, which every process adds to. */
function byKey(one: CountedSpan, other: CountedSpan): number {
  if (one.subject !== other.subject) return one.subject < other.subject ? 1 : -1;
  return one.stepSeconds - other.stepSeconds || one.startAt - other.startAt;
}
