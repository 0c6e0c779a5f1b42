import { Logger } from '@nestjs/common';
import { stackOf } from '../../../platform/common/errors/stack-of.js';
import { isDatabaseUnavailable } from '../../../platform/database/database-errors.js';
import { PeriodicTask } from '../../../platform/database/periodic-task.js';
import type { LaneDrain } from '../lane-drain.js';
import type { Turn } from './lane-turns.js';
import type { LaneTurnsRepository } from './lane-turns.repository.js';

/** A turn lasts this long after its last renewal. */
export const LEASE_MS = 9_000;
/** No call starts in this last part of a turn. */
const MARGIN_MS = 1_000;

/** A turn of this process, where several processes share a database. */
export class SharedTurn implements Turn {
  readonly takenAt = performance.now();
  /** When the turn last had work. */
  busyAt = performance.now();
  /** No more calls start; the turn is released once running ones have ended. */
  isEnding = false;
  /** How long no process may take the lane after this turn. */
  pausedMs = 0;
  /** Resolves once the turn is released or lost. */
  readonly over: Promise<void>;
  finish: () => void = () => undefined;
  private deadline = 0;

  /** `sentAt`: when the statement that took the turn was sent, by performance.now(). */
  constructor(
    readonly lane: string,
    readonly epoch: number,
    sentAt: number,
  ) {
    this.over = new Promise((resolve) => (this.finish = resolve));
    this.renewed(sentAt);
  }

  /** Uses the machine's clock, which keeps running while the process is frozen or disconnected. */
  get isValid(): boolean {
    return !this.isEnding && performance.now() < this.deadline;
  }

  renewed(sentAt: number): void {
    this.deadline = Math.max(this.deadline, sentAt + LEASE_MS - MARGIN_MS);
  }
}

const RENEW_EVERY_MS = 3_000;
const REVIEW_EVERY_MS = 250;
/** An idle turn ends after this. */
const LINGER_MS = 2_000;
/** A busy turn ends after this if other lanes are waiting. */
const SLICE_MS = 30_000;

type Queries = Pick<LaneTurnsRepository, 'take' | 'renew' | 'release'>;

/** Lanes requested with one statement. */
interface Batch {
  readonly lanes: Set<string>;
  readonly done: Promise<void>;
}

/**
 * Takes, renews and releases the turns of this process, where several processes share a database. The table
 * says who has a lane; a turn that no one else has taken continues even if it was renewed late.
 */
export class HeldTurns {
  /** Whether there are waiting lanes that no process has room for. */
  haveOthersToWait = false;
  private readonly logger = new Logger(HeldTurns.name);
  private readonly turns = new Map<string, SharedTurn>();
  private readonly hashes = new Map<string, string>();
  private next: Batch | undefined;
  private last: Promise<void> = Promise.resolve();
  private isClosed = false;
  /** Turns in the table that this process does not know of, as of the last renewal. */
  private unknown: ReadonlyMap<string, number> = new Map();
  /** Whether there may be unknown turns. */
  private hasUnknown = false;
  private readonly renewals = taskOf('Lane turns cannot be renewed.', () => this.renew());
  private readonly reviews = taskOf('Lane turns cannot be released.', () => this.review());

  constructor(
    private readonly repository: Queries,
    private readonly holder: string,
    private readonly drain: LaneDrain,
    private readonly maxLanes: number,
    private readonly hashOf: (lane: string) => string,
    /** Called with released lanes, whose remaining deliveries must be scheduled. */
    private readonly onReleased: (lanes: readonly string[]) => void,
  ) {}

  /** How many more lanes this process may take. */
  get room(): number {
    return this.isClosed ? 0 : Math.max(0, this.maxLanes - this.turns.size - (this.next?.lanes.size ?? 0));
  }

  start(): void {
    this.renewals.start(RENEW_EVERY_MS);
    this.reviews.start(REVIEW_EVERY_MS);
  }

  find(lane: string): SharedTurn | undefined {
    return this.turns.get(lane);
  }

  /** The lane of a turn, by its hash. */
  laneOf(hash: string): string | undefined {
    return this.hashes.get(hash);
  }

  lanes(): IterableIterator<string> {
    return this.turns.keys();
  }

  /** Takes a lane if it is free. Undefined if another process has it or there is no room. Never throws. */
  async take(lane: string): Promise<SharedTurn | undefined> {
    const held = this.turns.get(lane);
    if (held || this.room === 0) return held;
    this.next ??= this.newBatch();
    this.next.lanes.add(lane);
    await this.next.done;
    return this.turns.get(lane);
  }

  /** Stops taking turns. */
  close(): void {
    this.isClosed = true;
  }

