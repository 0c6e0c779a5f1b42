import { Module } from '@nestjs/common';
import { Declares } from '../../platform/modules/declares.js';
import { ChannelMember } from './channel-member.entity.js';
import { Channel } from './channel.entity.js';
import { TeamsModule } from '../teams/teams.module.js';
import { UsersModule } from '../users/users.module.js';
import { UserChannelsController } from './user-channels.controller.js';
import { UserChannelsService } from './user-channels.service.js';
import { ChannelMembersController } from './channel-members.controller.js';
import { ChannelMembersRepository } from './channel-members.repository.js';
import { ChannelMembersService } from './channel-members.service.js';
import { ChannelsService } from './channels.service.js';
import { ChannelScope, ChannelsPolicy, ChannelPermission } from './channels.policy.js';
import { ChannelsSettings } from './channels.settings.js';
import { ChannelsController } from './channels.controller.js';
import { ChannelsRepository } from './channels.repository.js';
import { ChannelsReadModel } from './channels.read-model.js';
import { DirectChannelsService } from './direct-channels.service.js';
import { TeamChannelsController } from './team-channels.controller.js';
import { TeamChannelsService } from './team-channels.service.js';
import { CreateChannels1700000000006 } from './migrations/1700000000006-create-channels.js';
import { RemoveGuests1700000000100 } from './migrations/1700000000100-remove-guests.js';

/** Channels and their members. */
@Module({
  imports: [UsersModule, TeamsModule],
  controllers: [ChannelsController, ChannelMembersController, TeamChannelsController, UserChannelsController],
  providers: [
    ChannelMembersService,
    ChannelsService,
    DirectChannelsService,
    ChannelsPolicy,
    ChannelsRepository,
    ChannelMembersRepository,
    UserChannelsService,
    ChannelsReadModel,
    TeamChannelsService,
    ChannelScope,
  ],
  exports: [ChannelsService, DirectChannelsService, ChannelMembersService, ChannelsPolicy],
})
@Declares({
  migrations: [CreateChannels1700000000006, RemoveGuests1700000000100],
  entities: [Channel, ChannelMember],
  permissions: [ChannelPermission],
  settings: ChannelsSettings,
  apiGroups: [{ name: 'channels', position: 70, description: 'Places for messages, and their members.' }],
})
export class ChannelsModule {}
