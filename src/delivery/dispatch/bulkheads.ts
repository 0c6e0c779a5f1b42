import type { CallResult } from './circuit.js';
import { DispatchLimits } from './dispatch-limits.js';
import type { Flow } from './flow.js';
import type { Job } from './job.js';
import { Lane } from './lane.js';
import { firstLimit, type Standing } from './lane-calls.js';
import type { ChangeReason } from './limits/limit-change.js';
import type { Turn } from './turns/turn.js';

/** An endpoint with a slower call is no longer trusted. */
const SLOW_AFTER_MS = 2_000;

/** Hears that a lane gets more or fewer calls than before. `from` was its limit, `pausedMs` how long it is spared from now on. */
export type LimitWatcher = (lane: Lane, why: ChangeReason, from: number, pausedMs: number) => void;

/** A job whose call starts now, and its lane and flow. */
export interface Start {
  readonly lane: Lane;
  readonly flow: Flow;
  readonly job: Job;
}

/** A trusted lane starts more concurrent calls than this only while half of all places are free. */
const FAIR_SHARE = 8;

/** Lanes that wait for a place: by the standing of their flows, and for trusted ones if they already have their fair share. */
type Queue = Standing | 'saturated';
const QUEUES: readonly Queue[] = ['trusted', 'unknown', 'suspect', 'saturated'];

/**
 * Decides which lane may call next (docs/contract/outgoing-webhooks.md#retries). Lanes with work take turns; each has
 * its own limit, and together they have `total` places. Suspect flows start calls only up to half of the places; suspect
 * and unknown flows together up to three quarters. So endpoints that hang or fail cannot take the places of the others,
 * however many they are, and do not delay new ones. A trusted lane exceeds its fair share only while half of the places
 * are free: if many such lanes start to hang together, the other half remains.
 */
export class Bulkheads {
  private readonly lanes = new Map<string, Lane>();
  private readonly ready: Readonly<Record<Queue, Set<Lane>>> = {
    trusted: new Set(),
    unknown: new Set(),
    suspect: new Set(),
    saturated: new Set(),
  };
  private readonly running: Record<Standing, number> = { trusted: 0, unknown: 0, suspect: 0 };
  private turn = 0;

  constructor(
    private readonly total: number,
    private readonly perLane: number,
    /** The turn of a lane that comes into memory: undefined where another process may have it. */
    private readonly firstTurn: Turn | undefined,
    private readonly now: () => number = () => performance.now(),
    private readonly limits: Pick<
      DispatchLimits,
      'circuit' | 'forgetLaneAfterMs' | 'maxRestingLanes'
    > = new DispatchLimits(),
    private readonly changed: LimitWatcher = () => undefined,
  ) {}

  get runningCount(): number {
    return this.running.trusted + this.running.unknown + this.running.suspect;
  }

  all(): IterableIterator<Lane> {
    return this.lanes.values();
  }

  find(name: string): Lane | undefined {
    return this.lanes.get(name);
  }

  /** The lane of that name, created if it does not exist. */
  lane(name: string): Lane {
    const known = this.lanes.get(name);
    if (known) return known;
    const lane = new Lane(name, this.perLane, this.limits.circuit);
    lane.turn = this.firstTurn;
    lane.calls.lastUsedAt = this.now();
    this.lanes.set(name, lane);
    return lane;
  }

  /** Call it whenever a lane gets work or a free place. */
  refresh(lane: Lane): void {
    const isSaturated = lane.calls.running >= FAIR_SHARE;
    const isTrustedReady = lane.canStart('trusted');
    this.setReady('trusted', lane, isTrustedReady && !isSaturated);
    this.setReady('saturated', lane, isTrustedReady && isSaturated);
    this.setReady('unknown', lane, lane.canStart('unknown'));
    this.setReady('suspect', lane, lane.canStart('suspect'));
  }

  /** Starts the next call; undefined if there is no work or no free place. */
  start(): Start | undefined {
    this.turn++;
    for (let index = 0; index < QUEUES.length; index++) {
      const queue = QUEUES[(this.turn + index) % QUEUES.length];
      const start = queue && this.hasPlace(queue) ? this.next(queue) : undefined;
      if (queue && start) return this.begin(queue, start);
    }
    return undefined;
  }

  /** Ends a call and frees its place. `result` is undefined if the endpoint was not called. */
  finish(start: Start, result: CallResult | undefined): void {
    this.answered(start, result);
    this.free(start);
  }

  /** Ends a call, whose place stays taken. If that is for a while, the lane is suspect: others must not wait for it. */
  answered({ lane, flow, job }: Start, result: CallResult | undefined, isHeld = false): void {
    const { limit, standing } = lane.calls;
    const { oldestStart } = flow.calls;
    const { isPaused } = lane.calls.circuit;
    const now = this.now();
    lane.flows.answered(flow, job, result, now);
    if (result === undefined) return;
    const isSlow = now - oldestStart > SLOW_AFTER_MS || isHeld;
    this.setStanding(lane, flow, result === 'succeeded' && !isSlow ? 'trusted' : 'suspect');
    const { calls } = lane;
    if (!isPaused && calls.circuit.isPaused) this.changed(lane, 'spared', limit, this.sparedMs(lane));
    else if (limit !== calls.limit || standing !== calls.standing || isPaused !== calls.circuit.isPaused)
      this.changed(lane, reasonOf(result, isSlow), limit, this.sparedMs(lane));
  }

