import type { DomainEvent } from '../../../platform/events/domain-event.js';
import type { DeliveryFacts } from './delivery-facts.js';

/** An attempt failed; another one follows at `nextAttemptAt`. */
export class DeliveryFailed implements DomainEvent {
  readonly name = 'delivery.failed';
  constructor(
    readonly facts: DeliveryFacts,
    readonly nextAttemptAt: number,
  ) {}
}
