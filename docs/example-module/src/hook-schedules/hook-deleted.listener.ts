import { Injectable } from '@nestjs/common';
import { IncomingHookDeleted } from '../incoming-hooks/incoming-hooks.events.js';
import { Clock } from '../platform/common/clock.js';
import { InTransaction } from '../platform/events/listeners.js';
import { HookSchedulesRepository } from './hook-schedules.repository.js';

/** Deletes the schedules of a webhook in the transaction that deletes it. */
@Injectable()
export class HookDeletedListener {
  constructor(
    private readonly repository: HookSchedulesRepository,
    private readonly clock: Clock,
  ) {}

  @InTransaction(IncomingHookDeleted)
  onHookDeleted({ hookId }: IncomingHookDeleted): Promise<void> {
    return this.repository.deleteOfHook(hookId, this.clock.now());
  }
}
