import type { DomainEvent } from '../../common/events/event-bus.js';

/** An incoming webhook was created, changed or deleted. */
export class IncomingHookChanged implements DomainEvent {
  static readonly event = 'incoming_hook.changed';
  readonly name = IncomingHookChanged.event;
  constructor(
    readonly hookId: string,
    readonly change: 'created' | 'updated' | 'deleted',
  ) {}
}
