import type { CallResult, CircuitLimits } from './circuit.js';
import type { OpenStatus } from './delivery.entity.js';
import { Flow } from './flow.js';
import { FlowTurns } from './flow-turns.js';
import type { Job } from './job.js';
import type { LaneCalls, Standing } from './lane-calls.js';

/** Places that are kept for flows without failures, unless the lane has very few. */
const KEPT = 2;
/** A call that runs for longer keeps no other flow from its first. */
const LATE_AFTER_MS = 250;
/** A lane with so many failures in a row loses calls, even if one of its flows was well before. */
const FAILURES_OF_ALL = 8;

/** Which flows may call: none; only those without a running call; or any. */
type Place = 'none' | 'idle' | 'any';

/**
 * The flows of a lane, and which of them may call next. They share the places of the lane. Those without failures always have
 * two, even beyond its limit, and each gets a first call soon although others hang; flows that fail or hang leave two places
 * free, and nothing but a flow without running calls takes the last two.
 */
export class LaneFlows {
  private readonly flows = new Map<string, Flow>();
  private readonly turns = new FlowTurns();
  /** How many flows have each standing, and how many of their calls run. */
  private readonly count: Record<Standing, number> = { trusted: 0, unknown: 0, suspect: 0 };
  private readonly running: Record<Standing, number> = { trusted: 0, unknown: 0, suspect: 0 };
  /** How many calls of flows that are late run. */
  private late = 0;
  private failuresInARow = 0;

  constructor(
    private readonly calls: LaneCalls,
    private readonly circuitLimits: CircuitLimits,
    /** It pauses by itself, and has no circuit. */
    private readonly isOrdered: boolean,
  ) {}

  /** The flow of that name, created if it does not exist. */
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

  /** Call it whenever a flow gets or loses work. */
  refresh(flow: Flow): void {
    this.turns.refresh(flow);
  }

  /** The flow of that standing that may call next for a delivery of that status. */
  next(status: OpenStatus, standing: Standing): Flow | undefined {
    const place = this.placeFor(standing);
    return place === 'none' ? undefined : this.turns.next(status, standing, place === 'idle');
  }

  /** A call of a flow starts. */
  started(flow: Flow, job: Job, now: number): void {
    this.calls.started(job, now);
    flow.calls.started(job, now);
    this.running[flow.calls.standing]++;
    if (flow.isLate) this.late++;
    this.turns.served(flow);
  }

  /**
   * A call of a flow is over, and still takes its place. If another flow is well, a failure is this one's alone, unless there
   * was no connection, or nobody has succeeded for a while.
   */
  answered(flow: Flow, job: Job, result: CallResult | undefined, now: number): void {
    const areOthersWell = this.count.trusted > (flow.calls.standing === 'trusted' ? 1 : 0);
    const isOfFlow = result === 'failed' && areOthersWell;
    if (result !== undefined) this.failuresInARow = result === 'succeeded' ? 0 : this.failuresInARow + 1;
    flow.calls.answered(job, result, now);
    this.calls.answered(job, result, now, !isOfFlow || this.failuresInARow >= FAILURES_OF_ALL);
    this.setLate(flow, false);
    if (result !== undefined && !this.isOrdered) {
      this.calls.circuit.answered(result, now, isOfFlow);
      flow.calls.circuit.answered(result === 'unreachable' ? 'failed' : result, now);
    }
    this.turns.refresh(flow);
  }

  /** The place of a call of a flow is free. */
  freed(flow: Flow): void {
    this.running[flow.calls.standing]--;
    if (flow.isLate) this.late--;
    this.calls.freed();
    flow.calls.freed();
    this.turns.refresh(flow);
  }

  /** The lane is trusted if one of its flows is. */
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

  /** Call it several times a second: ends pauses whose time has come, and notes which calls take long. */
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
    // The very last is for flows that have shown that they are well.
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
