import type { DomainEvent } from '../platform/events/event-bus.js';

/** A sample gizmo exists. */
export class SampleGizmoCreated implements DomainEvent {
  readonly name = 'sample_gizmo.created';
  constructor(readonly gizmoId: string) {}
}
