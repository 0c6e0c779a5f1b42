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
import { Delivery, DeliveryAttempt, DeliveryPayload, DeliveryRecovery } from './delivery.entity.js';
import { DeliveryPayloadsRepository } from './delivery-payloads.repository.js';
import { OutboundModule } from '../outbound/outbound.module.js';
import { Cancellations } from './cancellations.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DeliveryAttemptsRepository } from './delivery-attempts.repository.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveryKinds } from './delivery-kind.js';
import { DeliveryRunner } from './delivery-runner.js';
import { DeliverySearchRepository } from './delivery-search.repository.js';
import { DeliverySearchService } from './delivery-search.service.js';
import { DispatchLimits, DispatchSettings } from './dispatch.settings.js';
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
import { OverdueLanes } from './lane-sweep.js';
import { RecoveriesRepository } from './recoveries.repository.js';
import { RecoveriesService } from './recoveries.service.js';
import { Settlement } from './settlement.js';
import { CreateDeliveries1700000000008 } from './migrations/1700000000008-create-deliveries.js';
import { LaneTurn } from './turns/lane-turn.entity.js';
import { LaneTurns, OwnTurns } from './turns/lane-turns.js';
import { LaneTurnsRepository } from './turns/lane-turns.repository.js';
import { SharedTurns } from './turns/shared-turns.js';

const TURNS_KEPT_MS = 3_600_000;

/** Durable calls to other servers: stored first, then attempted until settled. Unaware of posts and peers. */
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
  migrations: [CreateDeliveries1700000000008],
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
