import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis as Client } from 'ioredis';
import { ChangeLog } from '../database/changes/change-log.js';
import { PeriodicTask } from '../database/periodic-task.js';
import { Bus } from './bus.js';
import { Redis } from './redis.js';
import { redisFaults } from './redis-faults.js';
import { SameRedis } from './same-redis.js';

const CHECK_EVERY_MS = 10_000;
const ANSWER_TIMEOUT_MS = 2_000;

/**
 * Says what is wrong with Redis. The server serves all the same, because nothing depends on Redis alone, so this is for
 * people: in the log, and in the answer of `/health/ready`.
 */
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

  /** Sentences that say what is wrong, and what to do. */
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
          ? 'Redis at REDIS_URL does not answer. What happens in one process is seen by the others later.'
          : `Redis at REDIS_URL refuses this server (${refusal}). Check its user and password.`,
      ];
    }
  }
}

/**
 * The id that a server has given itself at its start, by its answer to INFO; empty if it tells none, or is one of a cluster: a
 * proxy may then ask any of them.
 */
function serverId(info: string): string {
  if (/^cluster_enabled:1/m.test(info)) return '';
  return /^run_id:(\w+)/m.exec(info)?.[1] ?? '';
}

/** The code of an answer that says that the server may not use Redis; empty if it is about anything else. */
function refusalOf(message: string): string {
  return /\b(?:NOAUTH|WRONGPASS|NOPERM)\b/.exec(message)?.[0] ?? '';
}
