import { Injectable } from '@nestjs/common';
import { InTransaction } from '../../platform/events/listeners.js';
import { UserSignedUp } from '../users/events/user-signed-up.event.js';
import { TeamRecords } from './team-records.js';

/** Adds an account that signed up with an invite id to the team. Without a valid invite, the sign-up fails too. */
@Injectable()
export class SignUpListener {
  constructor(private readonly teams: TeamRecords) {}

  @InTransaction(UserSignedUp)
  async onUserSignedUp({ userId, inviteId }: UserSignedUp): Promise<void> {
    const team = await this.teams.getByInviteId(inviteId);
    await this.teams.addMember(userId, team.id, userId);
  }
}
