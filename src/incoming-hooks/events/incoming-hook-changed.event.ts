import type { DomainEvent } from '../../platform/common/events/event-bus.js';

type Change = 'created' | 'updated' | 'deleted';

/** An incoming webhook was created, changed or deleted. */
export class IncomingHookChanged implements DomainEvent {
  static readonly events = ['created', 'updated', 'deleted'].map((change) => `incoming_hook.${change}`);
  readonly name: string;
  constructor(
    readonly hookId: string,
    readonly change: Change,
  ) {
    this.name = `incoming_hook.${change}`;
  }
}
