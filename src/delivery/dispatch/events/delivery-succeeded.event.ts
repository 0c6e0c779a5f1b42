import type { DomainEvent } from '../../../platform/events/domain-event.js';
import type { DeliveryFacts } from './delivery-facts.js';

/** A delivery was made: the receiver answered with a 2xx. */
export class DeliverySucceeded implements DomainEvent {
  readonly name = 'delivery.succeeded';
  constructor(readonly facts: DeliveryFacts) {}
}
