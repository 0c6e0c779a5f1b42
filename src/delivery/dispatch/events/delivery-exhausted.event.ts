import type { DomainEvent } from '../../../platform/events/domain-event.js';
import type { DeliveryFacts } from './delivery-facts.js';

/** The last attempt failed, and the delivery is given up: `gone` after a 410, else `attempts_exhausted`. */
export class DeliveryExhausted implements DomainEvent {
  readonly name = 'delivery.exhausted';
  constructor(
    readonly facts: DeliveryFacts,
    readonly reason: string,
  ) {}
}
