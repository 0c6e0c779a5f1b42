import { Module } from '@nestjs/common';
import { Declares } from '../../platform/modules/declares.js';
import { ChannelMember } from './channel-member.entity.js';
import { Channel } from './channel.entity.js';
import { TeamsModule } from '../teams/teams.module.js';
import { UsersModule } from '../users/users.module.js';
import { ChannelCache } from './channel-cache.js';
import { UserChannelsController } from './user-channels.controller.js';
import { ChannelListReadModel } from './channel-list.read-model.js';
import { ChannelMembersController } from './channel-members.controller.js';
import { ChannelMembersRepository } from './channel-members.repository.js';
import { ChannelMembersService } from './channel-members.service.js';
import { ChannelMemberRecords } from './channel-member-records.js';
import { ChannelsService } from './channels.service.js';
import { ChannelScope, ChannelsPolicy } from './channels.policy.js';
import { ChannelsSettings } from './channels.settings.js';
import { ChannelsController } from './channels.controller.js';
import { ChannelsRepository } from './channels.repository.js';
import { ChannelRecords } from './channel-records.js';
import { ChannelRoom } from './channel-room.js';
import { ChannelMemberAccountListener, DefaultChannelsListener } from './default-channels.listener.js';
import { DirectChannelRecords } from './direct-channel-records.js';
import { MemberTimezonesReadModel } from './member-timezones.read-model.js';
import { PinnedPostsReadModel } from './pinned-posts.read-model.js';
import { TeamChannelsController } from './team-channels.controller.js';
import { ChannelSearchReadModel } from './searching/channel-search.read-model.js';
import { ChannelSearchService } from './searching/channel-search.service.js';
import { SidebarController } from './sidebar.controller.js';
import { SidebarService, UnreadService } from './unread.service.js';
import { ChannelPermission } from './channels.permissions.js';
import { CreateChannels1700000000006 } from './migrations/1700000000006-create-channels.js';

/** Channels and their members. */
@Module({
  imports: [UsersModule, TeamsModule],
  controllers: [
    ChannelsController,
    ChannelMembersController,
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
  migrations: [CreateChannels1700000000006],
  entities: [Channel, ChannelMember],
  permissions: [ChannelPermission],
  settings: ChannelsSettings,
})
export class ChannelsModule {}
