import type { DomainEvent } from '../../../platform/common/events/event-bus.js';

/** Client settings of a user were stored or deleted. */
export class PreferencesChanged implements DomainEvent {
  static readonly event = 'preferences.changed';
  readonly name = PreferencesChanged.event;
  constructor(
    readonly userId: string,
    readonly preferences: readonly { category: string; name: string; value: string }[],
    readonly isDeletion: boolean,
  ) {}
}
