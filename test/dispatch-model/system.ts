import { Clock } from '../../src/platform/common/clock.js';
import { endpointOf } from '../../src/delivery/dispatch/delivery-kind.js';
import { DispatchLimits, type DispatchSettings } from '../../src/delivery/dispatch/dispatch.settings.js';
import type { LanesReadModel } from '../../src/delivery/dispatch/lanes.read-model.js';
import type { Delivery } from '../../src/delivery/dispatch/delivery.entity.js';
import type { DeliveryRunner } from '../../src/delivery/dispatch/delivery-runner.js';
import type { DispatchMetrics } from '../../src/delivery/dispatch/dispatch-metrics.js';
import { DispatcherService } from '../../src/delivery/dispatch/dispatcher.service.js';
import type { OutcomesService } from '../../src/delivery/dispatch/outcomes.service.js';
import { LaneTurns } from '../../src/delivery/dispatch/turns/lane-turns.js';
import { FakeCalls } from './fake-calls.js';
import { FakeTable, isOpen } from './fake-table.js';
import { GivenTurns } from './given-turns.js';
import { Rules } from './rules.js';

const TOTAL = 4;
const PER_LANE = 3;
const READS = 2;
const LIMITS = {
  maxJobs: 12,
  jobsPerFlow: { plenty: 5, scarce: 2, none: 1 },
  readSize: 4,
  maxReadsAtOnce: READS,
  forgetLaneAfterMs: 3_000,
  circuit: { failuresInARow: 3, firstPauseMs: 1_000, maxPauseMs: 4_000, callsAtATime: 2, shortPauseMs: 250 },
};
const TICK_MS = 250;
const SWEEP_EVERY_MS = 30_000;
/** Rounds after which nothing may be left: enough for the longest retry delay, and for all rows one by one. */
const MAX_ROUNDS = 500;

/** How rows reach the dispatcher after their commit: at once, after a read has seen them, or not at all. */
export type HandOver = 'offered' | 'late' | 'lost';

/** The dispatcher with all its dependencies in memory, on jest's fake timers. */
export class System {
  private readonly rows = new Map<string, Delivery>();
  readonly rules = new Rules(this.rows, {
    total: TOTAL,
    perLane: PER_LANE,
    reads: READS,
    circuit: LIMITS.circuit,
    mayCall: (lane, turn) => !(this.turns instanceof GivenTurns) || this.turns.isValid(lane, turn),
    forgetAfterMs: LIMITS.forgetLaneAfterMs,
  });
  readonly table = new FakeTable(this.rows, this.rules);
  readonly calls = new FakeCalls(this.table, this.rules);
  private turns: LaneTurns = new LaneTurns();
  private dispatcher: DispatcherService;
  private seq = 0;

  /** `isShared`: its lanes come and go, as with several processes on one database. */
  constructor(private readonly isShared = false) {
    this.dispatcher = this.start();
  }

  async commit(lanes: readonly string[], handOver: HandOver): Promise<void> {
    const rows = lanes.map((lane) => this.newRow(lane));
    for (const row of rows) this.table.rows.set(row.id, row);
    if (handOver === 'lost') return;
    if (handOver === 'late') await this.settleQueries();
    this.rules.known(rows.map(({ id }) => id));
    this.dispatcher.offer(rows);
  }

  /** Like a manual retry: an open delivery is due at once, a settled one is reopened. */
  retry(id: string): void {
    const row = this.table.rows.get(id);
    if (!row || this.dispatcher['lanes'].inFlight((one) => one.id === id).length > 0) return;
    if (!isOpen(row)) this.rules.requeued(id);
    this.table.change(id, { ...(isOpen(row) ? {} : { status: 'pending' }), nextAttemptAt: Date.now() });
    this.wake(row.lane);
  }

  cancel(isMeant: (delivery: Delivery) => boolean): void {
    const rows = this.table.open.filter(isMeant);
    for (const { id } of rows) this.table.change(id, { status: 'cancelled' });
    this.dispatcher['lanes'].drop(isMeant);
    const lanes = new Set(rows.map(({ lane }) => lane));
    for (const lane of lanes) if (endpointOf(lane) !== undefined) this.rules.woken(lane, this.calls.all);
    this.dispatcher.unblock([...lanes]);
  }

  wake(lane: string): void {
    this.rules.known(this.table.open.filter((row) => row.lane === lane).map(({ id }) => id));
    this.rules.woken(lane, this.calls.all);
    this.dispatcher.wake(lane);
  }

  resume(lane: string): void {
    this.rules.woken(lane, this.calls.all);
    this.dispatcher.resume(lane);
  }

  /** Another process has committed rows, and this one is notified. */
  async commitElsewhere(lanes: readonly string[]): Promise<void> {
    await this.commit(lanes, 'lost');
    for (const [lane = ''] of lanes.map((name) => name.split(' ')))
      if (this.turns.isOurs(lane)) this.dispatcher['lanes'].rowsLeft(lane);
  }

  /** Rows in memory are read again, because another process may have cancelled them. */
  reload(): void {
    this.dispatcher['lanes'].reload();
  }

