import { Module } from '@nestjs/common';
import { IncomingHooksModule } from '../incoming-hooks/incoming-hooks.module.js';
import { TeamsModule } from '../messaging/teams/teams.module.js';
import { Declares } from '../platform/modules/declares.js';
import { HookDeletedListener } from './hook-deleted.listener.js';
import { HookSchedule } from './hook-schedule.entity.js';
import { HookSchedulesController } from './hook-schedules.controller.js';
import { HookSchedulePermission } from './hook-schedules.permissions.js';
import { HookSchedulesPolicy } from './hook-schedules.policy.js';
import { HookSchedulesRepository } from './hook-schedules.repository.js';
import { HookSchedulesService } from './hook-schedules.service.js';
import { HookSchedulesSettings } from './hook-schedules.settings.js';
import { HookSchedulesTimer } from './hook-schedules.timer.js';
import { CreateHookSchedules1764633600000 } from './migrations/1764633600000-create-hook-schedules.js';

/** Texts that incoming webhooks post at a given time. */
@Module({
  imports: [TeamsModule, IncomingHooksModule],
  controllers: [HookSchedulesController],
  providers: [
    HookSchedulesService,
    HookSchedulesPolicy,
    HookSchedulesRepository,
    HookSchedulesTimer,
    HookDeletedListener,
  ],
  exports: [HookSchedulesService],
})
@Declares({
  entities: [HookSchedule],
  migrations: [CreateHookSchedules1764633600000],
  permissions: [HookSchedulePermission],
  settings: HookSchedulesSettings,
  apiGroups: [{ name: 'hook schedules', description: 'Texts that incoming webhooks post at a given time.' }],
})
export class HookSchedulesModule {}
