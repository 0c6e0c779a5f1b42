import { Global, Module } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { Bus } from './bus.js';
import { ChangeKnocks } from './change-knocks.js';
import { LocalBus } from './local-bus.js';
import { Redis } from './redis.js';
import { RedisBus } from './redis-bus.js';
import { RedisCheck } from './redis-check.js';
import { SharedCounts } from './shared-counts.js';
import { ScheduleJobs } from './schedule-jobs.js';

/** What processes that serve one database together have in common. Without REDIS_URL there is one, and nothing is loaded. */
@Global()
@Module({
  providers: [
    Redis,
    RedisCheck,
    ChangeKnocks,
    SharedCounts,
    ScheduleJobs,
    {
      provide: Bus,
      inject: [Settings, Redis],
      useFactory: ({ redisUrl }: Settings, redis: Redis): Bus =>
        redisUrl === undefined ? new LocalBus() : new RedisBus(redis),
    },
  ],
  exports: [Redis, RedisCheck, Bus, SharedCounts],
})
export class ScalingModule {}
