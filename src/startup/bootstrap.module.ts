import { Module } from '@nestjs/common';
import { OutboundConnectionsModule } from '../delivery/outbound/outbound.module.js';
import { ChannelsModule } from '../messaging/channels/channels.module.js';
import { IncomingHooksModule } from '../incoming-hooks/incoming-hooks.module.js';
import { TeamsModule } from '../messaging/teams/teams.module.js';
import { UsersModule } from '../messaging/users/users.module.js';
import { Declares } from '../platform/modules/declares.js';
import { Import } from './import/import.entity.js';
import { CreateImports1795924800000 } from './migrations/1795924800000-create-imports.js';
import { BootstrapService } from './bootstrap.service.js';
import { BootstrapSettings } from './bootstrap.settings.js';
import { ListeningPlaces } from './listening-places.js';

/** Creates an administrator, a team and a webhook on a new server; announces where the server listens. */
@Module({
  imports: [UsersModule, TeamsModule, ChannelsModule, IncomingHooksModule, OutboundConnectionsModule],
  providers: [BootstrapService, ListeningPlaces],
})
@Declares({ settings: BootstrapSettings, entities: [Import], migrations: [CreateImports1795924800000] })
export class BootstrapModule {}
