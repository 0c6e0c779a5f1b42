import { DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { ErrorFilter } from './app.filter.js';
import { AuditInterceptor } from './platform/audit/audit.interceptor.js';
import { AuditModule } from './platform/audit/audit.module.js';
import { AuthModule } from './messaging/auth/auth.module.js';
import { AuthenticationGuard } from './messaging/auth/authentication.guard.js';
import { BootstrapModule } from './startup/bootstrap.module.js';
import { ChannelsModule } from './messaging/channels/channels.module.js';
import { EventsModule } from './platform/events/events.module.js';
import { ConfigModule } from './platform/config/config.module.js';
import { Settings } from './platform/config/settings.js';
import type { OwnerLock } from './platform/database/owner-lock.js';
import { DatabaseModule } from './platform/database/database.module.js';
import { HealthModule } from './platform/health/health.module.js';
import { IncomingHooksModule } from './incoming-hooks/incoming-hooks.module.js';
import { LiveModule } from './messaging/live/live.module.js';
import { MetricsModule } from './platform/metrics/metrics.module.js';
import { AccessGuard } from './messaging/permissions/access.guard.js';
import { PermissionsModule } from './messaging/permissions/permissions.module.js';
import { OutgoingHooksModule } from './outgoing-hooks/outgoing-hooks.module.js';
import { PostsModule } from './messaging/posts/posts.module.js';
import { RemoteClusterModule } from './remote-cluster/remote-cluster.module.js';
import { SecretsModule } from './platform/secrets/secrets.module.js';
import { SharedChannelsModule } from './shared-channels/shared-channels.module.js';
import { SystemModule } from './messaging/system/system.module.js';
import { TeamsModule } from './messaging/teams/teams.module.js';
import { UsersModule } from './messaging/users/users.module.js';

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
        SharedChannelsModule,
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
