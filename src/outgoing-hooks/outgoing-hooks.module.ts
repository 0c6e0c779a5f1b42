import { Module } from '@nestjs/common';
import { Declares } from '../platform/modules/declares.js';
import { CreateOutgoingWebhooks1700000000010 } from './migrations/1700000000010-create-outgoing-webhooks.js';
import { OutgoingHook } from './outgoing-hook.entity.js';
import { OutgoingHookPermission, OutgoingHooksPolicy } from './outgoing-hooks.policy.js';
import { ChannelsModule } from '../messaging/channels/channels.module.js';
import { DispatchModule } from '../delivery/dispatch/dispatch.module.js';
import { LiveModule } from '../messaging/live/live.module.js';
import { OutboundConnectionsModule, OutboundModule } from '../delivery/outbound/outbound.module.js';
import { OwnersModule } from '../messaging/owners/owners.module.js';
import { PostsModule } from '../messaging/posts/posts.module.js';
import { TeamsModule } from '../messaging/teams/teams.module.js';
import { UsersModule } from '../messaging/users/users.module.js';
import { CallbackUrlWarnings } from './callback-url-warnings.js';
import { ChannelArchivedListener, PostDeletedListener } from './channel-archived.listener.js';
import { TriggeredDeliveries } from './delivery/triggered-deliveries.js';
import { AllDeliveriesController } from './delivery-log/all-deliveries.controller.js';
import { AllDeliveriesService } from './delivery-log/all-deliveries.service.js';
import { DeliveriesController } from './delivery-log/deliveries.controller.js';
import { DeliveryLogService } from './delivery-log/delivery-log.service.js';
import { HookReadiness } from './delivery-log/hook-readiness.js';
import { DeliveryTail } from './delivery-tail/delivery-tail.js';
import { RetriesService } from './delivery-log/retries.service.js';
import { TestCallPlaces } from './delivery-log/test-call-places.js';
import { EndpointHealth } from './delivery/endpoint-health.js';
import { GivenUpDeliveries } from './delivery/given-up-deliveries.js';
import { OutgoingHookKind } from './delivery/outgoing-hook.kind.js';
import { Replies } from './delivery/replies.js';
import { DryRunController } from './dry-run/dry-run.controller.js';
import { DryRunService } from './dry-run/dry-run.service.js';
import { EndpointDirectory } from './endpoints/endpoint-directory.js';
import { EndpointsController } from './endpoints/endpoints.controller.js';
import { EndpointsService } from './endpoints/endpoints.service.js';
import { LiveEventsListener } from './live-events.listener.js';
import { ExplainController, ExplainService } from './matching/explain.service.js';
import { TeamTriggersCache } from './matching/team-triggers-cache.js';
import { TriggerIndex } from './matching/trigger-index.js';
import { OutgoingHookChecks } from './outgoing-hook.rules.js';
import { OutgoingHookCache, OutgoingHookRecords } from './outgoing-hook-records.js';
import { OutgoingHookSecrets } from './outgoing-hook-secrets.js';
import { OutgoingHookListsReadModel } from './outgoing-hook-lists.read-model.js';
import { OutgoingHookViews } from './outgoing-hook-views.js';
import { OutgoingHooksController } from './outgoing-hooks.controller.js';
import { OutgoingHooksRepository } from './outgoing-hooks.repository.js';
import { OutgoingHooksService } from './outgoing-hooks.service.js';
import { OutgoingHooksSettings } from './outgoing-hooks.settings.js';
import { HookRights } from './pausing/hook-rights.js';
import { PauseWatch } from './pausing/pause-watch.js';

/** Outgoing webhooks: the records, and the path from a message to its callback URLs. */
@Module({
  imports: [
    ChannelsModule,
    UsersModule,
    TeamsModule,
    OwnersModule,
    PostsModule,
    LiveModule,
    OutboundModule,
    OutboundConnectionsModule,
    DispatchModule,
  ],
  controllers: [
    ExplainController,
    AllDeliveriesController,
    EndpointsController,
    DryRunController,
    OutgoingHooksController,
    DeliveriesController,
  ],
  providers: [
    CallbackUrlWarnings,
    OutgoingHooksService,
    OutgoingHooksPolicy,
    OutgoingHookChecks,
    OutgoingHooksRepository,
    OutgoingHookListsReadModel,
    OutgoingHookCache,
    TeamTriggersCache,
    OutgoingHookRecords,
    OutgoingHookSecrets,
    ChannelArchivedListener,
    LiveEventsListener,
    OutgoingHookViews,
    HookRights,
    PauseWatch,
    TriggerIndex,
    ExplainService,
    DryRunService,
    TriggeredDeliveries,
    OutgoingHookKind,
    PostDeletedListener,
    Replies,
    EndpointHealth,
    GivenUpDeliveries,
    AllDeliveriesService,
    DeliveryLogService,
    DeliveryTail,
    EndpointDirectory,
    EndpointsService,
    HookReadiness,
    RetriesService,
    TestCallPlaces,
  ],
  exports: [OutgoingHooksService, OutgoingHookRecords],
})
@Declares({
  entities: [OutgoingHook],
  migrations: [CreateOutgoingWebhooks1700000000010],
  permissions: [OutgoingHookPermission],
  settings: OutgoingHooksSettings,
})
export class OutgoingHooksModule {}
