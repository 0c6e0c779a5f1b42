import { Module } from '@nestjs/common';
import { Declares } from '../../platform/modules/declares.js';
import { OutgoingHooksModule } from '../outgoing-hooks.module.js';
import { DeliveryCounter } from './delivery-counter.js';
import { DeliveryStat } from './delivery-stat.entity.js';
import { DeliveryStatsController } from './delivery-stats.controller.js';
import { DeliveryStatsRepository } from './delivery-stats.repository.js';
import { DeliveryStatsService, HookOutcomesService } from './delivery-stats.service.js';
import { CreateDeliveryStats1700000000011 } from './migrations/1700000000011-create-delivery-stats.js';

/** Delivery statistics of outgoing webhooks, for charts. */
@Module({
  imports: [OutgoingHooksModule],
  controllers: [DeliveryStatsController],
  providers: [DeliveryCounter, DeliveryStatsRepository, DeliveryStatsService, HookOutcomesService],
})
@Declares({
  entities: [DeliveryStat],
  migrations: [CreateDeliveryStats1700000000011],
})
export class DeliveryStatsModule {}
