import { type CallResult, type CircuitLimits, LaneCalls, type Standing } from './call-limits.js';
import type { OpenStatus } from './delivery.entity.js';
import type { Job } from './lane.js';
import { Source, Sources } from './lane-states.js';

/** A flow's rows of one status: an in-memory queue in front of the table. */
class QueuedSource extends Source {
  readonly queue: Job[] = [];
  /** The set in which the flow waits to call for this source; undefined if it may not call. */
  waitsIn: WaitingFlows | undefined;
}

/**
 * The deliveries of one webhook to one URL. Within its lane, a flow has its own circuit and limit of
 * concurrent calls, so a failing flow loses calls before its endpoint does.
 */
export class Flow extends Sources<QueuedSource> {
  readonly calls: LaneCalls;
  /** Jobs in memory: queued, or called with the outcome not yet stored. */
  claimed = 0;
  /** By the rate of the webhook, no call may start before this time, by performance.now(). */
  slotAt: number | undefined;
  /** One of its calls is taking longer than usual, but the flow is not suspect yet. */
  isLate = false;

  constructor(
    readonly name: string,
    maxRunning: number,
    circuitLimits: CircuitLimits,
  ) {
    super(new QueuedSource('pending', 'clear'), new QueuedSource('retrying', 'clear'));
    this.calls = new LaneCalls(maxRunning, circuitLimits);
  }

  get queued(): number {
    return this.fresh.queue.length + this.retries.queue.length;
  }

  /** Nothing is in memory or being read, so the flow can be forgotten. */
  get isAtRest(): boolean {
    return this.claimed === 0 && !this.isReading && !this.hasBacklog && !this.calls.circuit.isPaused;
  }
}

/** Flows that may call, most recently served last. */
type WaitingFlows = Set<Flow>;

/** Picks the next flow among those that may call. Flows without a running call come first. */
class FlowTurns {
  private readonly waiting: Readonly<Record<OpenStatus, Readonly<Record<Standing, Waiting>>>> = {
    pending: { trusted: new Waiting(), unknown: new Waiting(), suspect: new Waiting() },
    retrying: { trusted: new Waiting(), unknown: new Waiting(), suspect: new Waiting() },
  };

  /** Call this whenever a flow gets work or a place, or changes its standing. */
  refresh(flow: Flow): void {
    const { hasPlace, running, standing } = flow.calls;
    for (const source of flow.sources) {
      const { idle, busy } = this.waiting[source.status][standing];
      const canCall = hasPlace && flow.slotAt === undefined && source.queue.length > 0;
      const place = canCall ? (running === 0 ? idle : busy) : undefined;
      if (source.waitsIn === place) continue;
      source.waitsIn?.delete(flow);
      place?.add(flow);
      source.waitsIn = place;
    }
  }

  /** Moves a flow behind the other waiting flows. */
  served(flow: Flow): void {
    for (const source of flow.sources) {
      source.waitsIn?.delete(flow);
      source.waitsIn = undefined;
    }
    this.refresh(flow);
  }

  /** Returns the next flow with this standing that may call for a delivery with this status. */
  next(status: OpenStatus, standing: Standing, isIdle: boolean): Flow | undefined {
    const { idle, busy } = this.waiting[status][standing];
    for (const flow of idle) return flow;
    if (!isIdle) for (const flow of busy) return flow;
    return undefined;
  }
}

class Waiting {
  readonly idle: WaitingFlows = new Set();
  readonly busy: WaitingFlows = new Set();
}

/** Places reserved for flows without failures, unless the lane has very few. */
const KEPT = 2;
/** A call running longer than this no longer keeps other flows from their first call. */
const LATE_AFTER_MS = 250;
/** After this many failures in a row a lane loses calls, even if one of its flows is healthy. */
const MAX_FAILURES_IN_A_ROW = 8;

/** Which flows may call: none, only those without a running call (`idle`), or any. */
type Place = 'none' | 'idle' | 'any';

/**
 * The flows of a lane, which share its places, and which of them may call next. Flows without failures always
 * have two places, even beyond the lane's limit, and each gets a first call soon even if others hang. Failing
 * or hanging flows leave two places free, and only a flow without running calls may take the last two.
 */
export class LaneFlows {
  private readonly flows = new Map<string, Flow>();
  private readonly turns = new FlowTurns();
  /** Number of flows, and of their running calls, by standing. */
  private readonly count: Record<Standing, number> = { trusted: 0, unknown: 0, suspect: 0 };
  private readonly running: Record<Standing, number> = { trusted: 0, unknown: 0, suspect: 0 };
  /** Number of running calls of late flows. */
  private late = 0;
  private failuresInARow = 0;

  constructor(
    private readonly calls: LaneCalls,
    private readonly circuitLimits: CircuitLimits,
    /** An ordered lane handles its own pauses and has no circuit. */
    private readonly isOrdered: boolean,
  ) {}

