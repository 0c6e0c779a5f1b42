import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/common/clock.js';
import { OwnerLock } from '../../../platform/database/owner-lock.js';
import { Purge } from '../../../platform/database/purge.js';
import { Bus } from '../../../platform/scaling/bus.js';
import { Redis } from '../../../platform/scaling/redis.js';
import { SecretBox } from '../../../platform/secrets/secret-box.js';
import type { Delivery } from '../delivery.entity.js';
import { DispatchLimits } from '../dispatch.settings.js';
import type { LaneDrain } from '../lane-drain.js';
import { LanesReadModel } from '../lanes.read-model.js';
import { HeldTurns } from './held-turns.js';
import { LaneJobs } from './lane-jobs.js';
import { HiddenNames, LaneMessages, type Selection } from './lane-messages.js';
import { LaneTurnsRepository } from './lane-turns.repository.js';
import { LaneWatch } from './lane-watch.js';

const ENDED_KEPT_MS = 3_600_000;

/** The right of this process to work on a lane: docs/architecture.md#turns. */
export interface Turn {
  /** Outcomes are stored only while the lane has this epoch. Undefined if one process has all lanes. */
  readonly epoch: number | undefined;
  /** Whether a call may start now. */
  readonly isValid: boolean;
  /** Outcomes of a pulled delivery are stored only while it has this lease. */
  readonly lease?: string;
}

/** The turn of a process that has the database to itself. */
export const ALWAYS: Turn = { epoch: undefined, isValid: true };

/**
 * Decides which lanes this process may work on, and when. The dispatcher asks before it loads anything of a lane and
 * before each call. A process that has the database to itself always has every lane, and has no one to notify;
 * `SharedTurns` overrides all of it.
 */
export class LaneTurns {
  /** The initial turn of a lane that is loaded into memory. */
  readonly firstTurn: Turn | undefined = ALWAYS;

  /** Starts giving out turns. */
  async start(_drain: LaneDrain): Promise<void> {}

  /** Stops taking turns. */
  async close(): Promise<void> {}

  /** Ends all turns once their calls have finished. */
  async stop(): Promise<void> {}

  /** Whether this process works on the lane. */
  isOurs(_lane: string): boolean {
    return true;
  }

  /** Returns the lanes that no process works on and that are not deliberately paused. */
  unattended(_lanes: readonly string[]): Promise<ReadonlySet<string>> {
    return Promise.resolve(new Set());
  }

  /** Requests work on the lane, which has new rows, from the process that has it or gets it. */
  want(_lane: string): void {}

  /** Like DispatcherService.wake, for a lane of another process. */
  wake(_lane: string): void {}

  /** Like DispatcherService.resume, for a lane of another process. */
  resume(_lane: string): void {}

  /** Notifies the other processes of cancelled rows. */
  drop(_selection: Selection): void {}

  /** Returns which of these open deliveries other processes are calling right now. */
  inFlightElsewhere(_deliveries: readonly Delivery[]): Promise<ReadonlySet<string>> {
    return Promise.resolve(new Set());
  }

  /** Ids of deliveries that other processes are calling right now; of all owners if undefined. */
  inFlightElsewhereOf(_ownerId: string | undefined): Promise<readonly string[]> {
    return Promise.resolve([]);
  }
}

/**
 * The turns of processes that share a database. The table `lane_turns` says who has a lane. Jobs distribute
 * lanes, messages announce new rows, and a watch finds what both have missed.
 */
@Injectable()
export class SharedTurns extends LaneTurns {
  /** A lane waits for a turn from the table. */
  override readonly firstTurn = undefined;
  readonly jobs: LaneJobs;
  private readonly names: HiddenNames;
  private held: HeldTurns | undefined;
  private messages: LaneMessages | undefined;
  private watch: LaneWatch | undefined;

