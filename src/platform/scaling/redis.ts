import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis as Client, RedisOptions } from 'ioredis';
import { Settings } from '../config/settings.js';
import { InstallationId } from '../database/installation/installation-keys.js';
import type { ChangeLog } from '../database/changes/change-log.js';
import type { Bus } from './bus.js';

const CONNECT_TIMEOUT_MS = 2_000;
const MAX_RETRY_MS = 1_000;
/** How long the server may take to close its end. */
const DISCONNECT_TIMEOUT_MS = 500;

/** Opens the Redis connections of this process. They reconnect automatically; users handle the time in between. */
@Injectable()
export class Redis implements OnApplicationShutdown {
  private readonly clients = new Set<Client>();

  constructor(
    private readonly settings: Settings,
    private readonly installation: InstallationId,
  ) {}

  get isConfigured(): boolean {
    return this.settings.redisUrl !== undefined;
  }

  /** The prefix of all keys and channels, in braces: Redis Cluster keeps such keys on one node, as scripts need. */
  async prefix(): Promise<string> {
    return `{hookline:${await this.installation.get()}}`;
  }

  /** Opens a connection, which may not be ready yet. By default, commands fail at once until it is. */
  async open(options: RedisOptions = {}): Promise<Client> {
    const { redisUrl } = this.settings;
    if (redisUrl === undefined) throw new Error('REDIS_URL is not set.');
    const { Redis: RedisClient } = await import('ioredis');
    const client = new RedisClient(redisUrl, {
      connectTimeout: CONNECT_TIMEOUT_MS,
      disconnectTimeout: DISCONNECT_TIMEOUT_MS,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      retryStrategy: (times) => Math.min(50 * times, MAX_RETRY_MS),
      keepAlive: 10_000,
      ...options,
    });
    return this.keep(client);
  }

  /** Reconnects a connection that does not answer: one that was dropped silently stays open forever. */
  renew(client: Client): void {
    if (client.status === 'ready' || client.status === 'connect') client.disconnect(true);
  }

  /** Tracks a connection and its duplicates, which BullMQ creates and abandons too early. */
  private keep(client: Client): Client {
    client.on('error', () => undefined);
    this.clients.add(client);
    client.once('end', () => this.clients.delete(client));
    const duplicate = client.duplicate.bind(client);
    client.duplicate = (options) => this.keep(duplicate(options));
    return client;
  }

  /** The last step of a shutdown: all users of connections have closed them by now. */
  onApplicationShutdown(): void {
    for (const client of this.clients) client.disconnect();
  }
}

const OLDEST_VERSION = [6, 2] as const;

/** Problems of a Redis server, from its INFO output: sentences that say what to do. */
export function redisFaults(info: string): string[] {
  const values = new Map(
    info.split(/\r?\n/).flatMap((line) => {
      const end = line.indexOf(':');
      return end > 0 ? [[line.slice(0, end), line.slice(end + 1).trim()] as const] : [];
    }),
  );
  const faults: string[] = [];
  const version = values.get('redis_version') ?? '';
  if (isTooOld(version))
    faults.push(
      `Redis ${version} at REDIS_URL is too old: version ${OLDEST_VERSION.join('.')} or later is needed.`,
    );
  const policy = values.get('maxmemory_policy') ?? 'noeviction';
  if (policy !== 'noeviction')
    faults.push(
      `Redis at REDIS_URL evicts keys (maxmemory-policy ${policy}), so work may be lost until a sweep finds it. Set maxmemory-policy noeviction.`,
    );
  const role = values.get('role') ?? 'master';
  if (role !== 'master')
    faults.push('Redis at REDIS_URL is a read-only replica. Set REDIS_URL to the primary.');
  const limit = Number(values.get('maxmemory') ?? 0);
  if (limit > 0 && Number(values.get('used_memory') ?? 0) >= limit)
    faults.push('Redis at REDIS_URL is full and refuses writes. Raise its maxmemory.');
  return faults;
}

function isTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (!Number.isFinite(major) || version === '') return false;
  return major < OLDEST_VERSION[0] || (major === OLDEST_VERSION[0] && minor < OLDEST_VERSION[1]);
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
