import type { DomainEvent } from '../../../platform/events/domain-event.js';

/** Client settings of a user were stored or deleted. */
export class PreferencesChanged implements DomainEvent {
  readonly name = 'preferences.changed';
  constructor(
    readonly userId: string,
    readonly preferences: readonly { category: string; name: string; value: string }[],
    readonly isDeletion: boolean,
  ) {}
}
