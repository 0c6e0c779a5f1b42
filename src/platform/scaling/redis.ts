import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis as Client, RedisOptions } from 'ioredis';
import { Settings } from '../config/settings.js';
import { InstallationId } from '../database/installation/installation-keys.js';

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
