import { Module } from '@nestjs/common';
import { Declares } from '../platform/modules/declares.js';
import { CreateRemoteClusters1700000000012 } from './migrations/1700000000012-create-remote-clusters.js';
import { RemoteCluster } from './remote-cluster.entity.js';
import {
  RemoteClusterPermission,
  RemoteClustersEnabledGuard,
  RemotePeerGuard,
} from './peer/remote-peer.guard.js';
import { DispatchModule } from '../delivery/dispatch/dispatch.module.js';
import { OutboundConnectionsModule, OutboundModule } from '../delivery/outbound/outbound.module.js';
import { LiveModule } from '../messaging/live/live.module.js';
import { TeamsModule } from '../messaging/teams/teams.module.js';
import { UsersModule } from '../messaging/users/users.module.js';
import { RemoteClusterRecords } from './remote-cluster-records.js';
import { AcceptanceService, ConfirmationService } from './handshake.service.js';
import { InviteCodec } from './invite.js';
import { Topics } from './messages/topics.js';
import { PeerMessageKind } from './messages/peer-message.kind.js';
import { PeerMessages } from './messages/peer-messages.service.js';
import { PeerClient } from './peer/peer-client.js';
import { PeerController } from './peer/peer.controller.js';
import { PeerPresence } from './pings/peer-presence.js';
import { PeerMetrics } from './peer-metrics.js';
import { ChecksService } from './pings/checks.service.js';
import { PingsService } from './pings/pings.service.js';
import { RemoteClusterTokens } from './remote-cluster-tokens.js';
import { RemoteClustersController } from './remote-clusters.controller.js';
import { RemoteClustersRepository } from './remote-clusters.repository.js';
import { RemoteClustersService } from './remote-clusters.service.js';
import { RemoteClusterSettings } from './remote-cluster.settings.js';

const PEER_BODY_BYTES = 1024 * 1024;

/** Secure connections between servers, and the messages they exchange. */
@Module({
  imports: [TeamsModule, UsersModule, LiveModule, DispatchModule, OutboundModule, OutboundConnectionsModule],
  controllers: [PeerController, RemoteClustersController],
  providers: [
    RemoteClustersService,
    RemoteClusterRecords,
    RemoteClustersRepository,
    RemoteClusterTokens,
    RemoteClustersEnabledGuard,
    RemotePeerGuard,
    InviteCodec,
    AcceptanceService,
    ConfirmationService,
    PeerClient,
    PeerPresence,
    PingsService,
    ChecksService,
    PeerMetrics,
    Topics,
    PeerMessages,
    PeerMessageKind,
  ],
  exports: [RemoteClusterRecords, Topics, PeerMessages],
})
@Declares({
  apiGroups: [
    {
      name: 'secure connections',
      position: 40,
      description: 'Servers that trust each other: create or accept an invite.',
    },
    { name: 'between servers', position: 190, description: 'Calls between connected servers only.' },
  ],
  entities: [RemoteCluster],
  migrations: [CreateRemoteClusters1700000000012],
  permissions: [RemoteClusterPermission],
  settings: RemoteClusterSettings,
  bodyLimits: {
    '/api/v4/remotecluster/ping': PEER_BODY_BYTES,
    '/api/v4/remotecluster/msg': PEER_BODY_BYTES,
    '/api/v4/remotecluster/confirm_invite': PEER_BODY_BYTES,
  },
})
export class RemoteClusterModule {}
