import { Module } from '@nestjs/common';
import { Declares } from '../platform/modules/declares.js';
import { IncomingHook } from './incoming-hook.entity.js';
import { IncomingHookLimits } from './incoming-hook-limits.js';
import { IncomingHookPermission } from './incoming-hooks.permissions.js';
import { OwnersModule } from '../messaging/owners/owners.module.js';
import { ChannelsModule } from '../messaging/channels/channels.module.js';
import { PostsModule } from '../messaging/posts/posts.module.js';
import { TeamsModule } from '../messaging/teams/teams.module.js';
import { UsersModule } from '../messaging/users/users.module.js';
import { ChannelArchivedListener } from './channel-archived.listener.js';
import { ExecutionFastLane } from './execution/execution-fast-lane.js';
import { HookExecutionController } from './execution/hook-execution.controller.js';
import { HookExecutionService } from './execution/hook-execution.service.js';
import { HookReach } from './execution/hook-reach.js';
import { HookPoster } from './execution/hook-poster.js';
import { RefusedCalls } from './execution/refused-calls.js';
import { TargetChannel } from './execution/target-channel.js';
import { HookUses } from './hook-uses.js';
import { IncomingHooksController } from './incoming-hooks.controller.js';
import { IncomingHookListsReadModel } from './incoming-hook-lists.read-model.js';
import { IncomingHooksPolicy } from './incoming-hooks.policy.js';
import { IncomingHooksRepository } from './incoming-hooks.repository.js';
import { IncomingHooksService } from './incoming-hooks.service.js';
import { IncomingHooksSettings } from './incoming-hooks.settings.js';
import { HookDeletedListener } from './kept-requests/hook-deleted.listener.js';
import { KeptRequest } from './kept-requests/kept-request.entity.js';
import { KeptRequestsController } from './kept-requests/kept-requests.controller.js';
import { KeptRequestsPolicy } from './kept-requests/kept-requests.policy.js';
import { KeptRequestsRepository } from './kept-requests/kept-requests.repository.js';
import { KeptRequestsService } from './kept-requests/kept-requests.service.js';
import { RefusingHooksController } from './kept-requests/refusing-hooks.controller.js';
import { RequestKeeper } from './kept-requests/request-keeper.js';
import { PreviewController } from './preview/preview.controller.js';
import { PreviewService } from './preview/preview.service.js';
import { IndexLiveWebhooks1795339137324 } from './migrations/1795339137324-index-live-webhooks.js';
import { AddHookMakers1795339963693 } from './migrations/1795339963693-add-hook-makers.js';
import { KeepRequests1795354879405 } from './migrations/1795354879405-keep-requests.js';
import { ListLiveWebhooks1795376420874 } from './migrations/1795376420874-list-live-webhooks.js';

/** Incoming webhooks: the records, and the path from a payload to posts. */
@Module({
  imports: [ChannelsModule, TeamsModule, UsersModule, OwnersModule, PostsModule],
  controllers: [
    RefusingHooksController, // before the routes of one webhook
    IncomingHooksController,
    KeptRequestsController,
    PreviewController,
    HookExecutionController,
  ],
  providers: [
    IncomingHooksService,
    IncomingHooksPolicy,
    IncomingHooksRepository,
    IncomingHookLimits,
    IncomingHookListsReadModel,
    HookUses,
    ChannelArchivedListener,
    HookExecutionService,
    ExecutionFastLane,
    HookPoster,
    TargetChannel,
    HookReach,
    RequestKeeper,
    KeptRequestsService,
    KeptRequestsPolicy,
    KeptRequestsRepository,
    HookDeletedListener,
    RefusedCalls,
    PreviewService,
  ],
  exports: [IncomingHooksService, HookPoster, RefusedCalls],
})
@Declares({
  migrations: [
    IndexLiveWebhooks1795339137324,
    AddHookMakers1795339963693,
    KeepRequests1795354879405,
    ListLiveWebhooks1795376420874,
  ],
  entities: [IncomingHook, KeptRequest],
  permissions: [IncomingHookPermission],
  settings: IncomingHooksSettings,
})
export class IncomingHooksModule {}