  /** Ends all turns. Their calls must have finished. */
  async stop(): Promise<void> {
    this.close();
    await Promise.all([this.renewals.stop(), this.reviews.stop(), this.last]);
    for (const turn of this.turns.values()) this.end(turn);
    await this.release([...this.turns.values()]).catch((error: unknown) => this.report(error));
    for (const turn of this.turns.values()) turn.finish();
  }

  /** Renews all turns and detects those that are lost. */
  async renew(): Promise<void> {
    const asked = [...this.turns.values()];
    if (asked.length === 0 && !this.hasUnknown) return;
    const sentAt = performance.now();
    const epochs = await this.repository.renew(this.holder, LEASE_MS);
    for (const turn of asked) {
      if (this.turns.get(turn.lane) !== turn) continue; // released in the meantime
      if (epochs.get(turn.lane) === turn.epoch) this.goOn(turn, sentAt);
      else this.lose(turn);
    }
    await this.releaseUnknown(epochs);
  }

  private newBatch(): Batch {
    const lanes = new Set<string>();
    const done = this.last.then(() => {
      this.next = undefined;
      return this.takeAll([...lanes]);
    });
    this.last = done;
    return { lanes, done };
  }

  private async takeAll(lanes: readonly string[]): Promise<void> {
    // A running call of an earlier turn must stay fenced by this process's epoch, and first in its order.
    const free = lanes.filter((lane) => !this.turns.has(lane) && this.drain.workOn(lane).claimed === 0);
    if (free.length === 0 || this.isClosed) return;
    const sentAt = performance.now();
    try {
      for (const { lane, epoch } of await this.repository.take(free, this.holder, LEASE_MS))
        this.begin(new SharedTurn(lane, epoch, sentAt));
    } catch (error) {
      this.hasUnknown = true;
      this.report(error);
    }
  }

  private begin(turn: SharedTurn): void {
    this.turns.set(turn.lane, turn);
    this.hashes.set(this.hashOf(turn.lane), turn.lane);
    if (!this.isClosed) this.drain.taken(turn.lane, turn);
  }

  private goOn(turn: SharedTurn, sentAt: number): void {
    const wasValid = turn.isValid;
    turn.renewed(sentAt);
    if (!wasValid && turn.isValid) this.drain.taken(turn.lane, turn);
  }

  private lose(turn: SharedTurn): void {
    this.logger.warn('A lane turn was lost to another process.');
    turn.isEnding = true;
    this.drain.left(turn.lane);
    this.forget(turn);
  }

  /** Releases turns taken by a statement whose response was lost: no one works on them. */
  private async releaseUnknown(epochs: ReadonlyMap<string, number>): Promise<void> {
    const unknown = [...epochs].filter(([lane]) => !this.turns.has(lane));
    const lost = unknown.filter(([lane, epoch]) => this.unknown.get(lane) === epoch); // not being taken now
    this.unknown = new Map(unknown);
    this.hasUnknown = unknown.length > 0;
    const turns = lost.map(([lane, epoch]) => ({ lane, epoch, pausedMs: 0 }));
    if (turns.length > 0) await this.repository.release(turns, this.holder);
  }

  private async review(): Promise<void> {
    const now = performance.now();
    const over: SharedTurn[] = [];
    for (const turn of this.turns.values()) {
      const { isBusy, claimed } = this.drain.workOn(turn.lane);
      if (isBusy) turn.busyAt = now;
      const isIdle = now - turn.busyAt >= LINGER_MS;
      const isSliceOver = this.haveOthersToWait && now - turn.takenAt >= SLICE_MS;
      if (!turn.isEnding && (isIdle || isSliceOver)) this.end(turn);
      if (turn.isEnding && claimed === 0) over.push(turn);
    }
    await this.release(over);
  }

  private end(turn: SharedTurn): void {
    if (turn.isEnding) return;
    turn.pausedMs = Math.round(this.drain.workOn(turn.lane).pausedMs);
    turn.isEnding = true;
    this.drain.left(turn.lane);
  }

  private async release(turns: readonly SharedTurn[]): Promise<void> {
    if (turns.length === 0) return;
    await this.repository.release(turns, this.holder);
    for (const turn of turns) this.forget(turn);
    this.onReleased(turns.map(({ lane }) => lane));
  }

  private forget(turn: SharedTurn): void {
    this.turns.delete(turn.lane);
    this.hashes.delete(this.hashOf(turn.lane));
    turn.finish();
  }

  private report(error: unknown): void {
    if (!isDatabaseUnavailable(error)) this.logger.error('A lane cannot be taken.', stackOf(error));
  }
}

function taskOf(failure: string, work: () => Promise<void>): PeriodicTask {
  return new PeriodicTask(HeldTurns.name, failure, work);
}
