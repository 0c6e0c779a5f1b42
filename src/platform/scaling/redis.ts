import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis as Client, RedisOptions } from 'ioredis';
import { Settings } from '../config/settings.js';
import { InstallationId } from '../database/installation/installation-id.js';

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
