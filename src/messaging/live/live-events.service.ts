import { AsyncResource } from 'node:async_hooks';
import { Injectable, Logger } from '@nestjs/common';
import { stackOf } from '../../platform/common/errors/stack-of.js';
import { MetricsService } from '../../platform/metrics/metrics.service.js';
import { LiveConnections } from './connections/live-connections.js';
import { CloseCode } from './connections/live-socket.js';
import { EventText } from './frames.js';
import { type BoundedBroadcast, isReceiver, LiveAudience } from './live-audience.js';
import { DROPPABLE_EVENTS, type LiveData, type LiveEvent } from './live-event.js';
import { LiveLimits } from './live-limits.js';

const SLICE_MS = 8;

/**
 * Tells connected clients what happened. Events leave in the order in which they were published, one after the other,
 * to those who may receive them at that moment. While nobody is connected, publishing costs nothing.
 */
@Injectable()
export class LiveEventsService {
  private readonly logger = new Logger(LiveEventsService.name);
  private queue: LiveEvent[] = [];
  private isDelivering = false;
  /** Bound to the context of the start: a publisher may be inside a transaction, the delivery is not. */
  private readonly deliverQueued = AsyncResource.bind(() => void this.drain());

  constructor(
    private readonly connections: LiveConnections,
    private readonly audience: LiveAudience,
    private readonly limits: LiveLimits,
    private readonly metrics: MetricsService,
  ) {}

  /** Whether anybody listens. */
  get hasConnections(): boolean {
    return this.connections.hasAny;
  }

  /** Announces an event after the change it tells of is stored. Returns at once and never throws. */
  publish(event: LiveEvent): void {
    if (!this.connections.hasAny) return;
    if (this.queue.length >= this.limits.maxQueuedEvents) return this.startOver();
    this.queue.push(event);
    if (this.isDelivering) return;
    this.isDelivering = true;
    setImmediate(this.deliverQueued);
  }

  private async drain(): Promise<void> {
    let sliceStart = performance.now();
    while (this.queue.length > 0) {
      const events = this.queue;
      this.queue = [];
      for (const event of events) {
        try {
          await this.deliver(event);
        } catch (error) {
          this.logger.error(`The event ${event.event} was lost.`, stackOf(error));
        }
        if (performance.now() - sliceStart < SLICE_MS) continue;
        await new Promise(setImmediate); // others get their turn
        sliceStart = performance.now();
      }
    }
    this.isDelivering = false;
  }

  private async deliver(event: LiveEvent): Promise<void> {
    const addressed = typeof event.broadcast === 'function' ? await event.broadcast() : event.broadcast;
    if (this.audience.isStale) await this.audience.refresh();
    const broadcast = await this.audience.bounded(addressed);
    if (!this.hasReceivers(broadcast)) return;
    const data = typeof event.data === 'function' ? await event.data() : event.data;
    if (data === null) return;
    if (this.audience.isStale) await this.audience.refresh();
    this.send(event, broadcast, data);
  }

  private hasReceivers(broadcast: BoundedBroadcast): boolean {
    for (const user of this.audience.candidates(broadcast)) if (isReceiver(user, broadcast)) return true;
    return false;
  }

  private send({ event, personal }: LiveEvent, broadcast: BoundedBroadcast, data: LiveData): void {
    const text = new EventText(event, data, broadcast);
    const isDroppable = DROPPABLE_EVENTS.has(event);
    let sent = 0;
    for (const user of this.audience.candidates(broadcast)) {
      if (!isReceiver(user, broadcast)) continue;
      const forUser = text.with(personal?.(user));
      for (const connection of user.connections) if (connection.deliver(forUser, isDroppable)) sent++;
    }
    if (sent > 0) this.metrics.liveEventsSent(sent);
  }

  /** More events than can be delivered: clients must read anew, since they would not notice what is missing. */
  private startOver(): void {
    this.logger.warn(
      `More than ${this.limits.maxQueuedEvents} events wait; all clients are asked to start over.`,
    );
    this.queue = [];
    this.connections.endAll(CloseCode.TryAgainLater, 'Too many events; read anew.');
  }
}
