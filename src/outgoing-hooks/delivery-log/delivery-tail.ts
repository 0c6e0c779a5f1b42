import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { DeliverySearchService } from '../../delivery/dispatch/delivery-search.service.js';
import { LiveTopics } from '../../messaging/live/topics/live-topics.js';
import { CommonPermission } from '../../messaging/permissions/common.permissions.js';
import { Clock } from '../../platform/common/clock.js';
import { PeriodicTask } from '../../platform/database/periodic-task.js';
import { OUTGOING_HOOK } from '../delivery/triggered-deliveries.js';

const TOPIC = 'deliveries';
const EVENT = 'deliveries_changed';
const EVERY_MS = 500;
/** Rows may become visible this long after their timestamp, because of other processes or slow commits. */
const LATE_MS = 5_000;
export const MAX_COUNTED = 500;
const FAILURE = 'Delivery events cannot be sent.';

type Seen = Readonly<Record<'created' | 'settled', ReadonlySet<string>>>;

/** Notifies subscribed administrators, twice a second, of deliveries created or settled in any process. */
@Injectable()
export class DeliveryTail implements OnModuleInit, OnApplicationShutdown {
  private readonly polls = new PeriodicTask(DeliveryTail.name, FAILURE, () => this.poll());
  private isPolling = false;
  private seen: Seen | undefined;

  constructor(
    private readonly search: DeliverySearchService,
    private readonly topics: LiveTopics,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    const permission = CommonPermission.ManageSystem;
    this.topics.register({ name: TOPIC, permission, onSubscribed: () => this.begin() });
  }

  onApplicationShutdown(): Promise<void> {
    return this.polls.stop();
  }

  /** Resolves once the current state has been read; every later change is published. */
  private async begin(): Promise<void> {
    if (!this.isPolling && !this.polls.isStopped) {
      this.isPolling = true;
      this.seen = undefined;
      this.polls.start(EVERY_MS);
    }
    await this.polls.run();
    if (!this.seen) await this.polls.run(); // the first run may have joined one that found no subscribers
  }

  private end(): void {
    this.isPolling = false;
    this.polls.rest();
  }

  private async poll(): Promise<void> {
    if (!this.topics.hasSubscribers(TOPIC)) return this.end();
    const { seen } = this;
    const since = this.clock.now() - LATE_MS;
    const { created, settledIds } = await this.search.recent(OUTGOING_HOOK, since, MAX_COUNTED);
    this.seen = { created: new Set(created.map(({ id }) => id)), settled: new Set(settledIds) };
    if (!seen) return; // new subscribers load the current state themselves
    const counts = {
      created: newIn(this.seen.created, seen.created),
      settled: newIn(this.seen.settled, seen.settled),
    };
    if (counts.created + counts.settled === 0) return;
    await this.topics.publish(TOPIC, EVENT, { ...counts, newest_create_at: created[0]?.createAt ?? 0 });
  }
}

function newIn(now: ReadonlySet<string>, before: ReadonlySet<string>): number {
  let count = 0;
  for (const id of now) if (!before.has(id)) count++;
  return count;
}
