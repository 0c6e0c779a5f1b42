import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InTransaction } from '../../platform/events/listeners.js';
import { SignUpInvites } from '../users/sign-up.service.js';
import { UserRolesUpdated, UserSignedUp } from '../users/users.events.js';
import { TeamRecords } from './team-records.js';
import { isGuestRole, splitRoles } from '../permissions/actor.js';
import { TeamMemberRecords } from './team-member-records.js';

/** Adds an account that signed up with an invite id to the team. Without a valid invite, the sign-up fails too. */
@Injectable()
export class SignUpListener implements OnModuleInit {
  constructor(
    private readonly teams: TeamRecords,
    private readonly invites: SignUpInvites,
  ) {}

  onModuleInit(): void {
    this.invites.require = async (inviteId) => void (await this.teams.getByInviteId(inviteId));
  }

  @InTransaction(UserSignedUp)
  async onUserSignedUp({ userId, inviteId }: UserSignedUp): Promise<void> {
    const team = await this.teams.getByInviteId(inviteId);
    await this.teams.addMember(userId, team.id, userId, { isInvited: true });
  }
}

/** Updates team memberships when an account becomes a guest or stops being one. */
@Injectable()
export class TeamMemberAccountListener {
  constructor(private readonly memberships: TeamMemberRecords) {}

  @InTransaction(UserRolesUpdated)
  async onUserRolesUpdated({ userId, roles }: UserRolesUpdated): Promise<void> {
    await this.memberships.followAccount(userId, isGuestRole(splitRoles(roles)));
  }
}
