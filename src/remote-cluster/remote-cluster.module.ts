import { Module } from '@nestjs/common';
import { Declares } from '../platform/modules/declares.js';
import { CreateRemoteClusters1700000000012 } from './migrations/1700000000012-create-remote-clusters.js';
import { RemoteCluster } from './remote-cluster.entity.js';
import { RemoteClusterPermission, RemoteClustersEnabledGuard } from './remote-clusters-enabled.guard.js';
import { DispatchModule } from '../delivery/dispatch/dispatch.module.js';
import { OutboundConnectionsModule, OutboundModule } from '../delivery/outbound/outbound.module.js';
import { LiveModule } from '../messaging/live/live.module.js';
import { TeamsModule } from '../messaging/teams/teams.module.js';
import { UsersModule } from '../messaging/users/users.module.js';
import { ConnectionsOfChannels, RemoteClusterRecords, RemoteClusterViews } from './remote-cluster-records.js';
import { AcceptanceService, InviteLimiter } from './handshake/acceptance.service.js';
import { ConfirmationService } from './handshake/confirmation.service.js';
import { InviteCodec, InviteKeys } from './invite/invite-codec.js';
import { ReceivedMessages } from './messages/received-messages.service.js';
import { PeerMessageKind } from './messages/peer-message.kind.js';
import { PeerMessages } from './messages/peer-messages.service.js';
import { Topics } from './messages/topics.js';
import { PeerClient } from './peer/peer-client.js';
import { PeerController } from './peer/peer.controller.js';
import { PeerCalls } from './peer/peer-calls.js';
import { RemotePeerGuard } from './peer/remote-peer.guard.js';
import { PeerMetrics } from './peer-metrics.js';
import { CheckLimiter, ChecksService } from './checks/checks.service.js';
import { PeerPresence } from './pings/peer-presence.js';
import { PingsService } from './pings/pings.service.js';
import { RemoteClusterFactory, RemoteClusterTokens } from './remote-cluster.factory.js';
import { RemoteClustersController } from './remote-clusters.controller.js';
import { RemoteClustersRepository } from './remote-clusters.repository.js';
import { RemoteClustersService } from './remote-clusters.service.js';
import { LiveEventsListener } from './live-events.listener.js';
import { RemoteClusterSettings } from './remote-cluster.settings.js';

const PEER_BODY_BYTES = 1024 * 1024;

/** Secure connections between servers, and the messages they exchange. */
@Module({
  imports: [TeamsModule, UsersModule, LiveModule, DispatchModule, OutboundModule, OutboundConnectionsModule],
  controllers: [PeerController, RemoteClustersController],
  providers: [
    InviteLimiter,
    RemoteClustersService,
    RemoteClusterRecords,
    RemoteClusterFactory,
    RemoteClustersRepository,
    ConnectionsOfChannels,
    RemoteClusterTokens,
    RemoteClusterViews,
    RemoteClustersEnabledGuard,
    RemotePeerGuard,
    PeerCalls,
    InviteCodec,
    InviteKeys,
    AcceptanceService,
    ConfirmationService,
    PeerClient,
    PeerPresence,
    PingsService,
    CheckLimiter,
    ChecksService,
    PeerMetrics,
    Topics,
    ReceivedMessages,
    PeerMessages,
    PeerMessageKind,
    LiveEventsListener,
  ],
  exports: [RemoteClusterRecords, ConnectionsOfChannels, Topics, PeerMessages],
})
@Declares({
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