  /** Lets a lane call again whose endpoint was spared, or some of its flows: when that is over, or before its time. */
  resume(lane: Lane, isEarly = false): void {
    const now = this.now();
    const isResumed = lane.calls.circuit.resume(isEarly ? Infinity : now);
    if (isEarly) lane.flows.resume();
    else lane.flows.review(now);
    this.refresh(lane);
    if (!isResumed) return;
    this.changed(lane, 'resumed', lane.calls.limit, 0);
  }

  /** How long an endpoint is still spared. */
  sparedMs(lane: Lane): number {
    return lane.calls.circuit.pausedMs(this.now());
  }

  /** Frees the place of a call that has ended. */
  free({ lane, flow }: Start): void {
    this.running[flow.calls.standing]--;
    lane.flows.freed(flow);
    this.refresh(lane);
  }

  /**
   * Call it about every second: marks flows with hanging calls as suspect, and forgets idle flows and lanes. Of very many
   * lanes, it also forgets those that have nothing to do before `soon`: a later sweep finds them.
   */
  review(soon = Infinity): void {
    const now = this.now();
    for (const lane of this.lanes.values()) {
      const isOld = now - lane.calls.lastUsedAt > this.limits.forgetLaneAfterMs;
      const isCrowded = this.lanes.size > this.limits.maxRestingLanes && !lane.isOrdered;
      // A turn that was given is known to its lane alone.
      if (isOld && lane.restsUntil(isCrowded ? soon : Infinity) && lane.turn === this.firstTurn)
        this.forget(lane);
      else for (const flow of lane.flows.all()) this.reviewFlow(lane, flow, now);
    }
  }

  private reviewFlow(lane: Lane, flow: Flow, now: number): void {
    const { oldestStart, lastUsedAt } = flow.calls;
    if (now - oldestStart > SLOW_AFTER_MS) this.hangs(lane, flow);
    else if (flow.isAtRest && now - lastUsedAt > this.limits.forgetLaneAfterMs) lane.flows.forget(flow);
  }

  private hangs(lane: Lane, flow: Flow): void {
    const { standing, limit } = lane.calls;
    this.setStanding(lane, flow, 'suspect');
    if (standing !== lane.calls.standing) this.changed(lane, 'slow', limit, this.sparedMs(lane));
  }

  private forget(lane: Lane): void {
    this.lanes.delete(lane.name);
    const { limit, standing, maxRunning } = lane.calls;
    // Without a turn another process may work on it by now.
    if (lane.turn && (standing !== 'unknown' || limit !== firstLimit(maxRunning)))
      this.changed(lane, 'forgotten', limit, 0);
  }

  /** What the next lane calls for at this moment: a turn may have expired since the lane got ready. */
  private next(queue: Queue): Start | undefined {
    const standing = queue === 'saturated' ? 'trusted' : queue;
    for (const lane of this.ready[queue]) {
      const next = lane.turn?.isValid ? lane.shift(standing) : undefined;
      if (next) return { lane, ...next };
      this.ready[queue].delete(lane);
    }
    return undefined;
  }

  private hasPlace(queue: Queue): boolean {
    const { unknown, suspect } = this.running;
    if (this.runningCount >= this.total) return false;
    if (queue === 'trusted') return true;
    if (queue === 'saturated') return this.runningCount < atLeastOne(this.total / 2);
    if (queue === 'suspect' && suspect >= atLeastOne(this.total / 2)) return false;
    return unknown + suspect < atLeastOne(this.total * 0.75);
  }

  private begin(queue: Queue, start: Start): Start {
    const { lane, flow, job } = start;
    this.ready[queue].delete(lane); // `refresh` adds it at the end, so that lanes take turns
    lane.flows.started(flow, job, this.now());
    this.running[flow.calls.standing]++;
    this.refresh(lane);
    return start;
  }

  private setStanding(lane: Lane, flow: Flow, standing: Standing): void {
    this.running[flow.calls.standing] -= flow.calls.running;
    lane.flows.setStanding(flow, standing);
    this.running[standing] += flow.calls.running;
    this.refresh(lane);
  }

  private setReady(queue: Queue, lane: Lane, isReady: boolean): void {
    if (isReady) this.ready[queue].add(lane);
    else this.ready[queue].delete(lane);
  }
}

function reasonOf(result: CallResult, isSlow: boolean): ChangeReason {
  if (result !== 'succeeded') return result;
  return isSlow ? 'slow' : 'answered';
}

function atLeastOne(places: number): number {
  return Math.max(1, Math.floor(places));
}
