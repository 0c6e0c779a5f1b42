import { Global, Module } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { Bus } from './bus.js';
import { ChangeKnocks } from './change-knocks.js';
import { Redis } from './redis.js';
import { RedisBus } from './redis-bus.js';
import { RedisCheck } from './redis-check.js';
import { SharedCounts } from './shared-counts.js';
import { ScheduleJobs } from './schedule-jobs.js';

/** Services shared by the processes of one database. Without REDIS_URL there is only one process. */
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
        redisUrl === undefined ? new Bus() : new RedisBus(redis),
    },
  ],
  exports: [Redis, RedisCheck, Bus, SharedCounts],
})
export class ScalingModule {}
