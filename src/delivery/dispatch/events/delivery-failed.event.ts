import type { DomainEvent } from '../../../platform/events/domain-event.js';
import type { DeliveryFacts } from './delivery-facts.js';

/** An attempt failed; the next one is due at `nextAttemptAt`. */
export class DeliveryFailed implements DomainEvent {
  readonly name = 'delivery.failed';
  constructor(
    readonly facts: DeliveryFacts,
    readonly nextAttemptAt: number,
  ) {}
}
