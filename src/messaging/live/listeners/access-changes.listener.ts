import { Injectable } from '@nestjs/common';
import { OnEverywhere } from '../../../platform/events/listeners.js';
import { SessionsRevoked } from '../../auth/events/sessions-revoked.event.js';
import { ChannelMemberAdded } from '../../channels/events/channel-member-added.event.js';
import { ChannelConverted } from '../../channels/events/channel-converted.event.js';
import { ChannelMemberUpdated } from '../../channels/events/channel-member-updated.event.js';
import { ChannelMemberRemoved } from '../../channels/events/channel-member-removed.event.js';
import { DirectChannelCreated } from '../../channels/events/direct-channel-created.event.js';
import { GroupChannelCreated } from '../../channels/events/group-channel-created.event.js';
import { RoleUpdated } from '../../permissions/events/role-updated.event.js';
import { TeamMemberAdded } from '../../teams/events/team-member-added.event.js';
import { TeamMemberRolesUpdated } from '../../teams/events/team-member-roles-updated.event.js';
import { TeamMemberRemoved } from '../../teams/events/team-member-removed.event.js';
import { UserActivationChanged } from '../../users/events/user-activation-changed.event.js';
import { UserRolesUpdated } from '../../users/events/user-roles-updated.event.js';
import { UserUpdated } from '../../users/events/user-updated.event.js';
import { LiveConnections } from '../connections/live-connections.js';
import { CloseCode } from '../connections/live-socket.js';
import { LiveAudience } from '../live-audience.js';

/**
 * Closes connections and invalidates cached memberships when access changes. It runs synchronously with the
 * announcement, so that no event delivered afterwards reaches a user who has lost access.
 */
@Injectable()
export class AccessChangesListener {
  constructor(
    private readonly connections: LiveConnections,
    private readonly audience: LiveAudience,
  ) {}

  @OnEverywhere(SessionsRevoked)
  onSessionsRevoked({ userId, sessionIds }: SessionsRevoked): void {
    this.connections.end(userId, sessionIds, CloseCode.PolicyViolation, 'The session has ended.');
  }

  @OnEverywhere(UserActivationChanged)
  onUserActivationChanged({ userId, isActive }: UserActivationChanged): void {
    if (!isActive) this.connections.end(userId, [], CloseCode.PolicyViolation, 'The account is deactivated.');
  }

  @OnEverywhere(UserUpdated)
  @OnEverywhere(UserRolesUpdated)
  @OnEverywhere(TeamMemberAdded)
  @OnEverywhere(TeamMemberRemoved)
  @OnEverywhere(TeamMemberRolesUpdated)
  @OnEverywhere(ChannelMemberAdded)
  @OnEverywhere(ChannelMemberRemoved)
  @OnEverywhere(ChannelMemberUpdated)
  onMemberChanged({ userId }: { readonly userId: string }): void {
    this.audience.forget(userId);
  }

  /** What is public can be read by more people. */
  @OnEverywhere(ChannelConverted)
  onChannelConverted({ channelId }: ChannelConverted): void {
    this.audience.forgetChannel(channelId);
  }

  @OnEverywhere(RoleUpdated)
  onRoleUpdated(): void {
    this.audience.forgetAll();
  }

  @OnEverywhere(DirectChannelCreated)
  onDirectChannelCreated({ creatorId, teammateId }: DirectChannelCreated): void {
    this.audience.forget(creatorId);
    this.audience.forget(teammateId);
  }

  @OnEverywhere(GroupChannelCreated)
  onGroupChannelCreated({ creatorId, teammateIds }: GroupChannelCreated): void {
    for (const userId of [creatorId, ...teammateIds]) this.audience.forget(userId);
  }
}
