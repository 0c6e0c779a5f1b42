import { Module } from '@nestjs/common';
import { Declares } from '../platform/modules/declares.js';
import { CreateOutgoing1700000000001 } from './migrations/1700000000001-create-outgoing.js';
import { OutgoingHook } from './outgoing-hook.entity.js';
import { OutgoingHookPermission } from './outgoing-hooks.permissions.js';
import { ChannelsModule } from '../messaging/channels/channels.module.js';
import { DispatchModule } from '../delivery/dispatch/dispatch.module.js';
import { LiveModule } from '../messaging/live/live.module.js';
import { OutboundConnectionsModule, OutboundModule } from '../delivery/outbound/outbound.module.js';
import { OwnersModule } from '../messaging/owners/owners.module.js';
import { PostsModule } from '../messaging/posts/posts.module.js';
import { TeamsModule } from '../messaging/teams/teams.module.js';
import { UsersModule } from '../messaging/users/users.module.js';
import { CallbackUrlWarnings } from './callback-url-warnings.js';
import { ChannelArchivedListener } from './channel-archived.listener.js';
import { TriggeredDeliveries } from './delivery/triggered-deliveries.js';
import { AllDeliveriesController } from './delivery-log/all-deliveries.controller.js';
import { AllDeliveriesService } from './delivery-log/all-deliveries.service.js';
import { DeliveriesController } from './delivery-log/deliveries.controller.js';
import { DeliveryLogService } from './delivery-log/delivery-log.service.js';
import { HookReadiness } from './delivery-log/hook-readiness.js';
import { RecoveriesController } from './delivery-log/recoveries.controller.js';
import { DeliveryTail } from './delivery-tail/delivery-tail.js';
import { RetriesService } from './delivery-log/retries.service.js';
import { TestCallPlaces } from './delivery-log/test-call-places.js';
import { EndpointHealth } from './delivery/endpoint-health.js';
import { GivenUpDeliveries } from './delivery/given-up-deliveries.js';
import { OutgoingHookKind } from './delivery/outgoing-hook.kind.js';
import { PostDeletedListener } from './delivery/post-deleted.listener.js';
import { Replies } from './delivery/replies.js';
import { DryRunController } from './dry-run/dry-run.controller.js';
import { DryRunService } from './dry-run/dry-run.service.js';
import { EndpointDirectory } from './endpoints/endpoint-directory.js';
import { EndpointsController } from './endpoints/endpoints.controller.js';
import { EndpointsService } from './endpoints/endpoints.service.js';
import { LiveEventsListener } from './live-events.listener.js';
import { ExplainController } from './matching/explain.controller.js';
import { ExplainService } from './matching/explain.service.js';
import { TeamTriggersCache } from './matching/team-triggers-cache.js';
import { TriggerIndex } from './matching/trigger-index.js';
import { OutgoingHookChecks } from './outgoing-hook-checks.js';
import { OutgoingHookCache } from './outgoing-hook-cache.js';
import { OutgoingHookRecords } from './outgoing-hook-records.js';
import { OutgoingHookSecrets } from './outgoing-hook-secrets.js';
import { OutgoingHookListsReadModel } from './outgoing-hook-lists.read-model.js';
import { OutgoingHookViews } from './outgoing-hook-views.js';
import { OutgoingHooksController } from './outgoing-hooks.controller.js';
import { OutgoingHooksPolicy } from './outgoing-hooks.policy.js';
import { OutgoingHooksRepository } from './outgoing-hooks.repository.js';
import { OutgoingHooksService } from './outgoing-hooks.service.js';
import { OutgoingHooksSettings } from './outgoing-hooks.settings.js';
import { IndexLiveWebhooks1795339136947 } from './migrations/1795339136947-index-live-webhooks.js';
import { ShareDeliveryPayloads1795339607924 } from './migrations/1795339607924-share-delivery-payloads.js';
import { HookRights } from './pausing/hook-rights.js';
import { PauseWatch } from './pausing/pause-watch.js';
import { AddPausing1795339079479 } from './migrations/1795339079479-add-pausing.js';
import { IndexDeliveryStatuses1795375698241 } from './migrations/1795375698241-index-delivery-statuses.js';
import { NoteEnabling1795450933000 } from './migrations/1795450933000-note-enabling.js';
import { NoteFailures1795375301518 } from './migrations/1795375301518-note-failures.js';
import { IndexPeople1795342346048 } from './migrations/1795342346048-index-people.js';
import { OrderFinishedDeliveries1795380101001 } from './migrations/1795380101001-order-finished-deliveries.js';
import { ListLiveWebhooks1795376423398 } from './migrations/1795376423398-list-live-webhooks.js';

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
    RecoveriesController,
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
  migrations: [
    CreateOutgoing1700000000001,
    AddPausing1795339079479,
    IndexLiveWebhooks1795339136947,
    ShareDeliveryPayloads1795339607924,
    IndexPeople1795342346048,
    NoteFailures1795375301518,
    IndexDeliveryStatuses1795375698241,
    ListLiveWebhooks1795376423398,
    OrderFinishedDeliveries1795380101001,
    NoteEnabling1795450933000,
  ],
  permissions: [OutgoingHookPermission],
  settings: OutgoingHooksSettings,
})
export class OutgoingHooksModule {}
