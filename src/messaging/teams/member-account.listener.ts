import { Injectable } from '@nestjs/common';
import { InTransaction } from '../../platform/events/listeners.js';
import { isGuestRole } from '../permissions/guests.js';
import { splitRoles } from '../permissions/role-list.js';
import { UserRolesUpdated } from '../users/users.events.js';
import { TeamMemberRecords } from './team-member-records.js';

/** Keeps team memberships fit for an account that becomes a guest, or stops being one. */
@Injectable()
export class TeamMemberAccountListener {
  constructor(private readonly memberships: TeamMemberRecords) {}

  @InTransaction(UserRolesUpdated)
  async onUserRolesUpdated({ userId, roles }: UserRolesUpdated): Promise<void> {
    await this.memberships.followAccount(userId, isGuestRole(splitRoles(roles)));
  }
}
