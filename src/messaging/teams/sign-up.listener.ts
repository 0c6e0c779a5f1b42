import { Injectable } from '@nestjs/common';
import { InTransaction } from '../../platform/events/listeners.js';
import { UserSignedUp } from '../users/events/user-signed-up.event.js';
import { TeamRecords } from './team-records.js';

/** Puts an account that was made with an invite id into its team, or lets both fail. */
@Injectable()
export class SignUpListener {
  constructor(private readonly teams: TeamRecords) {}

  @InTransaction(UserSignedUp)
  async onUserSignedUp({ userId, inviteId }: UserSignedUp): Promise<void> {
    const team = await this.teams.getByInviteId(inviteId);
    await this.teams.addMember(userId, team.id, userId);
  }
}
