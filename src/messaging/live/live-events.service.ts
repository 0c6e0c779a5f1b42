import { AsyncResource } from 'node:async_hooks';
import { Injectable, Logger } from '@nestjs/common';
import { stackOf } from '../../platform/common/errors/stack-of.js';
import { isDatabaseUnavailable } from '../../platform/database/database-errors.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { MetricsService } from '../../platform/metrics/metrics.service.js';
import { LiveConnections } from './connections/live-connections.js';
import { CloseCode } from './connections/live-socket.js';
import { type Broadcast, DROPPABLE_EVENTS, EventText, type LiveData, type LiveEvent } from './live-event.js';
import { isReceiver, LiveAudience } from './live-audience.js';
import { LiveAuthentication } from './live-authentication.js';
import { LiveLimits } from './live-limits.js';

const RETRY_MS = 250;
/** Events sent before other work of the event loop goes on. */
const EVENTS_AT_A_TIME = 16;

interface Queued {
  readonly event: LiveEvent;
  readonly at: number;
}

/** Sends events to the clients connected at delivery, in the order they were published. */
@Injectable()
export class LiveEventsService {
  private readonly logger = new Logger(LiveEventsService.name);
  private queue: Queued[] = [];
  private isDelivering = false;
  /** Bound to the async context of the start, so that the delivery does not join a publisher's transaction. */
  private readonly deliverQueued = AsyncResource.bind(() => void this.drain());

  constructor(
    private readonly connections: LiveConnections,
    private readonly audience: LiveAudience,
    private readonly authentication: LiveAuthentication,
    private readonly limits: LiveLimits,
    private readonly unitOfWork: UnitOfWork,
    private readonly metrics: MetricsService,
  ) {}

  get hasConnections(): boolean {
    return this.connections.hasAny;
  }

  /** Filters the channels to those with a connected member. */
  async channelsWithListeners(channelIds: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    if (this.audience.isStale) await this.audience.refresh();
    return new Set([...channelIds].filter((channelId) => this.audience.isInChannel(channelId)));
  }

  /** Disconnects all clients after a loss of events, spread over time: they reconnect and reload. */
  reconnectAll(reason: string): void {
    if (!this.connections.hasAny) return;
    this.logger.warn(`${reason} All clients are disconnected and must reload.`);
    this.connections.endAllWithin(
      this.limits.reconnectWithinMs,
      CloseCode.TryAgainLater,
      'Events are missing; reconnect and reload.',
    );
  }

  /** Like `reconnectAll`, but immediate: clients receive no further events. */
  disconnectAll(reason: string): void {
    this.queue = [];
    if (!this.connections.hasAny) return;
    this.logger.warn(`${reason} All clients are disconnected and must reload.`);
    this.connections.endAll(CloseCode.TryAgainLater, 'Events are missing; reconnect and reload.');
  }

  /** Like `publish`, without keys for single receivers. */
  send(event: string, broadcast: LiveEvent['broadcast'], data: LiveEvent['data']): void {
    this.publish({ event, broadcast, data });
  }

  /** Queues an event; call it after the change is committed. Never throws. */
  publish(event: LiveEvent): void {
    if (!this.connections.hasAny) return;
    if (this.queue.length >= this.limits.maxQueuedEvents)
      return this.disconnectAll(`More than ${this.limits.maxQueuedEvents} events are queued.`);
    this.queue.push({ event, at: performance.now() });
    if (this.isDelivering) return;
    this.isDelivering = true;
    setImmediate(this.deliverQueued);
  }

  private async drain(): Promise<void> {
    while (this.queue.length > 0) {
      const events = this.queue;
      this.queue = [];
      await this.unitOfWork.changes.caughtUp(); // includes members added by other processes
      for (const [index, { event, at }] of events.entries()) {
        const sent = await this.deliverPatiently(event);
        if (sent > 0) this.metrics.liveEventSent(sent, (performance.now() - at) / 1000);
        if ((index + 1) % EVENTS_AT_A_TIME === 0) await new Promise(setImmediate);
      }
    }
    this.isDelivering = false;
  }

  /** Like `deliver`, but waits while the database is unavailable, as do queued events. Never throws. */
  private async deliverPatiently(event: LiveEvent): Promise<number> {
    while (this.connections.hasAny)
      try {
        return await this.deliver(event);
      } catch (error) {
        if (!isDatabaseUnavailable(error)) {
          this.logger.error(`The event ${event.event} was lost.`, stackOf(error));
          return 0;
        }
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    return 0;
  }

  private async deliver(event: LiveEvent): Promise<number> {
    const broadcast = typeof event.broadcast === 'function' ? await event.broadcast() : event.broadcast;
    if (this.audience.isStale) await this.audience.refresh();
    if (!this.hasReceivers(broadcast)) return 0;
    const data = typeof event.data === 'function' ? await event.data() : event.data;
    if (data === null) return 0;
    await this.authentication.endExpired();
    if (this.audience.isStale) await this.audience.refresh();
    return this.write(event, broadcast, data);
  }

  private hasReceivers(broadcast: Broadcast): boolean {
    for (const user of this.audience.candidates(broadcast)) if (isReceiver(user, broadcast)) return true;
    return false;
  }

  private write({ event, personal }: LiveEvent, broadcast: Broadcast, data: LiveData): number {
    const text = new EventText(event, data, broadcast);
    const isDroppable = DROPPABLE_EVENTS.has(event);
    let sent = 0;
    for (const user of this.audience.candidates(broadcast)) {
      if (!isReceiver(user, broadcast)) continue;
      const forUser = text.with(personal?.(user));
      for (const connection of user.connections) if (connection.deliver(forUser, isDroppable)) sent++;
    }
    return sent;
  }
}