  /** The turn of a lane ends or expires, if lanes are shared. */
  endTurn(lane: string, how: 'end' | 'expire'): void {
    if (this.turns instanceof GivenTurns) this.turns[how](lane);
  }

  /** Turns start where there is work, and expired ones continue. */
  giveTurns(): void {
    if (!(this.turns instanceof GivenTurns)) return;
    this.turns.give(this.table.open.map(({ lane }) => lane));
    this.turns.renew();
  }

  /** Number of deliveries of a lane in memory. */
  claimed(lane: string): number {
    return this.dispatcher['bulkheads'].lane(lane).claimed;
  }

  /** All at once, like a blocked process, or tick by tick. */
  async wait(ms: number, isHeldUp: boolean): Promise<void> {
    if (isHeldUp) jest.advanceTimersByTime(ms);
    for (let waited = 0; waited < ms && !isHeldUp; waited += TICK_MS) {
      jest.advanceTimersByTime(TICK_MS);
      await this.settle();
    }
  }

  /** The process is killed, and another one starts. */
  kill(): void {
    for (const task of ['drains', 'reviews', 'sweeps'] as const) void this.dispatcher[task].stop();
    this.dispatcher['lanes']['isStopped'] = true;
    this.table.forgetQueries();
    this.calls.forget();
    this.rules.restarted();
    this.dispatcher = this.start();
  }

  /** The process stops gracefully; running calls are aborted after a while. */
  async restart(areAnswered: boolean): Promise<void> {
    this.rules.isStopping = true;
    let isOver = false;
    const stopping = this.dispatcher.beforeApplicationShutdown().then(() => (isOver = true));
    if (areAnswered) for (const call of this.calls.unanswered) this.succeed(call);
    else await this.wait(3_000, true);
    for (let round = 0; round < 50 && !isOver; round++) {
      for (const call of this.calls.unstored) this.calls.store(call);
      this.table.stepAll();
      await this.settle();
    }
    if (!isOver) this.rules.faults.push('The shutdown does not end.');
    else await stopping;
    this.kill();
  }

  /** Lets everything succeed, and checks that nothing is left. */
  async finish(): Promise<void> {
    const { table, rules } = this;
    rules.isStuck = false;
    await this.settleQueries();
    this.giveTurns();
    table.isSweepMuted = true; // it would find lost rows
    await this.settleAll(
      () => table.open.filter((row) => rules.isDue(row)),
      () => this.dispatcher['drainDueLanes'](), // a tick without any time
      'is due, and not called',
    );
    const tick = (): Promise<void> => this.wait(4 * TICK_MS, true);
    await this.settleAll(() => table.open.filter(({ id }) => rules.isKnown(id)), tick, 'is left over');
    table.isSweepMuted = false;
    jest.advanceTimersByTime(SWEEP_EVERY_MS);
    await this.settleAll(() => table.open, tick, 'is left over despite a sweep');
    if (rules.faults.length === 0) await this.restart(true);
  }

  /** Runs everything that can run without time or the outside. */
  settle(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve));
  }

  async settleQueries(): Promise<void> {
    for (let round = 0; round < MAX_ROUNDS && this.table.queryCount > 0; round++) {
      this.table.stepAll();
      await this.settle();
    }
  }

  private async settleAll(
    left: () => readonly Delivery[],
    tick: () => void | Promise<void>,
    text: string,
  ): Promise<void> {
    for (let round = 0; round < MAX_ROUNDS && (left().length > 0 || this.calls.all.length > 0); round++) {
      this.giveTurns();
      await this.settleQueries();
      for (const call of this.calls.unanswered) this.succeed(call);
      await this.settle();
      for (const call of this.calls.unstored) this.calls.store(call);
      await tick();
      await this.settle();
    }
    for (const { id, lane } of left()) this.rules.faults.push(`${id} of ${lane} ${text}`);
  }

  private succeed(call: FakeCalls['unanswered'][number]): void {
    this.calls.answer(call, { result: 'success', delayMs: 0 });
  }

  private start(): DispatcherService {
    const { rules } = this;
    if (this.isShared) this.turns = new GivenTurns((lane) => rules.taken(lane, this.calls.all));
    const recorder = {
      get isStuck() {
        return rules.isStuck;
      },
      stopWaiting: () => undefined,
      close: () => Promise.resolve(),
    };
    const dispatcher = new DispatcherService(
      this.table as unknown as LanesReadModel,
      this.calls as unknown as DeliveryRunner,
      recorder as unknown as OutcomesService,
      new Clock(),
      { watchLanes: () => undefined } as unknown as DispatchMetrics,
      { outgoingConcurrency: TOTAL, outgoingPerEndpoint: PER_LANE } as DispatchSettings,
      Object.assign(new DispatchLimits(), LIMITS),
      this.turns,
    );
    void dispatcher.onApplicationBootstrap();
    return dispatcher;
  }

  /** `name`: the lane, and after a space its flow, if it is not ordered. */
  private newRow(name: string): Delivery {
    const seq = ++this.seq;
    const [lane, flow = ''] = name.split(' ');
    const fields = {
      id: `row ${seq}`,
      seq,
      lane,
      flow,
      status: 'pending',
      nextAttemptAt: Date.now(),
      body: {},
    };
    return fields as unknown as Delivery;
  }
}
