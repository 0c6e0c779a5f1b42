import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AuthModule } from './auth/auth.module.js';
import { AuthenticationGuard } from './auth/authentication.guard.js';
import { ChannelsModule } from './channels/channels.module.js';
import { LiveModule } from './live/live.module.js';
import { OwnersModule } from './owners/owners.module.js';
import { AccessGuard } from './permissions/access.guard.js';
import { PermissionsModule } from './permissions/permissions.module.js';
import { PostsModule } from './posts/posts.module.js';
import { SystemModule } from './system/system.module.js';
import { TeamsModule } from './teams/teams.module.js';
import { UserLookupController } from './users/listing/users-listing.controller.js';
import { UsersModule } from './users/users.module.js';

/** What each request to a route passes, in this order: the caller is identified, then their access is checked. */
const GLOBAL_GUARDS = [AuthenticationGuard, AccessGuard];

/** A messaging server: accounts, teams, channels, posts, and the stream of events. */
@Module({
  imports: [
    PermissionsModule,
    AuthModule, // before UsersModule, so that `users/tokens` is matched before `users/:user_id`
    UsersModule,
    TeamsModule,
    OwnersModule,
    ChannelsModule,
    PostsModule,
    LiveModule,
    SystemModule,
  ],
  controllers: [UserLookupController], // a module's own controllers precede those of its imports
  providers: GLOBAL_GUARDS.map((guard) => ({ provide: APP_GUARD, useExisting: guard })),
})
export class MessagingModule {}
