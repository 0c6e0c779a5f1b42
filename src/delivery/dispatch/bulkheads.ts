import { type CallResult, firstLimit, type Standing, type ChangeReason } from './call-limits.js';
import { type Job, Lane } from './lane.js';
import { DispatchLimits } from './dispatch.settings.js';
import { EndpointPlaces } from './endpoint-places.js';
import type { Flow } from './lane-flows.js';
import type { Turn } from './turns/lane-turns.js';

/** An endpoint with a call slower than this is no longer trusted. */
const SLOW_AFTER_MS = 2_000;

/** Notified when a lane's limit changes. `from` is the old limit, `pausedMs` the remaining pause. */
export type LimitWatcher = (lane: Lane, why: ChangeReason, from: number, pausedMs: number) => void;

/** A job whose call starts now, with its lane and flow. */
export interface Start {
  readonly lane: Lane;
  readonly flow: Flow;
  readonly job: Job;
}

/** A trusted lane starts more concurrent calls than this only while half of all places are free. */
const FAIR_SHARE = 8;

/** Queues of waiting lanes, by flow standing. `saturated`: trusted lanes that have their fair share. */
type Queue = Standing | 'saturated';
const QUEUES: readonly Queue[] = ['trusted', 'unknown', 'suspect', 'saturated'];

/**
 * Decides which lane may call next (docs/contract/outgoing-webhooks.md#retries). Lanes with work take turns;
 * each has its own limit, and all share `total` places. Suspect flows may use up to half of the places,
 * suspect and unknown flows together up to three quarters, so no number of hanging or failing endpoints can
 * crowd out healthy ones or delay new ones. A trusted lane exceeds its fair share only while half of the
 * places are free, so that half remains if many such lanes start to hang at once.
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
  private readonly endpoints: EndpointPlaces;
  private turn = 0;

  constructor(
    private readonly total: number,
    private readonly perLane: number,
    /** The initial turn of a lane; undefined if another process may have it. */
    private readonly firstTurn: Turn | undefined,
    private readonly now: () => number = () => performance.now(),
    private readonly limits: Pick<
      DispatchLimits,
      'circuit' | 'forgetLaneAfterMs' | 'maxRestingLanes'
    > = new DispatchLimits(),
    private readonly changed: LimitWatcher = () => undefined,
  ) {
    this.endpoints = new EndpointPlaces(perLane);
  }

  get runningCount(): number {
    return this.running.trusted + this.running.unknown + this.running.suspect;
  }

  all(): IterableIterator<Lane> {
    return this.lanes.values();
  }

  find(name: string): Lane | undefined {
    return this.lanes.get(name);
  }

  /** Returns the lane with this name, creating it if necessary. */
  lane(name: string): Lane {
    const known = this.lanes.get(name);
    if (known) return known;
    const lane = new Lane(name, this.perLane, this.limits.circuit);
    lane.turn = this.firstTurn;
    lane.calls.lastUsedAt = this.now();
    this.lanes.set(name, lane);
    return lane;
  }

  /** Call this whenever a lane gets work or a free place. */
  refresh(lane: Lane): void {
    const isSaturated = lane.calls.running >= FAIR_SHARE;
    const isTrustedReady = lane.canStart('trusted');
    this.setReady('trusted', lane, isTrustedReady && !isSaturated);
    this.setReady('saturated', lane, isTrustedReady && isSaturated);
    this.setReady('unknown', lane, lane.canStart('unknown'));
    this.setReady('suspect', lane, lane.canStart('suspect'));
  }

  /** Starts the next call; returns undefined if there is no work or no free place. */
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

  /** Ends a call but keeps its place. If the place `isHeld` for a long time, the lane becomes suspect. */
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

  /** Ends the expired pauses of a lane and its flows, or all of them if `isEarly`. */
  resume(lane: Lane, isEarly = false): void {
    const now = this.now();
    const isResumed = lane.calls.circuit.resume(isEarly ? Infinity : now);
    if (isEarly) lane.flows.resume();
    else lane.flows.review(now);
    this.refresh(lane);
    if (!isResumed) return;
    this.changed(lane, 'resumed', lane.calls.limit, 0);
  }

  /** How much longer an endpoint is paused. */
  sparedMs(lane: Lane): number {
    return lane.calls.circuit.pausedMs(this.now());
  }

  /** Frees the place of a finished call. */
  free({ lane, flow }: Start): void {
    this.running[flow.calls.standing]--;
    lane.flows.freed(flow);
    this.refresh(lane);
    const next = this.endpoints.freed(lane);
    if (next) this.refresh(next);
  }

  /**
   * Call this about once a second: marks flows with hanging calls as suspect and forgets idle flows and
   * lanes. With too many lanes, also forgets those idle until `soon`; a later sweep finds them.
   */
  review(soon = Infinity): void {
    const now = this.now();
    for (const lane of this.lanes.values()) {
      const isOld = now - lane.calls.lastUsedAt > this.limits.forgetLaneAfterMs;
      const isCrowded = this.lanes.size > this.limits.maxRestingLanes && !lane.isOrdered;
      // A turn that has been taken is stored only in its lane.
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
    // Without a turn, another process may be working on the lane by now.
    if (lane.turn && (standing !== 'unknown' || limit !== firstLimit(maxRunning)))
      this.changed(lane, 'forgotten', limit, 0);
  }

  /** Picks the next job of a queue. Rechecks turns, which may have expired since a lane became ready. */
  private next(queue: Queue): Start | undefined {
    const standing = queue === 'saturated' ? 'trusted' : queue;
    for (const lane of this.ready[queue]) {
      const mayCall = lane.turn?.isValid && this.endpoints.hasPlace(lane);
      const next = mayCall ? lane.shift(standing) : undefined;
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
    this.ready[queue].delete(lane); // `refresh` re-adds it at the end, so that lanes take turns
    lane.flows.started(flow, job, this.now());
    this.endpoints.started(lane);
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
