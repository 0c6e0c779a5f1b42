import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { IncomingHooksService } from '../incoming-hooks/incoming-hooks.service.js';
import { UserAccessTokensService } from '../messaging/auth/user-access-tokens.service.js';
import { literalText, NO_MARKUP } from '../messaging/posts/content/literal-text.js';
import { ServerBot } from '../messaging/posts/server-bot.js';
import { UsersService } from '../messaging/users/users.service.js';
import { AppError } from '../platform/common/errors/app-error.js';
import { Clock } from '../platform/common/clock.js';
import type { ExpiryRange } from '../platform/common/expiry.js';
import { type Schedule, Schedules } from '../platform/database/schedules/schedules.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';

const INTERVAL_MS = 5 * 60_000;
const MAX_AT_ONCE = 100;
const DAY_MS = 24 * 60 * 60_000;
/** How long before the expiry each reminder is sent. */
const LEADS_MS = [7 * DAY_MS, DAY_MS];

interface Expiring {
  readonly id: string;
  readonly userId: string;
  readonly expiresAt: number;
  readonly displayName?: string;
  readonly description: string;
}

interface Source {
  listExpiring(range: ExpiryRange, limit: number): Promise<readonly Expiring[]>;
  /** Returns false if the expiry has changed. */
  noteReminders(id: string, expiresAt: number, count: number): Promise<boolean>;
}

/** Reminds users by direct message of what expires soon, once for each lead time. */
@Injectable()
export class ExpiryReminders implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly schedule: Schedule;

  constructor(
    private readonly hooks: IncomingHooksService,
    private readonly tokens: UserAccessTokensService,
    private readonly users: UsersService,
    private readonly bot: ServerBot,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    schedules: Schedules,
  ) {
    this.schedule = schedules.add({
      name: 'expiry reminders',
      owner: ExpiryReminders.name,
      failure: 'Users cannot be reminded of webhooks and tokens that expire soon.',
      work: () => this.remind(),
    });
  }

  onApplicationBootstrap(): void {
    this.schedule.start(INTERVAL_MS);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.schedule.stop();
  }

  /** Sends all reminders that are due. A missed one is replaced by the next. */
  async remind(): Promise<void> {
    await this.remindOfAll('incoming webhook', this.hooks);
    await this.remindOfAll('personal access token', this.tokens);
  }

  private async remindOfAll(kind: string, source: Source): Promise<void> {
    const now = this.clock.now();
    for (const [sent, leadMs] of LEADS_MS.entries()) {
      const range = { after: now, until: now + leadMs, sent };
      for (;;) {
        const due = await source.listExpiring(range, MAX_AT_ONCE);
        for (const item of due) await this.remindOf(kind, source, item, now);
        if (due.length < MAX_AT_ONCE) break;
      }
    }
  }

  private async remindOf(kind: string, source: Source, item: Expiring, now: number): Promise<void> {
    const count = LEADS_MS.filter((leadMs) => item.expiresAt <= now + leadMs).length;
    const user = await this.users.find(await this.users.personOf(item.userId));
    const isReader = user?.deleteAt === 0 && !user.isBot && user.remoteId === '';
    const note = (): Promise<boolean> => source.noteReminders(item.id, item.expiresAt, count);
    try {
      await this.unitOfWork.run(async () => {
        if ((await note()) && isReader) await this.bot.write(user.id, reminder(kind, item));
      });
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      await note(); // a user who can get no more direct channels must not stop the reminders of others
    }
  }
}

function reminder(kind: string, { displayName = '', description, expiresAt }: Expiring): string {
  const name = displayName || description;
  const quoted = name === '' ? '' : ` "${literalText(name).replaceAll(NO_MARKUP, '')}"`;
  const time = new Date(expiresAt).toISOString().slice(0, 16).replace('T', ' ');
  return `Your ${kind}${quoted} stops working at ${time} UTC.`;
}
