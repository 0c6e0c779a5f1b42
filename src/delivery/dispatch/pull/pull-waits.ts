import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HealthService } from '../../../platform/health/health.service.js';
import { Bus } from '../../../platform/scaling/bus.js';
import { DispatcherService } from '../dispatcher.service.js';
import { tooManyPulls } from '../delivery.errors.js';

const TOPIC = 'deliveries.pull';
/** How often one of the waiting consumers looks for retries that are due, expired leases, and rows that no process has announced. */
const LOOK_EVERY_MS = 1_000;
const MAX_OF_LANE = 32;
/** So that no user and no team can take all places of the process. */
const MAX_OF_SHARER = 300;
const MAX_OF_PROCESS = 1_000;

/** The connection of a consumer. */
export interface Connection {
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  /** Called before the request waits. */
  readonly onWait: () => void;
}

/** What a consumer waits for, and the ids of those whose limits of waiting consumers it counts towards. */
export interface WaitPlace {
  readonly lane: string;
  readonly sharers: readonly string[];
}

/** A consumer that waits for deliveries of a lane. */
export interface PullWait {
  /** Resolves when it should look again, or with false when the wait is over. */
  next(): Promise<boolean>;
  close(): void;
}

interface Waiter {
  isTold: boolean;
  resolve: (() => void) | undefined;
}

/** Lets consumers wait for deliveries. Each new row wakes one of them, in any process. */
@Injectable()
export class PullWaits implements OnModuleInit {
  /** The waiters by lane, in the order in which they are woken. */
  private readonly waiters = new Map<string, Set<Waiter>>();
  private readonly shares = new Map<string, number>();
  private count = 0;

  constructor(
    private readonly dispatcher: DispatcherService,
    private readonly bus: Bus,
    private readonly health: HealthService,
  ) {}

  onModuleInit(): void {
    this.dispatcher.rowToPull = (lane) => this.announce(lane);
    this.bus.subscribe(TOPIC, ({ lane }) => this.tell(String(lane)));
    this.health.stopping.addEventListener('abort', () => {
      for (const lane of this.waiters.values()) for (const waiter of lane) waiter.resolve?.();
    });
  }

  /** Wakes a consumer that waits for the lane, in each process. */
  announce(lane: string): void {
    this.tell(lane);
    this.bus.publish(TOPIC, { lane });
  }

  /** Begins a wait, which ends early if the client disconnects or the server stops. Throws `tooManyPulls`. */
  open(place: WaitPlace, waitMs: number, { signal, onWait }: Connection): PullWait {
    const { lane } = place;
    const endAt = performance.now() + waitMs;
    const waiter: Waiter = { isTold: false, resolve: undefined };
    if (waitMs > 0) this.add(place, waiter);
    const wake = (): void => waiter.resolve?.();
    signal.addEventListener('abort', wake);
    return {
      next: async () => {
        const leftMs = endAt - performance.now();
        if (leftMs <= 0 || signal.aborted || this.health.stopping.aborted) return false;
        onWait();
        await new Promise<void>((resolve) => {
          if (waiter.isTold) return resolve();
          const look = (): void => {
            const restMs = endAt - performance.now();
            if (restMs <= 0 || this.waiters.get(lane)?.values().next().value === waiter) resolve();
            else timer = setTimeout(look, Math.min(restMs, LOOK_EVERY_MS));
          };
          let timer = setTimeout(look, Math.min(leftMs, LOOK_EVERY_MS));
          waiter.resolve = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        waiter.resolve = undefined;
        waiter.isTold = false;
        return !signal.aborted;
      },
      close: () => {
        signal.removeEventListener('abort', wake);
        this.remove(place, waiter);
        if (waiter.isTold) this.tell(lane); // news that it has not used
      },
    };
  }

  private tell(lane: string): void {
    const waiters = this.waiters.get(lane);
    const [first] = waiters ?? [];
    if (!waiters || !first) return;
    waiters.delete(first); // the next news is for another one
    waiters.add(first);
    first.isTold = true;
    first.resolve?.();
  }

  private add({ lane, sharers }: WaitPlace, waiter: Waiter): void {
    const waiters = this.waiters.get(lane) ?? new Set();
    if (waiters.size >= MAX_OF_LANE) throw tooManyPulls(`${MAX_OF_LANE} calls wait for this webhook`);
    if (sharers.some((id) => this.shareOf(id) >= MAX_OF_SHARER))
      throw tooManyPulls(`${MAX_OF_SHARER} calls wait for webhooks of its team or its creator`);
    if (this.count >= MAX_OF_PROCESS) throw tooManyPulls(`${MAX_OF_PROCESS} calls wait on this server`);
    this.waiters.set(lane, waiters.add(waiter));
    for (const id of sharers) this.shares.set(id, this.shareOf(id) + 1);
    this.count++;
  }

  private remove({ lane, sharers }: WaitPlace, waiter: Waiter): void {
    const waiters = this.waiters.get(lane);
    if (!waiters?.delete(waiter)) return;
    this.count--;
    for (const id of sharers) {
      this.shares.set(id, this.shareOf(id) - 1);
      if (this.shareOf(id) === 0) this.shares.delete(id);
    }
    if (waiters.size === 0) this.waiters.delete(lane);
  }

  private shareOf(id: string): number {
    return this.shares.get(id) ?? 0;
  }
}
