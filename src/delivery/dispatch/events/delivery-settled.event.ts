import type { DomainEvent } from '../../../platform/common/events/event-bus.js';

/** Facts about one attempt to make a delivery. */
export interface DeliveryFacts {
  readonly deliveryId: string;
  readonly kind: string;
  readonly ownerId: string;
  readonly subjectId: string;
  readonly attempt: number;
  /** 0 when no reply came. */
  readonly statusCode: number;
  /** Empty when a reply came. */
  readonly errorClass: string;
}

/** A delivery was made: the receiver answered with a 2xx. */
export class DeliverySucceeded implements DomainEvent {
  static readonly event = 'delivery.succeeded';
  readonly name = DeliverySucceeded.event;
  constructor(readonly facts: DeliveryFacts) {}
}

/** An attempt failed; another one follows at `nextAttemptAt`. */
export class DeliveryFailed implements DomainEvent {
  static readonly event = 'delivery.failed';
  readonly name = DeliveryFailed.event;
  constructor(
    readonly facts: DeliveryFacts,
    readonly nextAttemptAt: number,
  ) {}
}

/** The last attempt failed, and the delivery is given up: `gone` after a 410, else `attempts_exhausted`. */
export class DeliveryExhausted implements DomainEvent {
  static readonly event = 'delivery.exhausted';
  readonly name = DeliveryExhausted.event;
  constructor(
    readonly facts: DeliveryFacts,
    readonly reason: string,
  ) {}
}
