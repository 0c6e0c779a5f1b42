import { Audit } from '../audit/audit.entity.js';
import { Session } from '../../messaging/auth/session.entity.js';
import { UserAccessToken } from '../../messaging/auth/user-access-token.entity.js';
import { ChannelMember } from '../../messaging/channels/channel-member.entity.js';
import { Channel } from '../../messaging/channels/channel.entity.js';
import { DeliveryAttempt } from '../../delivery/dispatch/delivery-attempt.entity.js';
import { DeliveryRecovery } from '../../delivery/dispatch/delivery-recovery.entity.js';
import { Delivery } from '../../delivery/dispatch/delivery.entity.js';
import { IncomingHook } from '../../incoming-hooks/incoming-hook.entity.js';
import { OutgoingHook } from '../../outgoing-hooks/outgoing-hook.entity.js';
import { RemoteCluster } from '../../remote-cluster/remote-cluster.entity.js';
import { SharedChannelRemote } from '../../shared-channels/shared-channel-remote.entity.js';
import { SharedChannel } from '../../shared-channels/shared-channel.entity.js';
import { Role } from '../../messaging/permissions/role.entity.js';
import { IdempotencyKey } from '../../messaging/posts/idempotency-key.entity.js';
import { Post } from '../../messaging/posts/post.entity.js';
import { TeamMember } from '../../messaging/teams/team-member.entity.js';
import { Team } from '../../messaging/teams/team.entity.js';
import { Preference } from '../../messaging/users/preference.entity.js';
import { User } from '../../messaging/users/user.entity.js';
import { CreateCore1700000000000 } from './migrations/1700000000000-create-core.js';
import { CreateOutgoing1700000000001 } from './migrations/1700000000001-create-outgoing.js';
import { CreateRemoteClusters1700000000002 } from './migrations/1700000000002-create-remote-clusters.js';
import { AddChannelShared1700000000003 } from './migrations/1700000000003-add-channel-shared.js';

/** Every table, and every migration in the order of its number. A new module adds its own here. */
export const ENTITIES = [
  Role,
  User,
  Preference,
  Session,
  UserAccessToken,
  Team,
  TeamMember,
  Channel,
  ChannelMember,
  Post,
  IdempotencyKey,
  IncomingHook,
  Audit,
  OutgoingHook,
  Delivery,
  DeliveryAttempt,
  DeliveryRecovery,
  RemoteCluster,
  SharedChannel,
  SharedChannelRemote,
];
export const MIGRATIONS = [
  CreateCore1700000000000,
  CreateOutgoing1700000000001,
  CreateRemoteClusters1700000000002,
  AddChannelShared1700000000003,
];
