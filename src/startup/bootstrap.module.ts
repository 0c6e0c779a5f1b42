import { Module } from '@nestjs/common';
import { ChannelsModule } from '../messaging/channels/channels.module.js';
import { IncomingHooksModule } from '../incoming-hooks/incoming-hooks.module.js';
import { TeamsModule } from '../messaging/teams/teams.module.js';
import { UsersModule } from '../messaging/users/users.module.js';
import { Declares } from '../platform/modules/declares.js';
import { BootstrapService } from './bootstrap.service.js';
import { BootstrapSettings } from './bootstrap.settings.js';

/** Creates the contents of a new server: an administrator, a team and a webhook. */
@Module({
  imports: [UsersModule, TeamsModule, ChannelsModule, IncomingHooksModule],
  providers: [BootstrapService],
})
@Declares({ settings: BootstrapSettings })
export class BootstrapModule {}
