import { Module } from '@nestjs/common';
import { Declares } from '../platform/modules/declares.js';
import { CreateRemoteClusters1700000000002 } from './migrations/1700000000002-create-remote-clusters.js';
import { ClaimPings1795448500000 } from './migrations/1795448500000-claim-pings.js';
import { WatchPeers1795476627418 } from './migrations/1795476627418-watch-peers.js';
import { RemoteCluster } from './remote-cluster.entity.js';
import { RemoteClusterPermission } from './remote-cluster.permissions.js';
import { DispatchModule } from '../delivery/dispatch/dispatch.module.js';
import { OutboundConnectionsModule, OutboundModule } from '../delivery/outbound/outbound.module.js';
import { LiveModule } from '../messaging/live/live.module.js';
import { TeamsModule } from '../messaging/teams/teams.module.js';
import { UsersModule } from '../messaging/users/users.module.js';
import { ConnectionsOfChannels } from './connections-of-channels.js';
import { AcceptanceService } from './handshake/acceptance.service.js';
import { ConfirmationService } from './handshake/confirmation.service.js';
import { InviteLimiter } from './handshake/invite-limiter.js';
import { InviteCodec } from './invite/invite-codec.js';
import { InviteKeys } from './invite/key-derivation.js';
import { ReceivedMessages } from './messages/received-messages.service.js';
import { PeerMessageKind } from './messages/peer-message.kind.js';
import { PeerMessages } from './messages/peer-messages.service.js';
import { Topics } from './messages/topics.js';
import { PeerClient } from './peer/peer-client.js';
import { PeerController } from './peer/peer.controller.js';
import { PeerCalls } from './peer/peer-calls.js';
import { RemotePeerGuard } from './peer/remote-peer.guard.js';
import { PeerMetrics } from './peer-metrics.js';
import { CheckLimiter } from './checks/check-limiter.js';
import { ChecksService } from './checks/checks.service.js';
import { PeerPresence } from './pings/peer-presence.js';
import { PingsService } from './pings/pings.service.js';
import { RemoteClusterFactory } from './remote-cluster.factory.js';
import { RemoteClusterRecords } from './remote-cluster-records.js';
import { RemoteClusterTokens } from './remote-cluster-tokens.js';
import { RemoteClusterViews } from './remote-cluster-views.js';
import { RemoteClustersController } from './remote-clusters.controller.js';
import { RemoteClustersEnabledGuard } from './remote-clusters-enabled.guard.js';
import { RemoteClustersRepository } from './remote-clusters.repository.js';
import { RemoteClustersService } from './remote-clusters.service.js';
import { LiveEventsListener } from './live-events.listener.js';
import { RemoteClusterSettings } from './remote-cluster.settings.js';

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
  migrations: [CreateRemoteClusters1700000000002, ClaimPings1795448500000, WatchPeers1795476627418],
  permissions: [RemoteClusterPermission],
  settings: RemoteClusterSettings,
})
export class RemoteClusterModule {}
