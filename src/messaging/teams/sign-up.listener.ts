import { Injectable } from '@nestjs/common';
import { InTransaction } from '../../platform/events/listeners.js';
import { UserSignedUp } from '../users/events/user-signed-up.event.js';
import { TeamsService } from './teams.service.js';

/** Puts an account that was made with an invite id into its team, or lets both fail. */
@Injectable()
export class SignUpListener {
  constructor(private readonly teams: TeamsService) {}

  @InTransaction(UserSignedUp)
  async onUserSignedUp({ userId, inviteId }: UserSignedUp): Promise<void> {
    const team = await this.teams.getByInviteId(inviteId);
    await this.teams.addMember(userId, team.id, userId);
  }
}
