import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis as Client } from 'ioredis';
import { ChangeLog } from '../database/changes/change-log.js';
import { PeriodicTask } from '../database/periodic-task.js';
import { Bus } from './bus.js';
import { Redis, redisFaults, SameRedis } from './redis.js';

const CHECK_EVERY_MS = 10_000;
const ANSWER_TIMEOUT_MS = 2_000;

/** Reports problems with Redis to operators. The server keeps serving: nothing depends on Redis alone. */
@Injectable()
export class RedisCheck implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Redis');
  private readonly checks = new PeriodicTask('Redis', 'Redis cannot be checked.', () => this.check());
  private client: Client | undefined;
  private refusal = '';
  private found: readonly string[] = [];

  private readonly same: SameRedis;

  constructor(
    private readonly redis: Redis,
    changes: ChangeLog,
    bus: Bus,
  ) {
    this.same = new SameRedis(changes, bus);
  }

  /** Sentences that describe the problems and their fixes. */
  get faults(): readonly string[] {
    return this.found;
  }

  async onApplicationBootstrap(): Promise<void> {
    if (!this.redis.isConfigured) return;
    const client = await this.redis.open({ commandTimeout: ANSWER_TIMEOUT_MS });
    this.client = client;
    client.on('error', ({ message }: Error) => (this.refusal = refusalOf(message)));
    client.on('ready', () => void this.checks.run());
    this.checks.start(CHECK_EVERY_MS);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.checks.stop();
    this.client?.disconnect();
  }

  private async check(): Promise<void> {
    const known = new Set(this.found);
    this.found = await this.ask();
    for (const fault of this.found) if (!known.has(fault)) this.logger.warn(fault);
  }

  private async ask(): Promise<readonly string[]> {
    try {
      const info = await this.client?.info();
      this.refusal = '';
      this.same.tell(serverId(info ?? ''));
      return [...redisFaults(info ?? ''), ...this.same.faults];
    } catch (error) {
      const refusal = this.refusal || refusalOf((error as Error).message);
      if (refusal === '' && this.client) this.redis.renew(this.client);
      return [
        refusal === ''
          ? 'Redis at REDIS_URL does not respond. Events of other processes are delayed.'
          : `Redis at REDIS_URL refuses this server (${refusal}). Check its user and password.`,
      ];
    }
  }
}

/** The run id of a server; empty if missing, or in a cluster, where a proxy may ask any node. */
function serverId(info: string): string {
  if (/^cluster_enabled:1/m.test(info)) return '';
  return /^run_id:(\w+)/m.exec(info)?.[1] ?? '';
}

/** The error code if Redis denies access to this server; empty for other errors. */
function refusalOf(message: string): string {
  return /\b(?:NOAUTH|WRONGPASS|NOPERM)\b/.exec(message)?.[0] ?? '';
}
