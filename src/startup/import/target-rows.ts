import type { Session } from '../../messaging/auth/session.entity.js';
import type { UserAccessToken } from '../../messaging/auth/user-access-token.entity.js';
import type { ChannelMember } from '../../messaging/channels/channel-member.entity.js';
import type { Channel } from '../../messaging/channels/channel.entity.js';
import type { Role } from '../../messaging/permissions/role.entity.js';
import type { Post } from '../../messaging/posts/post.entity.js';
import type { TeamMember } from '../../messaging/teams/team-member.entity.js';
import type { Team } from '../../messaging/teams/team.entity.js';
import type { Preference } from '../../messaging/users/preference.entity.js';
import type { User } from '../../messaging/users/user.entity.js';
import type { IncomingHook } from '../../incoming-hooks/incoming-hook.entity.js';
import type { OutgoingHook } from '../../outgoing-hooks/outgoing-hook.entity.js';
import type { RemoteCluster } from '../../remote-cluster/remote-cluster.entity.js';
import type { SharedChannel, SharedChannelRemote } from '../../shared-channels/shared-channel.entity.js';

/** The tables here that an import fills, by the names of their entities. */
export interface TargetRows {
  Role: Role;
  User: User;
  Team: Team;
  TeamMember: TeamMember;
  Channel: Channel;
  ChannelMember: ChannelMember;
  Preference: Preference;
  UserAccessToken: UserAccessToken;
  Session: Session;
  Post: Post;
  IncomingHook: IncomingHook;
  OutgoingHook: OutgoingHook;
  RemoteCluster: RemoteCluster;
  SharedChannel: SharedChannel;
  SharedChannelRemote: SharedChannelRemote;
}

export type Target = keyof TargetRows;

/** A table here, and the properties of its key. */
export interface TargetTable {
  readonly to: Target;
  readonly keyHere: readonly string[];
}