  /** Returns the flow with this name, creating it if necessary. */
  get(name: string): Flow {
    const known = this.flows.get(name);
    if (known) return known;
    const flow = new Flow(name, this.calls.maxRunning, this.circuitLimits);
    this.flows.set(name, flow);
    this.count.unknown++;
    return flow;
  }

  all(): IterableIterator<Flow> {
    return this.flows.values();
  }

  forget(flow: Flow): void {
    this.flows.delete(flow.name);
    this.count[flow.calls.standing]--;
  }

  /** Call this whenever a flow gets or loses work. */
  refresh(flow: Flow): void {
    this.turns.refresh(flow);
  }

  /** Returns the flow with this standing that may call next for a delivery with this status. */
  next(status: OpenStatus, standing: Standing): Flow | undefined {
    const place = this.placeFor(standing);
    return place === 'none' ? undefined : this.turns.next(status, standing, place === 'idle');
  }

  /** Records the start of a call. */
  started(flow: Flow, job: Job, now: number): void {
    this.calls.started(job, now);
    flow.calls.started(job, now);
    this.running[flow.calls.standing]++;
    if (flow.isLate) this.late++;
    this.turns.served(flow);
  }

  /**
   * Records the end of a call, which keeps its place. If another flow is healthy, a failure counts only
   * against this flow, unless no connection was made or the lane has had no success for a while.
   */
  answered(flow: Flow, job: Job, result: CallResult | undefined, now: number): void {
    const areOthersWell = this.count.trusted > (flow.calls.standing === 'trusted' ? 1 : 0);
    const isOfFlow = result === 'failed' && areOthersWell;
    if (result !== undefined) this.failuresInARow = result === 'succeeded' ? 0 : this.failuresInARow + 1;
    flow.calls.answered(job, result, now);
    this.calls.answered(job, result, now, !isOfFlow || this.failuresInARow >= MAX_FAILURES_IN_A_ROW);
    this.setLate(flow, false);
    if (result !== undefined && !this.isOrdered) {
      this.calls.circuit.answered(result, now, isOfFlow);
      flow.calls.circuit.answered(result === 'unreachable' ? 'failed' : result, now);
    }
    this.turns.refresh(flow);
  }

  /** Frees the place of a call. */
  freed(flow: Flow): void {
    this.running[flow.calls.standing]--;
    if (flow.isLate) this.late--;
    this.calls.freed();
    flow.calls.freed();
    this.turns.refresh(flow);
  }

  /** A lane is trusted if any of its flows is. */
  setStanding(flow: Flow, standing: Standing): void {
    const { calls } = flow;
    if (standing === 'suspect') this.setLate(flow, false);
    this.count[calls.standing]--;
    this.running[calls.standing] -= calls.running;
    calls.standing = standing;
    this.count[standing]++;
    this.running[standing] += calls.running;
    this.turns.refresh(flow);
    const { trusted, suspect } = this.count;
    this.calls.standing = trusted > 0 ? 'trusted' : suspect > 0 ? 'suspect' : 'unknown';
  }

  /** Call this several times a second: ends expired pauses and marks flows with slow calls as late. */
  review(now: number): void {
    for (const flow of this.flows.values()) {
      const { circuit, standing, oldestStart } = flow.calls;
      if (circuit.resume(now)) this.turns.refresh(flow);
      if (standing !== 'suspect' && now - oldestStart > LATE_AFTER_MS) this.setLate(flow, true);
    }
  }

  /** Ends all pauses. */
  resume(): void {
    for (const flow of this.flows.values()) if (flow.calls.circuit.resume(Infinity)) this.turns.refresh(flow);
  }

  private placeFor(standing: Standing): Place {
    const { running, limit, maxRunning, circuit } = this.calls;
    if (circuit.isPaused) return 'none';
    const { trusted, unknown, suspect } = this.running;
    const kept = Math.min(KEPT, Math.floor(maxRunning / 4));
    const isScarce = running >= maxRunning - kept;
    if (standing === 'suspect')
      return !isScarce && running < limit && suspect < Math.max(1, maxRunning - KEPT) ? 'any' : 'none';
    // The last place is reserved for trusted flows.
    const most = standing === 'trusted' || kept < KEPT ? maxRunning : maxRunning - 1;
    if (running >= most || (circuit.isProbing && running >= limit)) return 'none';
    if (running < limit || trusted + unknown < KEPT) return isScarce ? 'idle' : 'any';
    return trusted + unknown - this.late < KEPT ? 'idle' : 'none';
  }

  private setLate(flow: Flow, isLate: boolean): void {
    if (flow.isLate === isLate) return;
    flow.isLate = isLate;
    this.late += isLate ? flow.calls.running : -flow.calls.running;
  }
}
