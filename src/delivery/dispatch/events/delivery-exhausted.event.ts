import type { DomainEvent } from '../../../platform/events/domain-event.js';
import type { DeliveryFacts } from './delivery-facts.js';

/** A delivery was given up after its last attempt failed; `reason` is that of the delivery, such as `gone` after a 410. */
export class DeliveryExhausted implements DomainEvent {
  readonly name = 'delivery.exhausted';
  constructor(
    readonly facts: DeliveryFacts,
    readonly reason: string,
  ) {}
}
