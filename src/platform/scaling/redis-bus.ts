import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis as Client } from 'ioredis';
import { newId } from '../common/ids.js';
import { isJsonObject, type JsonObject } from '../common/json.js';
import { PeriodicTask } from '../database/periodic-task.js';
import { Bus, type BusHandler } from './bus.js';
import { Redis } from './redis.js';

const TICK_MS = 250;
/** Without a tick of its own for so long, a process may have missed messages. */
const SILENT_AFTER_MS = 1_000;

interface Envelope {
  readonly from: string;
  readonly topic: string;
  readonly message: JsonObject;
}

/**
 * The bus over Redis pub/sub. Each process also sends ticks to itself: they tell whether messages go through, which an
 * open connection does not. What may have been lost is a gap, and all processes are told of one.
 */
@Injectable()
export class RedisBus extends Bus implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly processId = newId();
  readonly hasOthers = true;
  private readonly logger = new Logger('Redis');
  private readonly handlers = new Map<string, BusHandler>();
  private readonly gapHandlers: (() => void)[] = [];
  private publisher: Client | undefined;
  private subscriber: Client | undefined;
  private channel = '';
  private readonly ticks = new PeriodicTask('Redis', 'The connection cannot be checked.', () => this.tick());
  private heardAt = -Infinity;
  private isBroken = true;
  private hasBeenWhole = false;

  constructor(private readonly redis: Redis) {
    super();
  }

  get isConnected(): boolean {
    return !this.isBroken && performance.now() - this.heardAt < SILENT_AFTER_MS;
  }

  async onApplicationBootstrap(): Promise<void> {
    this.channel = `${await this.redis.prefix()}:bus`;
    this.publisher = await this.redis.open();
    const subscriber = await this.redis.open({ autoResubscribe: false });
    this.subscriber = subscriber;
    subscriber.on('message', (_channel, text) => this.receive(text));
    subscriber.on('ready', () => this.listen(subscriber));
    subscriber.on('close', () => this.breakOff());
    this.ticks.start(TICK_MS);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.ticks.stop();
    this.subscriber?.disconnect();
    this.publisher?.disconnect();
  }

  publish(topic: string, message: JsonObject): void {
    this.send({ from: this.processId, topic, message });
  }

  subscribe(topic: string, handler: BusHandler): void {
    if (this.handlers.has(topic)) throw new Error(`The topic ${topic} has a handler already.`);
    this.handlers.set(topic, handler);
  }

  onGap(handler: () => void): void {
    this.gapHandlers.push(handler);
  }

  private listen(subscriber: Client): void {
    subscriber.subscribe(this.channel).catch(() => subscriber.disconnect(true));
  }

  private tick(): void {
    if (!this.isBroken && performance.now() - this.heardAt >= SILENT_AFTER_MS) this.breakOff();
    this.send({ from: this.processId, topic: 'tick', message: {} });
  }

  private send(envelope: Envelope): void {
    const { publisher } = this;
    if (publisher?.status !== 'ready') return this.breakOff();
    publisher.publish(this.channel, JSON.stringify(envelope)).catch(() => this.breakOff());
  }

  private breakOff(): void {
    if (!this.isBroken) this.logger.warn('Redis is away: what happens on other processes is seen later.');
    this.isBroken = true;
  }

  private receive(text: string): void {
    const envelope = parse(text);
    if (!envelope) return;
    const { from, topic, message } = envelope;
    if (from === this.processId) {
      if (topic === 'tick') this.mend();
    } else if (topic === 'gap') this.reportGap();
    else this.handle(topic, message, from);
  }

  private handle(topic: string, message: JsonObject, from: string): void {
    try {
      this.handlers.get(topic)?.(message, from);
    } catch (error) {
      this.logger.error(`A message about ${topic} failed.`, (error as Error).stack);
    }
  }

  /** A message has made its way to Redis and back. */
  private mend(): void {
    this.heardAt = performance.now();
    if (!this.isBroken) return;
    this.isBroken = false;
    if (this.hasBeenWhole) {
      this.logger.log('Redis is back.');
      this.send({ from: this.processId, topic: 'gap', message: {} }); // what this process sent may be lost as well
      this.reportGap();
    }
    this.hasBeenWhole = true;
  }

  private reportGap(): void {
    for (const handler of this.gapHandlers) handler();
  }
}

function parse(text: string): Envelope | undefined {
  try {
    const value = JSON.parse(text) as Partial<Envelope>;
    const { from, topic, message } = value;
    return typeof from === 'string' && typeof topic === 'string' && isJsonObject(message)
      ? { from, topic, message }
      : undefined;
  } catch {
    return undefined;
  }
}
