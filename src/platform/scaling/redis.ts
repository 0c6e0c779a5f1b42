import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis as Client, RedisOptions } from 'ioredis';
import { Settings } from '../config/settings.js';
import { InstallationId } from '../database/installation/installation-keys.js';
import type { ChangeLog } from '../database/changes/change-log.js';
import type { Bus } from './bus.js';

const CONNECT_TIMEOUT_MS = 2_000;
const MAX_RETRY_MS = 1_000;
/** How long the other side may take to close as well. */
const DISCONNECT_TIMEOUT_MS = 500;

/**
 * Opens the connections of this process to Redis. The client is loaded with the first one, so a server without REDIS_URL
 * never loads it. Connections come back by themselves; whoever opens one handles the time without it.
 */
@Injectable()
export class Redis implements OnApplicationShutdown {
  private readonly clients = new Set<Client>();

  constructor(
    private readonly settings: Settings,
    private readonly installation: InstallationId,
  ) {}

  /** Whether the server may use Redis at all. */
  get isConfigured(): boolean {
    return this.settings.redisUrl !== undefined;
  }

  /**
   * What all keys and channels of this installation begin with. In braces, because Redis Cluster keeps keys with the same
   * text in braces on one node, which scripts over several keys need.
   */
  async prefix(): Promise<string> {
    return `{hookline:${await this.installation.get()}}`;
  }

  /**
   * A connection, which may not be ready yet. By default a command fails at once while it is not, instead of waiting.
   * Errors of the connection are not logged: the one who uses it knows what its loss means.
   */
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

  /**
   * Makes a connection anew that answers nothing: one that was cut silently stays open for ever. One that is being made is
   * left alone.
   */
  renew(client: Client): void {
    if (client.status === 'ready' || client.status === 'connect') client.disconnect(true);
  }

  /** So too for its duplicates, which BullMQ makes, and leaves alone too early. */
  private keep(client: Client): Client {
    client.on('error', () => undefined);
    this.clients.add(client);
    client.once('end', () => this.clients.delete(client));
    const duplicate = client.duplicate.bind(client);
    client.duplicate = (options) => this.keep(duplicate(options));
    return client;
  }

  /** The last step of a shutdown: what uses a connection has closed it by now. */
  onApplicationShutdown(): void {
    for (const client of this.clients) client.disconnect();
  }
}

const OLDEST_VERSION = [6, 2] as const;

/** What is wrong with a Redis server, by its answer to INFO: sentences that say what to do. */
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
      `Redis at REDIS_URL evicts keys (maxmemory-policy ${policy}), so work may be forgotten until a sweep finds it. Set maxmemory-policy noeviction.`,
    );
  const role = values.get('role') ?? 'master';
  if (role !== 'master')
    faults.push('Redis at REDIS_URL is a replica, which takes no writes. Let REDIS_URL name the primary.');
  const limit = Number(values.get('maxmemory') ?? 0);
  if (limit > 0 && Number(values.get('used_memory') ?? 0) >= limit)
    faults.push('Redis at REDIS_URL is full, so it takes no writes. Raise its maxmemory.');
  return faults;
}

function isTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (!Number.isFinite(major) || version === '') return false;
  return major < OLDEST_VERSION[0] || (major === OLDEST_VERSION[0] && minor < OLDEST_VERSION[1]);
}

const TOPIC = 'redis';
/** A process that has said nothing for so long is gone, or has lost its database. */
const FORGOTTEN_AFTER_MS = 45_000;
/** After a failover, the processes learn of the other server one after the other. */
const MIN_DIFFERENT = 2;

interface Peer {
  readonly heardAt: number;
  /** How often in a row it has had another Redis than this process. */
  readonly different: number;
}

/**
 * Notices that processes of one database have different servers as their Redis. Each tells the others by the change log,
 * which needs no Redis, which one it has: by the id that a Redis server gives itself at its start.
 */
export class SameRedis {
  private readonly peers = new Map<string, Peer>();
  private own = '';

  constructor(
    private readonly changes: ChangeLog,
    private readonly bus: Pick<Bus, 'processId'>,
  ) {
    changes.on(TOPIC, ({ process, id }) => this.hear(String(process), String(id)));
  }

  /** Sentences that say what is wrong, and what to do. */
  get faults(): readonly string[] {
    const now = performance.now();
    for (const [process, { heardAt }] of this.peers)
      if (now - heardAt >= FORGOTTEN_AFTER_MS) this.peers.delete(process);
    const isDifferent = [...this.peers.values()].some(({ different }) => different >= MIN_DIFFERENT);
    return isDifferent
      ? [
          'Another process of this database has another Redis, so events of one are not seen in the other, and deliveries begin late. Give all processes the same REDIS_URL, and restart those that had another.',
        ]
      : [];
  }

  /** Call it now and then with the id of the server; empty if it is not known. */
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
