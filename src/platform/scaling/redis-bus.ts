import { EventEmitter } from 'node:events';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis as Client } from 'ioredis';
import { stackOf } from '../common/errors/stack-of.js';
import { isJsonObject, type JsonObject } from '../common/json.js';
import { PeriodicTask } from '../database/periodic-task.js';
import { bounded, Bus, type BusHandler } from './bus.js';
import { BusPeers } from './bus-peers.js';
import { Redis } from './redis.js';

const TICK_MS = 250;
/** Without its own tick for this long, a process does not know whether it hears the others. */
const SILENT_AFTER_MS = 1_000;
/** Silent ticks before reconnecting. Not a duration: a suspended process has not missed anything yet. */
const RENEW_AFTER_TICKS = 8;
/** Processes first heard within this time were already running. */
const BEGINNING_MS = 1_000;
const GOODBYE_MS = 500;

interface Envelope {
  readonly from: string;
  /** The number of this message, or of the last one sent. */
  readonly number: number;
  readonly topic: string;
  readonly message: JsonObject;
}

/**
 * The bus over Redis pub/sub, which delivers at most once. Senders number their messages, and their ticks
 * carry the last number, so a lost one is detected within a quarter second. A process also hears its own
 * ticks: they show whether messages get through, which an open connection does not.
 */
@Injectable()
export class RedisBus extends Bus implements OnApplicationBootstrap, OnApplicationShutdown {
  override readonly hasOthers = true;
  private readonly logger = new Logger('Redis');
  private readonly handlers = new Map<string, BusHandler>();
  private readonly events = new EventEmitter().setMaxListeners(0);
  private readonly peers = new BusPeers();
  private publisher: Client | undefined;
  private subscriber: Client | undefined;
  private channel = '';
  private readonly ticks = new PeriodicTask('Redis', 'The connection cannot be checked.', () => this.tick());
  private sent = 0;
  private startedAt = Infinity;
  private firstHeardAt: number | undefined;
  private heardAt = -Infinity;
  private silentTicks = 0;
  private isBroken = true;

  constructor(private readonly redis: Redis) {
    super();
  }

  override get isConnected(): boolean {
    return !this.isBroken && performance.now() - this.heardAt < SILENT_AFTER_MS;
  }

  async onApplicationBootstrap(): Promise<void> {
    this.startedAt = performance.now();
    this.channel = `${await this.redis.prefix()}:bus`;
    this.publisher = await this.redis.open();
    const subscriber = await this.redis.open({ autoResubscribe: false });
    this.subscriber = subscriber;
    subscriber.on('message', (_channel, text) => this.receive(text));
    subscriber.on('ready', () => this.listen(subscriber));
    subscriber.on('close', () => this.markBroken());
    this.ticks.start(TICK_MS);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.ticks.stop();
    this.isBroken = true; // on purpose
    this.subscriber?.disconnect();
    const goodbye = this.publisher?.publish(this.channel, this.encode('goodbye', {}));
    if (goodbye) await bounded(goodbye, GOODBYE_MS).catch(() => undefined);
    this.publisher?.disconnect();
  }

  override publish(topic: string, message: JsonObject): void {
    this.sent++; // even if sending fails: the others then notice the gap
    this.send(topic, message);
  }

  /** The others notice the missing number with the next tick. */
  override skip(): void {
    this.sent++;
  }

  override subscribe(topic: string, handler: BusHandler): void {
    if (this.handlers.has(topic)) throw new Error(`The topic ${topic} has a handler already.`);
    this.handlers.set(topic, handler);
  }

  override onGap(handler: () => void): void {
    this.events.on('gap', handler);
  }

  override onJoined(handler: (processId: string) => void): void {
    this.events.on('joined', handler);
  }

  override onLeft(handler: (processId: string) => void): void {
    this.events.on('left', handler);
  }

  private listen(subscriber: Client): void {
    subscriber.subscribe(this.channel).then(
      () => this.tick(),
      () => subscriber.disconnect(true),
    );
  }

  private tick(): void {
    const now = performance.now();
    if (now - this.heardAt >= SILENT_AFTER_MS) this.handleSilence();
    else
      for (const id of this.peers.takeSilent(now)) {
        this.call(() => this.events.emit('left', id), 'a process that is gone');
        this.reportGap(); // its last messages may not have left it
      }
    this.send('tick', {});
  }

  private handleSilence(): void {
    this.markBroken();
    if (++this.silentTicks % RENEW_AFTER_TICKS !== 0) return;
    for (const client of [this.publisher, this.subscriber]) if (client) this.redis.renew(client);
  }

  private send(topic: string, message: JsonObject): void {
    const { publisher } = this;
    if (publisher?.status !== 'ready') return this.markBroken();
    publisher.publish(this.channel, this.encode(topic, message)).catch(() => this.markBroken());
  }

  private encode(topic: string, message: JsonObject): string {
    return JSON.stringify({ from: this.processId, number: this.sent, topic, message } satisfies Envelope);
  }

  private markBroken(): void {
    if (this.isBroken) return;
    this.isBroken = true;
    this.logger.warn('Redis is not available: events of other processes are delayed.');
  }

  private receive(text: string): void {
    const envelope = parse(text);
    if (!envelope) return;
    const { from, topic, message } = envelope;
    const now = performance.now();
    if (from === this.processId) this.receiveOwn(now);
    else if (topic === 'goodbye') this.leave(from);
    else {
      this.hear(envelope, now);
      if (topic !== 'tick') this.call(() => this.handlers.get(topic)?.(message, from), topic);
    }
  }

  /** A message of this process has made the round trip through Redis. */
  private receiveOwn(now: number): void {
    this.heardAt = now;
    this.silentTicks = 0;
    if (!this.isBroken) return;
    this.isBroken = false;
    this.peers.excuse(now);
    if (this.firstHeardAt !== undefined) return this.logger.log('Redis is available again.');
    this.firstHeardAt = now;
    if (now - this.startedAt > SILENT_AFTER_MS) this.reportGap(); // it served clients without hearing others
  }

  private hear({ from, number, topic }: Envelope, now: number): void {
    const isBeginning = now - (this.firstHeardAt ?? now) < BEGINNING_MS;
    const { isNew, hasMissed } = this.peers.hear(from, number, topic !== 'tick', now, isBeginning);
    if (isNew) this.call(() => this.events.emit('joined', from), 'a process that is new');
    if (hasMissed) this.reportGap();
  }

  private leave(from: string): void {
    if (this.peers.leave(from)) this.call(() => this.events.emit('left', from), 'a process that has stopped');
  }

  private reportGap(): void {
    this.call(() => this.events.emit('gap'), 'lost messages');
  }

  private call(handle: () => void, subject: string): void {
    try {
      handle();
    } catch (error) {
      this.logger.error(`A message about ${subject} failed.`, stackOf(error));
    }
  }
}

function parse(text: string): Envelope | undefined {
  try {
    const { from, number, topic, message } = JSON.parse(text) as Partial<Envelope>;
    return typeof from === 'string' &&
      typeof number === 'number' &&
      typeof topic === 'string' &&
      isJsonObject(message)
      ? { from, number, topic, message }
      : undefined;
  } catch {
    return undefined;
  }
}
