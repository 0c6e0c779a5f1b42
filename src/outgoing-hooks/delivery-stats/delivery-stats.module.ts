import { Module } from '@nestjs/common';
import { Declares } from '../../platform/modules/declares.js';
import { OutgoingHooksModule } from '../outgoing-hooks.module.js';
import { DeliveryCounter } from './delivery-counter.js';
import { DeliveryStat } from './delivery-stat.entity.js';
import { DeliveryStatsController } from './delivery-stats.controller.js';
import { DeliveryStatsRepository } from './delivery-stats.repository.js';
import { DeliveryStatsService } from './delivery-stats.service.js';
import { HookOutcomesService } from './hook-outcomes.service.js';
import { CreateDeliveryStats1795466619997 } from './migrations/1795466619997-create-delivery-stats.js';

/** What is counted of the deliveries of outgoing webhooks, for charts. */
@Module({
  imports: [OutgoingHooksModule],
  controllers: [DeliveryStatsController],
  providers: [DeliveryCounter, DeliveryStatsRepository, DeliveryStatsService, HookOutcomesService],
})
@Declares({
  entities: [DeliveryStat],
  migrations: [CreateDeliveryStats1795466619997],
})
export class DeliveryStatsModule {}
