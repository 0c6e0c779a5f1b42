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
import { CallRates } from './execution/call-rates.js';
import { HookPoster } from './execution/hook-poster.js';
import { UsableHooks } from './execution/usable-hooks.js';
import { HookMessagesController } from './messages/hook-messages.controller.js';
import { HookMessages } from './messages/hook-messages.service.js';
import { MessageKeys } from './messages/message-keys.service.js';
import { MessageWriter } from './messages/message-writer.js';
import { MessageKey, MessagePiece } from './messages/message.entity.js';
import { MessagesRepository } from './messages/messages.repository.js';
import { RefusedCalls } from './execution/refused-calls.js';
import { RocketChatPathController } from './execution/rocketchat-path.controller.js';
import { SlackPathController } from './execution/slack-path.controller.js';
import { TargetChannel } from './execution/target-channel.js';
import { IncomingHooksController } from './incoming-hooks.controller.js';
import { IncomingHookListsReadModel } from './incoming-hook-lists.read-model.js';
import { IncomingHooksRepository } from './incoming-hooks.repository.js';
import { IncomingHookChangesService } from './incoming-hook-changes.service.js';
import { IncomingHooksService } from './incoming-hooks.service.js';
import { IncomingHooksSettings } from './incoming-hooks.settings.js';
import { KeptRequestsService } from './kept-requests/kept-requests.service.js';
import { KeptRequest } from './kept-requests/kept-request.entity.js';
import { KeptRequestsController } from './kept-requests/kept-requests.controller.js';
import { KeptRequestsPolicy } from './kept-requests/kept-requests.policy.js';
import { KeptRequestsRepository } from './kept-requests/kept-requests.repository.js';
import { RequestKeeper } from './kept-requests/request-keeper.js';
import { PreviewService } from './preview.service.js';
import { AddIncomingMessages1795814000001 } from './migrations/1795814000001-add-incoming-messages.js';
import { AddFormats1700000000202 } from './migrations/1700000000202-add-formats.js';
import { CreateIncomingWebhooks1700000000009 } from './migrations/1700000000009-create-incoming-webhooks.js';
import { AddSlackPaths1700000000106 } from './migrations/1700000000106-add-slack-paths.js';
import { LimitIncomingWebhooks1700000000104 } from './migrations/1700000000104-limit-incoming-webhooks.js';
import { AddVerifiers1700000000110 } from './migrations/1700000000110-add-verifiers.js';
import { ResolveKeys1795827600123 } from './migrations/1795827600123-resolve-keys.js';
import { AddPreviousUrls1795900000000 } from './migrations/1795900000000-add-previous-urls.js';
import { PreviousUrl } from './url-rotation/previous-url.entity.js';
import { PreviousUrlsRepository } from './url-rotation/previous-urls.repository.js';
import { UrlRotationService } from './url-rotation/url-rotation.service.js';
import { VerifiersService } from './verification/verifiers.service.js';

/** Incoming webhooks: the records, and the path from a payload to posts. */
@Module({
  imports: [ChannelsModule, TeamsModule, UsersModule, OwnersModule, PostsModule],
  controllers: [
    KeptRequestsController, // `refusing` comes before `:hook_id`
    IncomingHooksController,
    SlackPathController,
    HookMessagesController,
    RocketChatPathController, // its path with a user would match messages
  ],
  providers: [
    IncomingHooksService,
    IncomingHookChangesService,
    IncomingHooksPolicy,
    IncomingHooksRepository,
    IncomingHookLimits,
    IncomingHookListsReadModel,
    HookPoster,
    CallRates,
    TargetChannel,
    UsableHooks,
    MessageWriter,
    MessageKeys,
    HookMessages,
    MessagesRepository,
    RequestKeeper,
    KeptRequestsService,
    KeptRequestsPolicy,
    KeptRequestsRepository,
    RefusedCalls,
    PreviewService,
    VerifiersService,
    UrlRotationService,
    PreviousUrlsRepository,
  ],
  exports: [IncomingHooksService, IncomingHookChangesService, HookPoster, RefusedCalls],
})
@Declares({
  migrations: [
    CreateIncomingWebhooks1700000000009,
    LimitIncomingWebhooks1700000000104,
    AddSlackPaths1700000000106,
    AddVerifiers1700000000110,
    AddFormats1700000000202,
    AddIncomingMessages1795814000001,
    ResolveKeys1795827600123,
    AddPreviousUrls1795900000000,
  ],
  entities: [IncomingHook, KeptRequest, MessageKey, MessagePiece, PreviousUrl],
  permissions: [IncomingHookPermission],
  settings: IncomingHooksSettings,
  apiGroups: [
    { name: 'incoming webhooks', position: 10, description: 'URLs to which programs post messages.' },
  ],
})
export class IncomingHooksModule {}
