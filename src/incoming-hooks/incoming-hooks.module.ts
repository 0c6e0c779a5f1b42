import { Module } from '@nestjs/common';
import { Declares } from '../platform/modules/declares.js';
import { IncomingHook } from './incoming-hook.entity.js';
import { IncomingHookLimits } from './incoming-hook.rules.js';
import { IncomingHookPermission, IncomingHooksPolicy } from './incoming-hooks.policy.js';
import { OwnersModule } from '../messaging/owners/owners.module.js';
import { ChannelsModule } from '../messaging/channels/channels.module.js';
import { PostsModule } from '../messaging/posts/posts.module.js';
import { TeamsModule } from '../messaging/teams/teams.module.js';
import { UsersModule } from '../messaging/users/users.module.js';
import { HookExecutionController } from './execution/hook-execution.controller.js';
import { HookPoster } from './execution/hook-poster.js';
import { RefusedCalls } from './execution/refused-calls.js';
import { TargetChannel } from './execution/target-channel.js';
import { IncomingHooksController } from './incoming-hooks.controller.js';
import { IncomingHookListsReadModel } from './incoming-hook-lists.read-model.js';
import { IncomingHooksRepository } from './incoming-hooks.repository.js';
import { IncomingHooksService } from './incoming-hooks.service.js';
import { IncomingHooksSettings } from './incoming-hooks.settings.js';
import { KeptRequestsService } from './kept-requests/kept-requests.service.js';
import { KeptRequest } from './kept-requests/kept-request.entity.js';
import { KeptRequestsController } from './kept-requests/kept-requests.controller.js';
import { KeptRequestsPolicy } from './kept-requests/kept-requests.policy.js';
import { KeptRequestsRepository } from './kept-requests/kept-requests.repository.js';
import { RequestKeeper } from './kept-requests/request-keeper.js';
import { PreviewService } from './preview.service.js';
import { AddFormats1700000000202 } from './migrations/1700000000202-add-formats.js';
import { CreateIncomingWebhooks1700000000009 } from './migrations/1700000000009-create-incoming-webhooks.js';

/** Incoming webhooks: the records, and the path from a payload to posts. */
@Module({
  imports: [ChannelsModule, TeamsModule, UsersModule, OwnersModule, PostsModule],
  controllers: [
    KeptRequestsController, // `refusing` comes before `:hook_id`
    IncomingHooksController,
    HookExecutionController,
  ],
  providers: [
    IncomingHooksService,
    IncomingHooksPolicy,
    IncomingHooksRepository,
    IncomingHookLimits,
    IncomingHookListsReadModel,
    HookPoster,
    TargetChannel,
    RequestKeeper,
    KeptRequestsService,
    KeptRequestsPolicy,
    KeptRequestsRepository,
    RefusedCalls,
    PreviewService,
  ],
  exports: [IncomingHooksService, HookPoster, RefusedCalls],
})
@Declares({
  migrations: [CreateIncomingWebhooks1700000000009, AddFormats1700000000202],
  entities: [IncomingHook, KeptRequest],
  permissions: [IncomingHookPermission],
  settings: IncomingHooksSettings,
  apiGroups: [
    { name: 'incoming webhooks', position: 10, description: 'URLs to which programs post messages.' },
  ],
})
export class IncomingHooksModule {}
