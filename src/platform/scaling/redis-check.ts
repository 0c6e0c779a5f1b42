import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis as Client } from 'ioredis';
import { ChangeLog } from '../database/changes/change-log.js';
import { PeriodicTask } from '../database/periodic-task.js';
import { Bus } from './bus.js';
import { Redis } from './redis.js';

const CHECK_EVERY_MS = 10_000;
const ANSWER_TIMEOUT_MS = 2_000;

/** Reports problems with Redis to operators. The server keeps serving: nothing depends on Redis alone. */
@Injectable()
export class RedisCheck implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Redis');
  private readonly checks = new PeriodicTask('Redis', 'Redis cannot be checked.', () => this.check());
  private client: Client | undefined;
  private refusal = '';
  private readonly same: SameRedis;
  /** Sentences that describe the problems and their fixes. */
  faults: readonly string[] = [];

  constructor(
    private readonly redis: Redis,
    changes: ChangeLog,
    bus: Bus,
  ) {
    this.same = new SameRedis(changes, bus);
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
    const known = new Set(this.faults);
    this.faults = await this.ask();
    for (const fault of this.faults) if (!known.has(fault)) this.logger.warn(fault);
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
  return valueOf(info, 'cluster_enabled') === '1' ? '' : valueOf(info, 'run_id');
}

/** The error code if Redis denies access to this server; empty for other errors. */
function refusalOf(message: string): string {
  return /\b(?:NOAUTH|WRONGPASS|NOPERM)\b/.exec(message)?.[0] ?? '';
}

const OLDEST_VERSION = '6.2';

/** Problems of a Redis server, from its INFO output: sentences that say what to do. */
export function redisFaults(info: string): string[] {
  const faults: string[] = [];
  const version = valueOf(info, 'redis_version');
  if (version !== '' && version.localeCompare(OLDEST_VERSION, 'en', { numeric: true }) < 0)
    faults.push(`Redis ${version} at REDIS_URL is too old: version ${OLDEST_VERSION} or later is needed.`);
  const policy = valueOf(info, 'maxmemory_policy');
  if (policy !== '' && policy !== 'noeviction')
    faults.push(
      `Redis at REDIS_URL evicts keys (maxmemory-policy ${policy}), so work may be lost until a sweep finds it. Set maxmemory-policy noeviction.`,
    );
  const role = valueOf(info, 'role');
  if (role !== '' && role !== 'master')
    faults.push('Redis at REDIS_URL is a read-only replica. Set REDIS_URL to the primary.');
  const limit = Number(valueOf(info, 'maxmemory'));
  if (limit > 0 && Number(valueOf(info, 'used_memory')) >= limit)
    faults.push('Redis at REDIS_URL is full and refuses writes. Raise its maxmemory.');
  return faults;
}

/** A value of the INFO output; empty if missing. */
function valueOf(info: string, name: string): string {
  return new RegExp(`^${name}:(.*)`, 'm').exec(info)?.[1]?.trim() ?? '';
}

const TOPIC = 'redis';
/** A process silent for this long is gone, or has lost its database. */
const FORGOTTEN_AFTER_MS = 45_000;
/** After a failover, the processes switch to the other server one by one. */
const MIN_DIFFERENT = 2;

interface Peer {
  readonly heardAt: number;
  /** How many times in a row it reported a different Redis than this process. */
  readonly different: number;
}

/** Detects processes of one database that use different Redis servers, by their run ids in the change log. */
export class SameRedis {
  private readonly peers = new Map<string, Peer>();
  private own = '';

  constructor(
    private readonly changes: ChangeLog,
    private readonly bus: Pick<Bus, 'processId'>,
  ) {
    changes.on(TOPIC, ({ process, id }) => this.hear(String(process), String(id)));
  }

  get faults(): readonly string[] {
    const now = performance.now();
    for (const [process, { heardAt }] of this.peers)
      if (now - heardAt >= FORGOTTEN_AFTER_MS) this.peers.delete(process);
    const isDifferent = [...this.peers.values()].some(({ different }) => different >= MIN_DIFFERENT);
    return isDifferent
      ? [
          'Another process of this database uses another Redis, so processes do not see each other’s events, and deliveries start late. Set the same REDIS_URL for all processes, and restart those that had another.',
        ]
      : [];
  }

  /** Call it periodically with the run id of the server; empty if unknown. */
  tell(id: string): void {
    if (id !== this.own) this.peers.clear();
    this.own = id;
    if (id !== '') this.changes.append({ topic: TOPIC, body: { process: this.bus.processId, id } });
  }

  private hear(process: string, id: string): void {
    const different = id === this.own ? 0 : (this.peers.get(process)?.different ?? 0) + 1;
    if (this.own !== '') this.peers.set(process, { heardAt: performance.now(), different });
  }
}