  constructor(
    private readonly turns: LaneTurnsRepository,
    private readonly lanes: LanesReadModel,
    private readonly bus: Bus,
    redis: Redis,
    secrets: SecretBox,
    private readonly clock: Clock,
    private readonly limits: DispatchLimits,
    ownerLock: OwnerLock,
    purge: Purge,
  ) {
    super();
    purge.register({
      rows: 'turns of lanes',
      retentionMs: () => ENDED_KEPT_MS,
      deleteBefore: (_time, limit) => turns.deleteEnded(ENDED_KEPT_MS, limit),
    });
    this.names = new HiddenNames(secrets);
    // Without the lock, no turn can be taken.
    this.jobs = new LaneJobs(redis, this.names, lanes, clock, limits.maxLanes, () => ownerLock.isHeld);
  }

  override async start(drain: LaneDrain): Promise<void> {
    const { turns, bus, jobs, names } = this;
    const { maxLanes } = this.limits;
    const held = new HeldTurns(
      turns,
      bus.processId,
      drain,
      maxLanes,
      names.hashOf,
      (lanes) => void jobs.rest(lanes),
    );
    const messages = new LaneMessages(bus, drain, names, (hash) => held.laneOf(hash));
    this.held = held;
    this.messages = messages;
    this.watch = new LaneWatch(this.lanes, turns, held, jobs, bus, drain, this.clock);
    bus.onGap(() => {
      drain.reload();
      for (const lane of held.lanes()) drain.rowsLeft(lane);
    });
    held.start();
    await jobs.start({
      serve: (lane) => this.serve(held, lane),
      onRequested: (lanes) => messages.tell('rows', lanes),
    });
    this.watch.start();
  }

  override async close(): Promise<void> {
    this.held?.close();
    await Promise.all([this.watch?.stop(), this.jobs.pause()]);
  }

  override async stop(): Promise<void> {
    await this.held?.stop();
    await this.jobs.close();
  }

  override isOurs(lane: string): boolean {
    const turn = this.held?.find(lane);
    return turn !== undefined && !turn.isEnding;
  }

  override async unattended(lanes: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set((await this.turns.listFree(lanes)).map(({ lane }) => lane));
  }

  override want(lane: string): void {
    if (this.held?.find(lane)) return; // it is being read, or is rescheduled after its turn
    this.jobs.want(lane);
  }

  override wake(lane: string): void {
    this.messages?.tell('wake', [lane]);
    this.goOn(lane, () => this.want(lane));
  }

  override resume(lane: string): void {
    this.messages?.tell('resume', [lane]);
    this.goOn(lane, (wasPaused) => {
      if (wasPaused) this.want(lane);
    });
  }

  override drop(selection: Selection): void {
    this.messages?.drop(selection);
  }

  override async inFlightElsewhere(deliveries: readonly Delivery[]): Promise<ReadonlySet<string>> {
    const open = deliveries.filter(({ finishAt, lane }) => finishAt === 0 && !this.isOurs(lane));
    const holders = await this.turns.holdersOf([...new Set(open.map(({ lane }) => lane))]);
    const holderOf = ({ lane }: Delivery): string => holders.get(lane) ?? this.bus.processId;
    const asked = open.filter((delivery) => holderOf(delivery) !== this.bus.processId);
    const ids = asked.map(({ id }) => id);
    const answers = await this.messages?.ask({ ids }, new Set(asked.map(holderOf)));
    const now = this.clock.now();
    // A holder that does not answer may be calling what is due.
    const unknown = asked.filter(
      (delivery) => answers?.missing.has(holderOf(delivery)) && delivery.nextAttemptAt <= now,
    );
    return new Set([...(answers?.found ?? []), ...unknown.map(({ id }) => id)]);
  }

  override async inFlightElsewhereOf(ownerId: string | undefined): Promise<readonly string[]> {
    const others = (await this.turns.listHolders()).filter((holder) => holder !== this.bus.processId);
    const answers = await this.messages?.ask({ ownerId }, new Set(others));
    return answers?.found ?? [];
  }

  private goOn(lane: string, then: (wasPaused: boolean) => void): void {
    const turn = this.held?.find(lane);
    if (turn) turn.pausedMs = 0;
    this.turns.endPause(lane).then(then, () => then(false)); // without the database no calls are made anyway
  }

  /** Works on a lane until its turn ends. False if another process has it or there is no room. */
  private async serve(held: HeldTurns, lane: string): Promise<boolean> {
    const turn = await held.take(lane);
    await turn?.over;
    return turn !== undefined;
  }
}
