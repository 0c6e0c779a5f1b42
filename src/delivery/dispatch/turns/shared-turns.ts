import type { Clock } from '../../../platform/common/clock.js';
import type { OwnerLock } from '../../../platform/database/owner-lock.js';
import type { Bus } from '../../../platform/scaling/bus.js';
import type { Redis } from '../../../platform/scaling/redis.js';
import type { SecretBox } from '../../../platform/secrets/secret-box.js';
import type { Delivery } from '../delivery.entity.js';
import type { DispatchLimits } from '../dispatch.settings.js';
import type { LaneQueueRepository } from '../lane-queue.repository.js';
import type { Dropped } from './dropped.js';
import { HeldTurns } from './held-turns.js';
import { HiddenNames } from './hidden-names.js';
import { LaneJobs, LaneRest } from './lane-jobs.js';
import { LaneMessages } from './lane-messages.js';
import { LaneTurns, type LaneWorker } from './lane-turns.js';
import type { LaneTurnsRepository } from './lane-turns.repository.js';
import { LaneWatch } from './lane-watch.js';

/**
 * The turns of processes that share a database. The table `lane_turns` says who has a lane. Jobs distribute
 * lanes, messages announce new rows, and a watch finds what both have missed.
 */
export class SharedTurns extends LaneTurns {
  /** A lane waits for a turn from the table. */
  readonly firstTurn = undefined;
  readonly jobs: LaneJobs;
  private readonly names: HiddenNames;
  private readonly rest: LaneRest;
  private held: HeldTurns | undefined;
  private messages: LaneMessages | undefined;
  private watch: LaneWatch | undefined;

  constructor(
    private readonly turns: LaneTurnsRepository,
    private readonly lanes: LaneQueueRepository,
    private readonly bus: Bus,
    redis: Redis,
    secrets: SecretBox,
    private readonly clock: Clock,
    private readonly limits: DispatchLimits,
    ownerLock: OwnerLock,
  ) {
    super();
    this.names = new HiddenNames(secrets);
    // Without the lock, no turn can be taken.
    this.jobs = new LaneJobs(redis, this.names, limits.maxLanes, () => ownerLock.isHeld);
    this.rest = new LaneRest(lanes, this.jobs, clock, (lane) => this.want(lane));
  }

  async start(worker: LaneWorker): Promise<void> {
    const { turns, bus, rest, jobs, names } = this;
    const { maxLanes } = this.limits;
    const held = new HeldTurns(turns, bus.processId, worker, maxLanes, names.hashOf, (lanes) =>
      rest.add(lanes),
    );
    const messages = new LaneMessages(bus, worker, names, (hash) => held.laneOf(hash));
    this.held = held;
    this.messages = messages;
    this.watch = new LaneWatch(this.lanes, turns, held, jobs, bus, worker, this.clock);
    bus.onGap(() => {
      worker.reload();
      for (const lane of held.lanes()) worker.rowsLeft(lane);
    });
    held.start();
    await jobs.start({
      serve: (lane) => this.serve(held, lane),
      onDone: (lane) => rest.add([lane]),
      onWanted: (lanes) => messages.rowsLeft(lanes),
    });
    this.watch.start();
  }

  async close(): Promise<void> {
    this.held?.close();
    await Promise.all([this.watch?.stop(), this.jobs.pause()]);
  }

  async stop(): Promise<void> {
    await this.held?.stop();
    await this.rest.run();
    await this.jobs.close();
  }

  isOurs(lane: string): boolean {
    const turn = this.held?.find(lane);
    return turn !== undefined && !turn.isEnding;
  }

  async unattended(lanes: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set((await this.turns.listFree(lanes)).map(({ lane }) => lane));
  }

  want(lane: string): void {
    if (this.held?.find(lane)) return; // it is being read, or is rescheduled after its turn
    this.jobs.want(lane);
  }

  wake(lane: string): void {
    this.messages?.wake(lane);
    this.goOn(lane, () => this.want(lane));
  }

  resume(lane: string): void {
    this.messages?.resume(lane);
    this.goOn(lane, (wasPaused) => {
      if (wasPaused) this.want(lane);
    });
  }

  drop(dropped: Dropped): void {
    this.messages?.drop(dropped);
  }

  async inFlightElsewhere(deliveries: readonly Delivery[]): Promise<ReadonlySet<string>> {
    const open = deliveries.filter(({ finishAt, lane }) => finishAt === 0 && !this.isOurs(lane));
    const holders = await this.turns.holdersOf([...new Set(open.map(({ lane }) => lane))]);
    const holderOf = ({ lane }: Delivery): string => holders.get(lane) ?? this.bus.processId;
    const asked = open.filter((delivery) => holderOf(delivery) !== this.bus.processId);
    const answers = await this.messages?.inFlight(
      asked.map(({ id }) => id),
      new Set(asked.map(holderOf)),
    );
    const now = this.clock.now();
    // A holder that does not answer may be calling what is due.
    const unknown = asked.filter(
      (delivery) => answers?.missing.has(holderOf(delivery)) && delivery.nextAttemptAt <= now,
    );
    return new Set([...(answers?.found ?? []), ...unknown.map(({ id }) => id)]);
  }

  async inFlightElsewhereOf(ownerId: string | undefined): Promise<readonly string[]> {
    const others = (await this.turns.listHolders()).filter((holder) => holder !== this.bus.processId);
    const answers = await this.messages?.inFlightOf(ownerId, new Set(others));
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
