import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ServerBot } from '../messaging/posts/server-bot.js';
import { literalText } from '../messaging/posts/content/literal-text.js';
import { UsersService } from '../messaging/users/users.service.js';
import { Clock } from '../platform/common/clock.js';
import { type Schedule, Schedules } from '../platform/database/schedules/schedules.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import type { IncomingHook } from './incoming-hook.entity.js';
import { IncomingHooksRepository } from './incoming-hooks.repository.js';

const INTERVAL_MS = 5 * 60_000;
const MAX_AT_ONCE = 100;
const DAY_MS = 24 * 60 * 60_000;
/** How long before the expiry each reminder is sent. */
const LEADS_MS = [7 * DAY_MS, DAY_MS];

/** Reminds owners of webhooks that expire soon, once for each lead time, by direct message. */
@Injectable()
export class ExpiryReminders implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly schedule: Schedule;

  constructor(
    private readonly hooks: IncomingHooksRepository,
    private readonly users: UsersService,
    private readonly bot: ServerBot,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    schedules: Schedules,
  ) {
    this.schedule = schedules.add({
      name: 'expiring incoming webhooks',
      owner: ExpiryReminders.name,
      failure: 'Owners of incoming webhooks that expire soon cannot be reminded.',
      work: () => this.remind(),
    });
  }

  onApplicationBootstrap(): void {
    this.schedule.start(INTERVAL_MS);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.schedule.stop();
  }

  /** Sends all reminders that are due. One that was missed is replaced by the next. */
  async remind(): Promise<void> {
    const now = this.clock.now();
    for (const [sent, leadMs] of LEADS_MS.entries()) {
      const isDue = { after: now, until: now + leadMs, sent };
      for (let due = await this.hooks.listExpiring(isDue, MAX_AT_ONCE); due.length > 0;) {
        for (const hook of due) await this.remindOf(hook, now);
        due = await this.hooks.listExpiring(isDue, MAX_AT_ONCE);
      }
    }
  }

  private async remindOf(hook: IncomingHook, now: number): Promise<void> {
    const expiryReminders = LEADS_MS.filter((leadMs) => hook.expiresAt <= now + leadMs).length;
    const person = await this.users.find(await this.users.personOf(hook.userId));
    await this.unitOfWork.run(async () => {
      await this.hooks.update(hook.id, { expiryReminders });
      if (person?.deleteAt === 0 && !person.isBot && person.remoteId === '')
        await this.bot.write(person.id, reminder(hook));
    });
  }
}

function reminder({ displayName, expiresAt }: IncomingHook): string {
  const name = displayName === '' ? '' : ` "${literalText(displayName)}"`;
  const time = new Date(expiresAt).toISOString().slice(0, 16).replace('T', ' ');
  return `Your incoming webhook${name} expires on ${time} UTC and then refuses calls. To keep it, set a later time or none.`;
}
