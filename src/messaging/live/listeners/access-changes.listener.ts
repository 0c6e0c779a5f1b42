import { Injectable } from '@nestjs/common';
import { OnEverywhere } from '../../../platform/events/listeners.js';
import { SessionsRevoked } from '../../auth/auth.events.js';
import {
  ChannelConverted,
  ChannelMemberAdded,
  ChannelMemberRemoved,
  ChannelMemberUpdated,
  DirectChannelCreated,
  GroupChannelCreated,
} from '../../channels/channels.events.js';
import { RoleUpdated } from '../../permissions/permissions.events.js';
import { TeamMemberAdded, TeamMemberRemoved, TeamMemberRolesUpdated } from '../../teams/teams.events.js';
import { UserActivationChanged, UserRolesUpdated, UserUpdated } from '../../users/users.events.js';
import { LiveConnections } from '../connections/live-connections.js';
import { CloseCode } from '../connections/live-socket.js';
import { LiveAudience } from '../live-audience.js';

/** Updates connections and audience synchronously, so that no later event reaches who has lost access. */
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

  /** A public channel can be read by more users. */
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
