import { DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { ErrorFilter } from './app.filter.js';
import { AuditInterceptor } from './audit/audit.interceptor.js';
import { AuditModule } from './audit/audit.module.js';
import { AuthModule } from './auth/auth.module.js';
import { AuthenticationGuard } from './auth/authentication.guard.js';
import { BootstrapModule } from './bootstrap/bootstrap.module.js';
import { ChannelsModule } from './channels/channels.module.js';
import { EventsModule } from './common/events/events.module.js';
import { ConfigModule } from './config/config.module.js';
import { Settings } from './config/settings.js';
import type { OwnerLock } from './database/owner-lock.js';
import { DatabaseModule } from './database/database.module.js';
import { HealthModule } from './health/health.module.js';
import { IncomingHooksModule } from './incoming-hooks/incoming-hooks.module.js';
import { LiveModule } from './live/live.module.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { AccessGuard } from './permissions/access.guard.js';
import { PermissionsModule } from './permissions/permissions.module.js';
import { OutgoingHooksModule } from './outgoing-hooks/outgoing-hooks.module.js';
import { PostsModule } from './posts/posts.module.js';
import { RemoteClusterModule } from './remote-cluster/remote-cluster.module.js';
import { SecretsModule } from './secrets/secrets.module.js';
import { SystemModule } from './system/system.module.js';
import { TeamsModule } from './teams/teams.module.js';
import { UsersModule } from './users/users.module.js';

/** The list of modules. A new feature is a folder and one line here. */
@Module({})
export class AppModule {
  static with(settings: Settings, ownerLock: OwnerLock): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.with(settings),
        DatabaseModule.forRoot(ownerLock),
        EventsModule,
        SecretsModule,
        PermissionsModule,
        AuditModule,
        MetricsModule,
        AuthModule, // before the users: GET users/tokens must not be taken for GET users/:user_id
        UsersModule,
        TeamsModule,
        ChannelsModule,
        PostsModule,
        LiveModule,
        IncomingHooksModule,
        OutgoingHooksModule,
        RemoteClusterModule,
        BootstrapModule,
        HealthModule,
        SystemModule,
      ],
      providers: [
        { provide: APP_GUARD, useExisting: AuthenticationGuard }, // who is it; then
        { provide: APP_GUARD, useExisting: AccessGuard }, // may they enter
        { provide: APP_INTERCEPTOR, useExisting: AuditInterceptor },
        ErrorFilter,
        { provide: APP_FILTER, useExisting: ErrorFilter },
      ],
    };
  }
}
