import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { ExecutionFailed } from '../incoming-hooks/execution/execution.errors.js';
import { HookPoster } from '../incoming-hooks/execution/hook-poster.js';
import { Clock } from '../platform/common/clock.js';
import { type Schedule, Schedules } from '../platform/database/schedules/schedules.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import type { HookSchedule } from './hook-schedule.entity.js';
import { HookSchedulesRepository } from './hook-schedules.repository.js';
import { HookSchedulesSettings } from './hook-schedules.settings.js';

const INTERVAL_MS = 1_000;
const MAX_AT_ONCE = 50;
const FAILURE = 'The texts that are due cannot be posted.';

/**
 * Posts each text once, when it is due, in one of the processes that share the database. A text that its webhook refuses
 * is given up.
 */
@Injectable()
export class HookSchedulesTimer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(HookSchedulesTimer.name);
  private readonly schedule: Schedule;

  constructor(
    private readonly repository: HookSchedulesRepository,
    private readonly poster: HookPoster,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly settings: HookSchedulesSettings,
    schedules: Schedules,
  ) {
    this.schedule = schedules.add({
      name: 'hook schedules',
      owner: HookSchedulesTimer.name,
      failure: FAILURE,
      work: () => this.postDue(),
    });
  }

  onApplicationBootstrap(): void {
    this.schedule.start(INTERVAL_MS);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.schedule.stop();
  }

  private async postDue(): Promise<void> {
    if (!this.settings.enableHookSchedules) return;
    const due = await this.repository.listDue(this.clock.now(), MAX_AT_ONCE);
    for (const schedule of due) await this.post(schedule);
  }

  private async post({ id, hookId, text }: HookSchedule): Promise<void> {
    const now = this.clock.now();
    try {
      await this.unitOfWork.run(async () => {
        if (await this.repository.markPosted(id, now)) await this.poster.post(hookId, { text });
      });
    } catch (error) {
      if (!(error instanceof ExecutionFailed)) throw error;
      this.logger.warn(`The hook schedule ${id} is given up: ${error.message}`);
      await this.repository.markPosted(id, now);
    }
  }
}
