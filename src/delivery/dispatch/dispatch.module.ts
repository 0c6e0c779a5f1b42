import { Module } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Settings } from '../../platform/config/settings.js';
import { HealthModule } from '../../platform/health/health.module.js';
import { Declares } from '../../platform/modules/declares.js';
import { OutboundModule } from '../outbound/outbound.module.js';
import { AttemptSpans } from './attempt.js';
import { CallRates } from './call-rates.repository.js';
import { Cancellations } from './cancellations.js';
import { DeliveriesReadModel } from './deliveries.read-model.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveryKinds } from './delivery-kind.js';
import { DeliveryRunner } from './delivery-runner.js';
import { DeliverySearchService } from './delivery-search.service.js';
import {
  CallRate,
  Delivery,
  DeliveryAttempt,
  DeliveryLease,
  DeliveryPayload,
  DeliveryRecovery,
  LaneLimit,
  LaneTurn,
} from './delivery.entity.js';
import { DispatchMetrics } from './dispatch-metrics.js';
import { DispatchLimits, DispatchSettings } from './dispatch.settings.js';
import { DispatcherService } from './dispatcher.service.js';
import { LaneLimitsRepository } from './lane-limits.repository.js';
import { LaneLimitsService } from './lane-limits.service.js';
import { LanesReadModel } from './lanes.read-model.js';
import { AddOrderAndRate1795842300002 } from './migrations/1795842300002-add-order-and-rate.js';
import { CreateDeliveries1700000000008 } from './migrations/1700000000008-create-deliveries.js';
import { CreateDeliveryLeases1795826700031 } from './migrations/1795826700031-create-delivery-leases.js';
import { OutcomesRepository } from './outcomes.repository.js';
import { OutcomesService } from './outcomes.service.js';
import { LeasesRepository } from './pull/leases.repository.js';
import { PullWaits } from './pull/pull-waits.js';
import { PulledCalls } from './pull/pulled-calls.js';
import { PulledDeliveriesService } from './pull/pulled-deliveries.service.js';
import { RecoveriesRepository } from './recoveries.repository.js';
import { RecoveriesService } from './recoveries.service.js';
import { LaneTurns, SharedTurns } from './turns/lane-turns.js';
import { LaneTurnsRepository } from './turns/lane-turns.repository.js';

/** Durable calls to other servers: stored first, then attempted until settled. Unaware of posts and peers. */
@Module({
  imports: [OutboundModule, HealthModule],
  providers: [
    AttemptSpans,
    DeliveriesReadModel,
    DeliveriesRepository,
    RecoveriesRepository,
    Cancellations,
    CallRates,
    DeliveriesService,
    DeliveryKinds,
    DeliveryRunner,
    DeliverySearchService,
    DispatcherService,
    DispatchLimits,
    DispatchMetrics,
    LaneLimitsRepository,
    LaneLimitsService,
    LanesReadModel,
    LeasesRepository,
    PulledCalls,
    PulledDeliveriesService,
    PullWaits,
    OutcomesRepository,
    OutcomesService,
    RecoveriesService,
    LaneTurnsRepository,
    {
      provide: LaneTurns,
      inject: [Settings, ModuleRef],
      useFactory: ({ redisUrl }: Settings, modules: ModuleRef) =>
        modules.create(redisUrl === undefined ? LaneTurns : SharedTurns),
    },
  ],
  exports: [
    DeliveriesService,
    DeliveryKinds,
    DeliverySearchService,
    LaneLimitsService,
    PulledDeliveriesService,
    RecoveriesService,
  ],
})
@Declares({
  entities: [
    CallRate,
    Delivery,
    DeliveryAttempt,
    DeliveryLease,
    DeliveryPayload,
    DeliveryRecovery,
    LaneLimit,
    LaneTurn,
  ],
  migrations: [
    CreateDeliveries1700000000008,
    CreateDeliveryLeases1795826700031,
    AddOrderAndRate1795842300002,
  ],
  settings: DispatchSettings,
})
export class DispatchModule {}
