import { Module } from '@nestjs/common';
import { Declares } from '../../platform/modules/declares.js';
import { DeliveryAttempt } from './delivery-attempt.entity.js';
import { DeliveryRecovery } from './delivery-recovery.entity.js';
import { DeliveryPayload } from './delivery-payload.entity.js';
import { DeliveryPayloadsRepository } from './delivery-payloads.repository.js';
import { Delivery } from './delivery.entity.js';
import { OutboundModule } from '../outbound/outbound.module.js';
import { Cancellations } from './cancellations.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DeliveryAttemptsRepository } from './delivery-attempts.repository.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveryKinds } from './delivery-kinds.js';
import { DeliveryRunner } from './delivery-runner.js';
import { DispatchLimits } from './dispatch-limits.js';
import { DispatchMetrics } from './dispatch-metrics.js';
import { DispatcherService } from './dispatcher.service.js';
import { LaneQueueRepository } from './lane-queue.repository.js';
import { OpenDeliveries } from './open-deliveries.js';
import { OutcomeRecorder } from './outcome-recorder.js';
import { RecoveriesRepository } from './recoveries.repository.js';
import { RecoveriesService } from './recoveries.service.js';
import { Settlement } from './settlement.js';
import { DispatchSettings } from './dispatch.settings.js';

/** Durable calls to other servers: stored first, then called until settled. Independent of posts and peers. */
@Module({
  imports: [OutboundModule],
  providers: [
    DeliveriesRepository,
    DeliveryAttemptsRepository,
    DeliveryPayloadsRepository,
    RecoveriesRepository,
    Cancellations,
    DeliveriesService,
    DeliveryKinds,
    DeliveryRunner,
    DispatcherService,
    DispatchLimits,
    DispatchMetrics,
    LaneQueueRepository,
    OpenDeliveries,
    OutcomeRecorder,
    RecoveriesService,
    Settlement,
  ],
  exports: [DeliveriesService, DeliveryKinds, RecoveriesService],
})
@Declares({
  entities: [Delivery, DeliveryAttempt, DeliveryPayload, DeliveryRecovery],
  settings: DispatchSettings,
})
export class DispatchModule {}
