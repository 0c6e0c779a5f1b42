import type { DomainEvent } from '../platform/events/event-bus.js';

/** A hook schedule was created. */
export class HookScheduleCreated implements DomainEvent {
  readonly name = 'hook_schedule.created';
  constructor(readonly scheduleId: string) {}
}
