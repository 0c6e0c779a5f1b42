import { Module } from '@nestjs/common';
import { DispatchModule } from '../delivery/dispatch/dispatch.module.js';
import { PostsModule } from '../messaging/posts/posts.module.js';
import { UsersModule } from '../messaging/users/users.module.js';
import { OutgoingHooksModule } from '../outgoing-hooks/outgoing-hooks.module.js';
import { Declares } from '../platform/modules/declares.js';
import { RemoteClusterModule } from '../remote-cluster/remote-cluster.module.js';
import { ExpiryReminders } from './expiry-reminders.js';
import { AuthModule } from '../messaging/auth/auth.module.js';
import { IncomingHooksModule } from '../incoming-hooks/incoming-hooks.module.js';
import { Failure } from './failure.entity.js';
import { FailureMessagesSettings } from './failure-messages.settings.js';
import { FailuresRepository } from './failures.repository.js';
import { FailuresService } from './failures.service.js';
import { CreateFailures1700000000014 } from './migrations/1700000000014-create-failures.js';
import { MissedFailures, PeerWatch } from './missed-failures.js';
import { OutgoingFailuresListener } from './outgoing-failures.listener.js';

/** Sends direct messages to users whose webhooks or connections fail, or whose webhooks or tokens expire soon. */
@Module({
  imports: [
    AuthModule,
    IncomingHooksModule,
    DispatchModule,
    UsersModule,
    PostsModule,
    OutgoingHooksModule,
    RemoteClusterModule,
  ],
  providers: [
    FailuresService,
    FailuresRepository,
    OutgoingFailuresListener,
    MissedFailures,
    PeerWatch,
    ExpiryReminders,
  ],
})
@Declares({
  entities: [Failure],
  migrations: [CreateFailures1700000000014],
  settings: FailureMessagesSettings,
})
export class FailureMessagesModule {}
