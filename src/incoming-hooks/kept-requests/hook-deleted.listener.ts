import { Injectable } from '@nestjs/common';
import { InTransaction } from '../../platform/events/listeners.js';
import { IncomingHookDeleted } from '../incoming-hooks.events.js';
import { KeptRequestsRepository } from './kept-requests.repository.js';

/** Deletes the kept calls of a webhook with it. */
@Injectable()
export class HookDeletedListener {
  constructor(private readonly requests: KeptRequestsRepository) {}

  @InTransaction(IncomingHookDeleted)
  onHookDeleted({ hookId }: IncomingHookDeleted): Promise<void> {
    return this.requests.deleteOfHook(hookId);
  }
}
