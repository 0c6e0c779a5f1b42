import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { ChannelsModule } from '../channels/channels.module.js';
import { PostsModule } from '../posts/posts.module.js';
import { TeamsModule } from '../teams/teams.module.js';
import { UsersModule } from '../users/users.module.js';
import { LiveActions } from './actions/live-actions.js';
import { TypingController } from './actions/typing.controller.js';
import { TypingService } from './actions/typing.service.js';
import { LiveConnections } from './connections/live-connections.js';
import { LivePresence } from './connections/live-presence.js';
import { LiveGateway } from './gateway/live-gateway.js';
import { LiveRouter } from './gateway/live-router.js';
import { AccessChangesListener, RoleEventsListener } from './listeners/access-changes.listener.js';
import { ChannelEventsListener, ChannelMemberEventsListener } from './listeners/channel-events.listener.js';
import { PostEventsListener } from './listeners/post-events.listener.js';
import { TeamEventsListener, UserEventsListener } from './listeners/team-events.listener.js';
import { LiveRelay, MissedEvents, PostsOfOthers, PostsToOthers } from './others/posts-of-others.js';
import { LiveAudience } from './live-audience.js';
import { LiveAuthentication } from './live-authentication.js';
import { LiveController } from './live.controller.js';
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
    PostsToOthers,
    PostsOfOthers,
    MissedEvents,
    LiveActions,
    TypingService,
    LiveTopics,
    LiveAuthentication,
    LiveRouter,
    LiveGateway,
    AccessChangesListener,
    PostEventsListener,
    ChannelEventsListener,
    ChannelMemberEventsListener,
    TeamEventsListener,
    UserEventsListener,
    RoleEventsListener,
  ],
  exports: [LiveEventsService, LiveTopics],
})
export class LiveModule {}
