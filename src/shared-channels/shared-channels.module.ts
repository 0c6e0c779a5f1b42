import { Module } from '@nestjs/common';
import { DispatchModule } from '../delivery/dispatch/dispatch.module.js';
import { ChannelsModule } from '../messaging/channels/channels.module.js';
import { PostsModule } from '../messaging/posts/posts.module.js';
import { TeamsModule } from '../messaging/teams/teams.module.js';
import { UsersModule } from '../messaging/users/users.module.js';
import { RemoteClusterModule } from '../remote-cluster/remote-cluster.module.js';
import { Declares } from '../platform/modules/declares.js';
import { CreateSharedChannels1700000000013 } from './migrations/1700000000013-create-shared-channels.js';
import { AddBehind1796000000000 } from './migrations/1796000000000-add-behind.js';
import { SharedChannel, SharedChannelRemote } from './shared-channel.entity.js';
import { SharedChannelPermission } from './shared-channels.errors.js';
import { SharedChannelsSettings } from './shared-channels.settings.js';
import { SharedChannelsReadModel } from './shared-channels.read-model.js';
import { InviteTopic, UninviteTopic } from './invite.topic.js';
import { PostSender } from './sync/post-sender.js';
import { ShareIndex } from './share-index.js';
import { SharedChannelsController } from './shared-channels.controller.js';
import { SharedChannelsRepository } from './shared-channels.repository.js';
import { SharedChannelsService } from './shared-channels.service.js';
import { SyncedPosts, SyncTopic } from './sync/sync.topic.js';
import { SyncedAccounts } from './sync/synced-accounts.service.js';

/** Channels shared between servers: posts and their authors are synchronized over secure connections. */
@Module({
  imports: [DispatchModule, RemoteClusterModule, UsersModule, TeamsModule, ChannelsModule, PostsModule],
  controllers: [SharedChannelsController],
  providers: [
    SharedChannelsService,
    SharedChannelsRepository,
    ShareIndex,
    SharedChannelsReadModel,
    InviteTopic,
    UninviteTopic,
    SyncTopic,
    PostSender,
    SyncedAccounts,
    SyncedPosts,
  ],
})
@Declares({
  entities: [SharedChannel, SharedChannelRemote],
  migrations: [CreateSharedChannels1700000000013, AddBehind1796000000000],
  permissions: [SharedChannelPermission],
  settings: SharedChannelsSettings,
  apiGroups: [
    { name: 'shared channels', position: 50, description: 'Channels that several connected servers share.' },
  ],
})
export class SharedChannelsModule {}
