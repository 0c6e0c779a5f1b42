import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { In, LessThan, MoreThan } from 'typeorm';
import { Clock } from '../../platform/common/clock.js';
import { isId } from '../../platform/common/ids.js';
import { PeriodicTask } from '../../platform/database/periodic-task.js';
import { Purge } from '../../platform/database/purge.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { PreviousUrl } from './previous-url.entity.js';

const INTERVAL_MS = 3_000;
/** Expired URLs are of no use. */
const RETENTION_MS = 60_000;

type Use = Pick<PreviousUrl, 'uses' | 'lastUsed'>;

/**
 * Queries on previous URLs of webhooks. Uses are counted in memory and written in batches; a killed process loses
 * those of the last seconds.
 */
@Injectable()
export class PreviousUrlsRepository implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly writes = new PeriodicTask(
    'PreviousUrls',
    'The uses of previous URLs of incoming webhooks cannot be stored yet.',
    () => this.writeUses(),
  );
  private pending = new Map<string, Use>();

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    purge: Purge,
  ) {
    purge.register({
      rows: 'previous URLs of incoming webhooks',
      retentionMs: () => RETENTION_MS,
      deleteBefore: (time, limit) => this.deleteBefore(time, limit),
    });
  }

  onApplicationBootstrap(): void {
    this.writes.start(INTERVAL_MS);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.writes.run();
    await this.writes.run(); // uses during the first run
    await this.writes.stop();
  }

  /** Returns the present ID of the webhook that had an ID, or null if that does not work any more. */
  async currentIdOf(id: string): Promise<string | null> {
    const where = { id, expiresAt: MoreThan(this.clock.now()) };
    return isId(id) ? ((await this.urls.findOneBy(where))?.hookId ?? null) : null;
  }

  /** Counts a call, which is stored within seconds. */
  noteUse(id: string): void {
    const uses = (this.pending.get(id)?.uses ?? 0) + 1;
    this.pending.set(id, { uses, lastUsed: this.clock.now() });
  }

  /** Returns those that work, newest first. */
  async list(hookId: string): Promise<PreviousUrl[]> {
    await this.writes.run();
    return this.working(hookId);
  }

  working(hookId: string): Promise<PreviousUrl[]> {
    return this.urls.find({
      where: { hookId, expiresAt: MoreThan(this.clock.now()) },
      order: { createAt: 'DESC', id: 'ASC' },
    });
  }

  /** Lets the previous URLs of a webhook lead to its new ID, at most until a time. */
  async redirect(hookId: string, newId: string, until: number): Promise<void> {
    await this.urls.update({ hookId, expiresAt: MoreThan(until) }, { expiresAt: until });
    await this.urls.update({ hookId }, { hookId: newId });
  }

  async insert(url: PreviousUrl): Promise<void> {
    await this.urls.insert(url);
  }

  private async deleteBefore(time: number, limit: number): Promise<number> {
    const old = await this.urls.find({
      select: { id: true },
      where: { expiresAt: LessThan(time) },
      order: { expiresAt: 'ASC' },
      take: limit,
    });
    if (old.length > 0) await this.urls.delete({ id: In(old.map(({ id }) => id)) });
    return old.length;
  }

  private async writeUses(): Promise<void> {
    if (this.pending.size === 0) return;
    const written = this.pending;
    this.pending = new Map();
    try {
      await this.unitOfWork.run(async () => {
        for (const [id, { uses, lastUsed }] of written)
          await this.urls.update({ id }, { uses: () => `uses + ${uses}`, lastUsed });
      });
    } catch (error) {
      for (const [id, use] of written) {
        const later = this.pending.get(id);
        this.pending.set(id, { ...use, ...later, uses: use.uses + (later?.uses ?? 0) });
      }
      throw error;
    }
  }

  private get urls() {
    return this.unitOfWork.manager.getRepository(PreviousUrl);
  }
}
