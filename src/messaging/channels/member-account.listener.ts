import { Injectable } from '@nestjs/common';
import { InTransaction } from '../../platform/events/listeners.js';
import { isGuestRole } from '../permissions/guests.js';
import { splitRoles } from '../permissions/role-list.js';
import { UserRolesUpdated } from '../users/users.events.js';
import { ChannelMemberRecords } from './channel-member-records.js';

/** Keeps channel memberships fit for an account that becomes a guest, or stops being one. */
@Injectable()
export class ChannelMemberAccountListener {
  constructor(private readonly memberships: ChannelMemberRecords) {}

  @InTransaction(UserRolesUpdated)
  async onUserRolesUpdated({ userId, roles }: UserRolesUpdated): Promise<void> {
    await this.memberships.followAccount(userId, isGuestRole(splitRoles(roles)));
  }
}
