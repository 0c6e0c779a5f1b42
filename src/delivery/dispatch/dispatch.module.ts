import { Module } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import { Settings } from '../../platform/config/settings.js';
import { CommitEngine } from '../../platform/database/commits/commit-engine.js';
import { OwnerLock } from '../../platform/database/owner-lock.js';
import { Purge } from '../../platform/database/purge.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { Declares } from '../../platform/modules/declares.js';
import { Bus } from '../../platform/scaling/bus.js';
import { Redis } from '../../platform/scaling/redis.js';
import { SecretBox } from '../../platform/secrets/secret-box.js';
import { AttemptSpans } from './attempt-spans.js';
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
import { DeliverySearchRepository } from './delivery-search.repository.js';
import { DeliverySearchService } from './delivery-search.service.js';
import { DispatchLimits } from './dispatch-limits.js';
import { DispatchMetrics } from './dispatch-metrics.js';
import { DispatcherService } from './dispatcher.service.js';
import { LaneQueueRepository } from './lane-queue.repository.js';
import { LaneLimit } from './limits/lane-limit.entity.js';
import { LaneLimitsRepository } from './limits/lane-limits.repository.js';
import { LaneLimitsService } from './limits/lane-limits.service.js';
import { LimitLog } from './limits/limit-log.js';
import { MissedDeliveriesRepository } from './missed-deliveries.repository.js';
import { OpenDeliveries } from './open-deliveries.js';
import { OutcomeRecorder } from './outcome-recorder.js';
import { OverdueLanes } from './overdue-lanes.js';
import { RecoveriesRepository } from './recoveries.repository.js';
import { RecoveriesService } from './recoveries.service.js';
import { Settlement } from './settlement.js';
import { CreateLaneLimits1795476302417 } from './migrations/1795476302417-create-lane-limits.js';
import { CreateLaneTurns1795420471849 } from './migrations/1795420471849-create-lane-turns.js';
import { DetailAttempts1795449233609 } from './migrations/1795449233609-detail-attempts.js';
import { LaneTurn } from './turns/lane-turn.entity.js';
import { LaneTurns } from './turns/lane-turns.js';
import { LaneTurnsRepository } from './turns/lane-turns.repository.js';
import { OwnTurns } from './turns/own-turns.js';
import { SharedTurns } from './turns/shared-turns.js';
import { DispatchSettings } from './dispatch.settings.js';
import { OrderByFlow1795702000000 } from './migrations/1795702000000-order-by-flow.js';
import { CountWaiting1795703000000 } from './migrations/1795703000000-count-waiting.js';
import { FilterRecoveries1795704000000 } from './migrations/1795704000000-filter-recoveries.js';
import { StopRecoveries1795476286417 } from './migrations/1795476286417-stop-recoveries.js';
import { ListDeliveriesOfAll1795466422162 } from './migrations/1795466422162-list-deliveries-of-all.js';

const TURNS_KEPT_MS = 3_600_000;

/** Durable calls to other servers: stored first, then called until settled. Independent of posts and peers. */
@Module({
  imports: [OutboundModule],
  providers: [
    AttemptSpans,
    DeliveriesRepository,
    DeliveryAttemptsRepository,
    DeliveryPayloadsRepository,
    RecoveriesRepository,
    Cancellations,
    DeliveriesService,
    DeliveryKinds,
    DeliveryRunner,
    DeliverySearchRepository,
    DeliverySearchService,
    DispatcherService,
    DispatchLimits,
    DispatchMetrics,
    LaneLimitsRepository,
    LaneLimitsService,
    LaneQueueRepository,
    LimitLog,
    MissedDeliveriesRepository,
    OpenDeliveries,
    OutcomeRecorder,
    OverdueLanes,
    RecoveriesService,
    Settlement,
    {
      provide: LaneTurns,
      inject: [
        Settings,
        UnitOfWork,
        CommitEngine,
        LaneQueueRepository,
        Bus,
        Redis,
        SecretBox,
        Clock,
        DispatchLimits,
        Purge,
        OwnerLock,
      ],
      useFactory: turnsFor,
    },
  ],
  exports: [
    DeliveriesService,
    DeliveryKinds,
    DeliverySearchService,
    LaneLimitsService,
    OverdueLanes,
    RecoveriesService,
  ],
})
@Declares({
  entities: [Delivery, DeliveryAttempt, DeliveryPayload, DeliveryRecovery, LaneLimit, LaneTurn],
  migrations: [
    CreateLaneTurns1795420471849,
    DetailAttempts1795449233609,
    ListDeliveriesOfAll1795466422162,
    CreateLaneLimits1795476302417,
    StopRecoveries1795476286417,
    OrderByFlow1795702000000,
    CountWaiting1795703000000,
    FilterRecoveries1795704000000,
  ],
  settings: DispatchSettings,
})
export class DispatchModule {}

function turnsFor(
  { redisUrl }: Settings,
  unitOfWork: UnitOfWork,
  engine: CommitEngine,
  lanes: LaneQueueRepository,
  bus: Bus,
  redis: Redis,
  secrets: SecretBox,
  clock: Clock,
  limits: DispatchLimits,
  purge: Purge,
  ownerLock: OwnerLock,
): LaneTurns {
  if (redisUrl === undefined) return new OwnTurns();
  const turns = new LaneTurnsRepository(unitOfWork, engine);
  purge.register({
    rows: 'turns of lanes',
    retentionMs: () => TURNS_KEPT_MS,
    deleteBefore: (_time, limit) => turns.deleteEnded(TURNS_KEPT_MS, limit),
  });
  return new SharedTurns(turns, lanes, bus, redis, secrets, clock, limits, ownerLock);
}
