import { Injectable } from '@nestjs/common';
import { InTransaction } from '../../../platform/events/listeners.js';
import { UserActivationChanged } from '../users.events.js';
import { UsersService } from '../users.service.js';
import { BotsRepository } from './bots.repository.js';

/** Disables the bots of an owner who is deactivated: nobody answers for them any more. */
@Injectable()
export class OwnerDeactivatedListener {
  constructor(
    private readonly bots: BotsRepository,
    private readonly accounts: UsersService,
  ) {}

  @InTransaction(UserActivationChanged)
  async onActivation({ userId, isActive }: UserActivationChanged): Promise<void> {
    if (isActive) return;
    for (const bot of await this.bots.listActiveOf(userId)) await this.accounts.deactivateBot(bot);
  }
}
