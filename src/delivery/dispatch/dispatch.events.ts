import type { DomainEvent } from '../../platform/events/event-bus.js';

/** Details of one attempt to make a delivery. */
export interface DeliveryFacts {
  readonly deliveryId: string;
  readonly kind: string;
  readonly ownerId: string;
  readonly subjectId: string;
  /** May contain a secret in its path. */
  readonly url: string;
  readonly attempt: number;
  /** 0 if there was no reply. */
  readonly statusCode: number;
  /** Empty if there was a reply. */
  readonly errorClass: string;
  /** Duration of the call; -1 if unknown. */
  readonly durationMs: number;
  readonly finishedAt: number;
}

/** A delivery was given up after its last attempt failed; `reason` is the delivery's, such as `gone`. */
export class DeliveryExhausted implements DomainEvent {
  readonly name = 'delivery.exhausted';
  constructor(
    readonly facts: DeliveryFacts,
    readonly reason: string,
  ) {}
}

/** An attempt failed; the next one is due at `nextAttemptAt`. */
export class DeliveryFailed implements DomainEvent {
  readonly name = 'delivery.failed';
  constructor(
    readonly facts: DeliveryFacts,
    readonly nextAttemptAt: number,
  ) {}
}

/** A delivery succeeded: the receiver answered with a 2xx. */
export class DeliverySucceeded implements DomainEvent {
  readonly name = 'delivery.succeeded';
  constructor(readonly facts: DeliveryFacts) {}
}
