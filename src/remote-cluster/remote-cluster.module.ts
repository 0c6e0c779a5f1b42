import { Module } from '@nestjs/common';
import { ChannelsModule } from '../messaging/channels/channels.module.js';
import { DispatchModule } from '../delivery/dispatch/dispatch.module.js';
import { OutboundConnectionsModule, OutboundModule } from '../delivery/outbound/outbound.module.js';
import { LiveModule } from '../messaging/live/live.module.js';
import { PostsModule } from '../messaging/posts/posts.module.js';
import { TeamsModule } from '../messaging/teams/teams.module.js';
import { UsersModule } from '../messaging/users/users.module.js';
import { AcceptanceService } from './handshake/acceptance.service.js';
import { ConfirmationService } from './handshake/confirmation.service.js';
import { InviteCodec } from './invite/invite-codec.js';
import { InviteKeys } from './invite/key-derivation.js';
import { ReceivedMessages } from './messages/received-messages.service.js';
import { PeerMessageKind } from './messages/peer-message.kind.js';
import { PeerMessages } from './messages/peer-messages.service.js';
import { Topics } from './messages/topics.js';
import { PeerClient } from './peer/peer-client.js';
import { PeerController } from './peer/peer.controller.js';
import { RemotePeerGuard } from './peer/remote-peer.guard.js';
import { PeerMetrics } from './pings/peer-metrics.js';
import { PingsService } from './pings/pings.service.js';
import { RemoteClusterTokens } from './remote-cluster-tokens.js';
import { RemoteClustersController } from './remote-clusters.controller.js';
import { RemoteClustersEnabledGuard } from './remote-clusters-enabled.guard.js';
import { RemoteClustersRepository } from './remote-clusters.repository.js';
import { RemoteClustersService } from './remote-clusters.service.js';
import { LiveEventsListener } from './live-events.listener.js';
import { ChannelInviteTopic } from '../shared-channels/invite.topic.js';
import { ShareIndex } from '../shared-channels/share-index.js';
import { SharedChannelsController } from '../shared-channels/shared-channels.controller.js';
import { SharedChannelsRepository } from '../shared-channels/shared-channels.repository.js';
import { SharedChannelsService } from '../shared-channels/shared-channels.service.js';
import { MissedPosts } from '../shared-channels/missed-posts.service.js';
import { SyncListener } from '../shared-channels/sync.listener.js';
import { SyncTopic } from '../shared-channels/sync.topic.js';

/** Secure connections: two servers that trust each other, and what they say to each other. */
@Module({
  imports: [
    TeamsModule,
    UsersModule,
    ChannelsModule,
    PostsModule,
    LiveModule,
    DispatchModule,
    OutboundModule,
    OutboundConnectionsModule,
  ],
  controllers: [PeerController, SharedChannelsController, RemoteClustersController],
  providers: [
    RemoteClustersService,
    RemoteClustersRepository,
    RemoteClusterTokens,
    RemoteClustersEnabledGuard,
    RemotePeerGuard,
    InviteCodec,
    InviteKeys,
    AcceptanceService,
    ConfirmationService,
    PeerClient,
    PingsService,
    PeerMetrics,
    Topics,
    ReceivedMessages,
    PeerMessages,
    PeerMessageKind,
    SharedChannelsService,
    SharedChannelsRepository,
    ShareIndex,
    ChannelInviteTopic,
    MissedPosts,
    SyncTopic,
    SyncListener,
    LiveEventsListener,
  ],
  exports: [RemoteClustersService, Topics, PeerMessages],
})
export class RemoteClusterModule {}
