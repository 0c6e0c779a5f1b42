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
import { AuthModule } from '../messaging/auth/auth.module.js';
import { PostsModule } from '../messaging/posts/posts.module.js';
import { TeamsModule } from '../messaging/teams/teams.module.js';
import { UsersModule } from '../messaging/users/users.module.js';
import { CallbackUrlWarnings } from './callback-url-warnings.js';
import { TriggeredDeliveries } from './delivery/triggered-deliveries.js';
import { AllDeliveriesController } from './delivery-log/all-deliveries.controller.js';
import { DeliveriesController } from './delivery-log/deliveries.controller.js';
import { DeliveryLogService } from './delivery-log/delivery-log.service.js';
import { DeliveryTail } from './delivery-log/delivery-tail.js';
import { ResendService } from './delivery-log/resend.service.js';
import { TestCallsService } from './delivery-log/test-calls.service.js';
import { DeliveryCounter } from './delivery-stats/delivery-counter.js';
import { DeliveryStat } from './delivery-stats/delivery-stat.entity.js';
import { DeliveryStatsRepository } from './delivery-stats/delivery-stats.repository.js';
import { DeliveryStatsService } from './delivery-stats/delivery-stats.service.js';
import { CreateDeliveryStats1700000000011 } from './migrations/1700000000011-create-delivery-stats.js';
import { AddCallCredentials1795826700001 } from './migrations/1795826700001-add-call-credentials.js';
import { AddEvents1795830000031 } from './migrations/1795830000031-add-events.js';
import { AddDeliveryMode1795826700032 } from './migrations/1795826700032-add-delivery-mode.js';
import { AddPace1795842300001 } from './migrations/1795842300001-add-pace.js';
import { EndpointHealth } from './delivery/endpoint-health.js';
import { OutgoingHookKind } from './delivery/outgoing-hook.kind.js';
import { Replies } from './delivery/replies.js';
import { DryRunController } from './dry-run/dry-run.controller.js';
import { DryRunService } from './dry-run/dry-run.service.js';
import { EndpointMetrics } from './endpoints/endpoint-metrics.js';
import { BotRights } from './events/bot-rights.js';
import { EventDeliveries } from './events/event-deliveries.js';
import { EventRights } from './events/event-rights.js';
import { EndpointsService } from './endpoints/endpoints.service.js';
import { LiveEventsListener } from './live-events.listener.js';
import { TeamTriggersCache } from './matching/team-triggers-cache.js';
import { TriggerIndex } from './matching/trigger-index.js';
import { AccessTokens } from './credentials/access-tokens.js';
import { HookCredentials } from './credentials/hook-credentials.js';
import { OutgoingHookChecks } from './outgoing-hook.checks.js';
import { OutgoingHookRecords } from './outgoing-hook-records.js';
import { OutgoingHookSecrets } from './outgoing-hook-secrets.js';
import { OutgoingHookListsReadModel } from './outgoing-hook-lists.read-model.js';
import { OutgoingHookViews } from './outgoing-hook-views.js';
import { OutgoingHooksController } from './outgoing-hooks.controller.js';
import { OutgoingHooksRepository } from './outgoing-hooks.repository.js';
import { OutgoingHooksService } from './outgoing-hooks.service.js';
import { OutgoingHooksSettings } from './outgoing-hooks.settings.js';
import { HookRights } from './pausing/hook-rights.js';
import { PauseWatch } from './pausing/pause-watch.js';
import { PullController } from './pulling/pull.controller.js';
import { PullGuard } from './pulling/pull.guard.js';
import { PullService } from './pulling/pull.service.js';

/** Outgoing webhooks: the records, and the path from a message to its callback URLs. */
@Module({
  imports: [
    AuthModule,
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
    DryRunController,
    AllDeliveriesController,
    OutgoingHooksController,
    DeliveriesController,
    PullController,
  ],
  providers: [
    CallbackUrlWarnings,
    OutgoingHooksService,
    OutgoingHooksPolicy,
    OutgoingHookChecks,
    OutgoingHooksRepository,
    OutgoingHookListsReadModel,
    TeamTriggersCache,
    OutgoingHookRecords,
    OutgoingHookSecrets,
    HookCredentials,
    AccessTokens,
    LiveEventsListener,
    OutgoingHookViews,
    HookRights,
    PauseWatch,
    TriggerIndex,
    DryRunService,
    TriggeredDeliveries,
    EventDeliveries,
    BotRights,
    EventRights,
    OutgoingHookKind,
    Replies,
    EndpointHealth,
    DeliveryLogService,
    DeliveryTail,
    EndpointsService,
    EndpointMetrics,
    DeliveryCounter,
    DeliveryStatsRepository,
    DeliveryStatsService,
    ResendService,
    TestCallsService,
    PullService,
    PullGuard,
  ],
  exports: [OutgoingHooksService, OutgoingHookRecords, EventDeliveries, EventRights],
})
@Declares({
  entities: [OutgoingHook, DeliveryStat],
  migrations: [
    CreateOutgoingWebhooks1700000000010,
    CreateDeliveryStats1700000000011,
    AddCallCredentials1795826700001,
    AddEvents1795830000031,
    AddDeliveryMode1795826700032,
    AddPace1795842300001,
  ],
  permissions: [OutgoingHookPermission],
  settings: OutgoingHooksSettings,
  apiGroups: [
    {
      name: 'outgoing webhooks',
      position: 20,
      description: 'Messages that trigger calls to programs, by channel or trigger word.',
    },
    {
      name: 'deliveries of outgoing webhooks',
      position: 30,
      description: 'Calls that were made or are waiting: inspect and resend them.',
    },
  ],
})
export class OutgoingHooksModule {}
