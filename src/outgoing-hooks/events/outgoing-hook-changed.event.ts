import type { DomainEvent } from '../../platform/common/events/event-bus.js';

type Change = 'created' | 'updated' | 'deleted' | 'enabled' | 'disabled';

/** An outgoing webhook was created, changed, deleted, switched off because its endpoints fail, or on again. */
export class OutgoingHookChanged implements DomainEvent {
  static readonly events = ['created', 'updated', 'deleted', 'enabled', 'disabled'].map(
    (change) => `outgoing_hook.${change}`,
  );
  readonly name: string;
  constructor(
    readonly hookId: string,
    readonly teamId: string,
    readonly change: Change,
  ) {
    this.name = `outgoing_hook.${change}`;
  }
}
