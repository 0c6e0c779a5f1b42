import { Audit } from '../audit/audit.entity.js';
import { Session } from '../auth/session.entity.js';
import { UserAccessToken } from '../auth/user-access-token.entity.js';
import { ChannelMember } from '../channels/channel-member.entity.js';
import { Channel } from '../channels/channel.entity.js';
import { DeliveryAttempt } from '../dispatch/delivery-attempt.entity.js';
import { DeliveryRecovery } from '../dispatch/delivery-recovery.entity.js';
import { Delivery } from '../dispatch/delivery.entity.js';
import { IncomingHook } from '../incoming-hooks/incoming-hook.entity.js';
import { OutgoingHook } from '../outgoing-hooks/outgoing-hook.entity.js';
import { RemoteCluster } from '../remote-cluster/remote-cluster.entity.js';
import { SharedChannelRemote } from '../remote-cluster/shared-channels/shared-channel-remote.entity.js';
import { SharedChannel } from '../remote-cluster/shared-channels/shared-channel.entity.js';
import { Role } from '../permissions/role.entity.js';
import { IdempotencyKey } from '../posts/idempotency-key.entity.js';
import { Post } from '../posts/post.entity.js';
import { TeamMember } from '../teams/team-member.entity.js';
import { Team } from '../teams/team.entity.js';
import { Preference } from '../users/preference.entity.js';
import { User } from '../users/user.entity.js';
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
