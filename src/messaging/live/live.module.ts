import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { ChannelsModule } from '../channels/channels.module.js';
import { PostsModule } from '../posts/posts.module.js';
import { TeamsModule } from '../teams/teams.module.js';
import { UsersModule } from '../users/users.module.js';
import { LiveActions } from './actions/live-actions.js';
import { LiveController, TypingController } from './live.controller.js';
import { LiveConnections } from './connections/live-connections.js';
import { LivePresence } from './connections/live-presence.js';
import { LiveGateway } from './gateway/live-gateway.js';
import { AccessChangesListener } from './listeners/access-changes.listener.js';
import { ChannelEventsListener } from './listeners/channel-events.listener.js';
import { PostEventsListener } from './listeners/post-events.listener.js';
import { TeamEventsListener, UserEventsListener } from './listeners/team-events.listener.js';
import { LiveRelay, PostsOfOthers } from './others/posts-of-others.js';
import { LiveAudience } from './live-audience.js';
import { LiveAuthentication } from './live-authentication.js';
import { LiveEventsService } from './live-events.service.js';
import { LiveLimits } from './live-limits.js';
import { LiveTopics } from './topics/live-topics.js';

/** The stream of events over WebSockets. */
@Module({
  imports: [AuthModule, UsersModule, TeamsModule, ChannelsModule, PostsModule],
  controllers: [LiveController, TypingController],
  providers: [
    LiveLimits,
    LivePresence,
    LiveConnections,
    LiveAudience,
    LiveEventsService,
    LiveRelay,
    PostsOfOthers,
    LiveActions,
    LiveTopics,
    LiveAuthentication,
    LiveGateway,
    AccessChangesListener,
    PostEventsListener,
    ChannelEventsListener,
    TeamEventsListener,
    UserEventsListener,
  ],
  exports: [LiveEventsService, LiveTopics],
})
export class LiveModule {}
