import { Module } from '@nestjs/common';
import { Declares } from '../../platform/modules/declares.js';
import { ChannelMember } from './channel-member.entity.js';
import { Channel } from './channel.entity.js';
import { TeamsModule } from '../teams/teams.module.js';
import { UsersModule } from '../users/users.module.js';
import { ChannelCache } from './channel-cache.js';
import { ChannelAttentionController } from './channel-attention.controller.js';
import { ChannelListReadModel } from './channel-list.read-model.js';
import { ChannelMemberRolesController } from './channel-member-roles.controller.js';
import { ChannelMembersController } from './channel-members.controller.js';
import { ChannelMembersRepository } from './channel-members.repository.js';
import { ChannelMembersService } from './channel-members.service.js';
import { ChannelMemberRecords } from './channel-member-records.js';
import { ChannelsService } from './channels.service.js';
import { ChannelScope } from './channel.scope.js';
import { ChannelsSettings } from './channels.settings.js';
import { ChannelsController } from './channels.controller.js';
import { ChannelsPolicy } from './channels.policy.js';
import { ChannelsRepository } from './channels.repository.js';
import { ChannelRecords } from './channel-records.js';
import { ChannelRoom } from './channel-room.js';
import { DefaultChannelsListener } from './default-channels.listener.js';
import { DirectChannelsController } from './direct-channels.controller.js';
import { DirectChannelRecords } from './direct-channel-records.js';
import { ChannelMemberAccountListener } from './member-account.listener.js';
import { MemberTimezonesReadModel } from './member-timezones.read-model.js';
import { PinnedPostsReadModel } from './pinned-posts.read-model.js';
import { ChannelSearchController } from './searching/channel-search.controller.js';
import { ChannelSearchReadModel } from './searching/channel-search.read-model.js';
import { ChannelSearchService } from './searching/channel-search.service.js';
import { SidebarController } from './sidebar.controller.js';
import { SidebarService } from './sidebar.service.js';
import { TeamChannelsController } from './team-channels.controller.js';
import { UnreadService } from './unread.service.js';
import { UserChannelsController } from './user-channels.controller.js';
import { ChannelPermission } from './channels.permissions.js';
import { OrderChannels1795380104001 } from './migrations/1795380104001-order-channels.js';
import { OrderCommits1795422205528 } from './migrations/1795422205528-order-commits.js';

/** Channels and their members. */
@Module({
  imports: [UsersModule, TeamsModule],
  controllers: [
    DirectChannelsController,
    ChannelSearchController,
    ChannelsController,
    ChannelAttentionController,
    ChannelMembersController,
    ChannelMemberRolesController,
    TeamChannelsController,
    UserChannelsController,
    SidebarController,
  ],
  providers: [
    ChannelRecords,
    ChannelMembersService,
    UnreadService,
    ChannelMemberRecords,
    ChannelRoom,
    ChannelsService,
    ChannelCache,
    DirectChannelRecords,
    ChannelsPolicy,
    ChannelsRepository,
    ChannelMembersRepository,
    MemberTimezonesReadModel,
    ChannelListReadModel,
    PinnedPostsReadModel,
    SidebarService,
    ChannelSearchReadModel,
    ChannelSearchService,
    DefaultChannelsListener,
    ChannelMemberAccountListener,
    ChannelScope,
  ],
  exports: [ChannelRecords, ChannelMembersService, ChannelsPolicy],
})
@Declares({
  migrations: [OrderChannels1795380104001, OrderCommits1795422205528],
  entities: [Channel, ChannelMember],
  permissions: [ChannelPermission],
  settings: ChannelsSettings,
})
export class ChannelsModule {}
