import type { CircuitLimits } from '../../src/delivery/dispatch/call-limits.js';
import { endpointOf, isOrderedLane } from '../../src/delivery/dispatch/delivery-kind.js';
import type { Delivery, DeliveryStatus } from '../../src/delivery/dispatch/delivery.entity.js';
import type { Turn } from '../../src/delivery/dispatch/turns/lane-turns.js';
import type { Answer, FakeCall } from './fake-calls.js';
import { isBefore, isOpen } from './fake-table.js';

/** The guarantees of the dispatcher for one lane. */
interface LaneRules {
  limit: number;
  lastUsedAt: number;
  /** Ordered: the first delivery has failed, and nothing may be called before this time. */
  pausedUntil: number;
  /** Ordered: the receiver was reported as back during the call. */
  isWoken: boolean;
  /** Not ordered: failures in a row, and the number of the last ones in a row that did not reach the receiver. */
  failures: number;
  unreached: number;
  /** The receiver was not reached, so nothing may be called before this time. */
  sparedUntil: number;
}

/** The guarantees of the dispatcher for one flow: it loses calls by its own failures, before other flows do. */
interface FlowRules {
  limit: number;
  lastUsedAt: number;
  hasFailed: boolean;
  /** In a row, kept even if the flow is forgotten: its pause may still last. */
  failures: number;
}

/** The lanes and flows of a webhook with a limited rate. */
const LIMITED = ['http://b 2', 'order:y', 'order:@e:4'];

export function isLimited({ lane, flow }: Delivery): boolean {
  return LIMITED.includes(`${lane} ${flow}`.trim());
}

const FIRST_LIMIT = 2;
/** Slots that failing flows leave to others. */
const KEPT = 2;
/** A lane with an older call is suspect: 2 s, up to 1 s until it is reviewed, and a tick. */
const SURELY_HUNG_MS = 3_250;
const TICK_MS = 250;

/** The model: what it knows about the rows, and which calls may start. Violations are collected as faults. */
export class Rules {
  readonly faults: string[] = [];
  isStuck = false;
  isStopping = false;
  private lanes = new Map<string, LaneRules>();
  private flows = new Map<string, FlowRules>();
  /** Rows that were handed over to this process; a sweep finds those whose hand-over was lost. */
  private readonly knownIds = new Set<string>();
  /** The time since which no later row of its ordered lane may overtake a row. */
  private readonly heldSince = new Map<string, number>();
  private readonly withoutPlace = new Set<string>();
  private moment = 0;

  constructor(
    private readonly rows: ReadonlyMap<string, Delivery>,
    private readonly limits: {
      readonly total: number;
      readonly perLane: number;
      readonly reads: number;
      readonly circuit: CircuitLimits;
      /** Whether a call may start in that turn of a lane. */
      readonly mayCall: (lane: string, turn: Turn) => boolean;
      readonly forgetAfterMs: number;
    },
  ) {}

  /** Whether a row was handed over, woken or found by a sweep. */
  isKnown(id: string): boolean {
    return this.knownIds.has(id);
  }

  /** Whether a row must be called now: the dispatcher knows it, and nothing holds it back. */
  isDue(delivery: Delivery): boolean {
    const { id, lane, nextAttemptAt } = delivery;
    const { pausedUntil, failures } = this.lane(lane);
    const inARow = Math.max(failures, this.flow(delivery).failures);
    if (isLimited(delivery)) return false; // it may wait for its time
    if (inARow >= this.limits.circuit.failuresInARow) return false; // its endpoint or flow may be paused
    const dueAt = isOrderedLane(lane) ? pausedUntil : nextAttemptAt;
    return this.knownIds.has(id) && dueAt <= Date.now();
  }

  known(ids: Iterable<string>): void {
    for (const id of ids) {
      this.knownIds.add(id);
      this.hold(id);
    }
  }

  /** A sweep has found the rows of one status in a lane. */
  found(lane: string, status: DeliveryStatus, ids: readonly string[]): void {
    this.known(
      ids.filter((id) => {
        const row = this.rows.get(id);
        return row?.lane === lane && row.status === status;
      }),
    );
  }

  /** A settled row was made due again: it has lost its place in the order. */
  requeued(id: string): void {
    this.knownIds.delete(id);
    this.heldSince.delete(id);
    this.withoutPlace.add(id);
  }

  woken(laneName: string, calls: readonly FakeCall[]): void {
    const lane = this.lane(laneName);
    lane.pausedUntil = 0;
    lane.sparedUntil = 0;
    lane.isWoken ||= calls.some(({ delivery }) => delivery.lane === laneName);
  }

  /** A turn of a lane starts: all its rows are in the table, and a pause of this process is over. */
  taken(laneName: string, calls: readonly FakeCall[]): void {
    const lane = this.lane(laneName);
    lane.pausedUntil = 0;
    lane.isWoken ||= calls.some(({ delivery }) => delivery.lane === laneName);
    this.known([...this.rows.values()].filter((row) => row.lane === laneName).map(({ id }) => id));
  }

  /** A new process starts without state, but nothing may be overtaken in an ordered lane. */
  restarted(): void {
    this.lanes = new Map();
    this.flows = new Map();
    this.knownIds.clear();
    this.heldSince.clear();
    this.isStopping = false;
    this.isStuck = false;
    const ordered = [...this.rows.values()].filter(({ lane }) => isOrderedLane(lane));
    ordered.sort((one, other) => (isBefore(one, other) ? -1 : 1));
    for (const { id } of ordered) this.hold(id);
  }

  readStarts(count: number): void {
    if (count > this.limits.reads) this.faults.push(`${count} reads at once`);
  }

  callStarts(call: FakeCall, calls: readonly FakeCall[]): void {
    const { delivery, turn } = call;
    const lane = this.lane(delivery.lane);
    const flow = this.flow(delivery);
    const now = Date.now();
    const row = this.rows.get(delivery.id);
    const here = calls.filter((other) => other.delivery.lane === delivery.lane);
    const taken = calls.filter(takesPlace);
    const takenHere = here.filter(takesPlace);
    const ofFlow = takenHere.filter((other) => other.delivery.flow === delivery.flow);
    const ofFailed = takenHere.filter((other) => this.flow(other.delivery).hasFailed);
    const endpoint = endpointOf(delivery.lane);
    const sameEndpoint = taken.filter(
      (other) => endpoint !== undefined && endpointOf(other.delivery.lane) === endpoint,
    );
    const most = isOrderedLane(delivery.lane) ? 1 : this.limits.perLane;
    if (now - lane.lastUsedAt >= this.limits.forgetAfterMs) {
      lane.unreached = 0;
      lane.limit = Math.max(lane.limit, FIRST_LIMIT);
    }
    if (now - flow.lastUsedAt >= this.limits.forgetAfterMs) {
      flow.limit = Math.max(flow.limit, FIRST_LIMIT);
      flow.hasFailed = false;
    }
    const faults: Record<string, boolean> = {
      'is called although the process stops': this.isStopping,
      'is called although outcomes cannot be stored': this.isStuck,
      'is called although the turn of its lane is over': !this.limits.mayCall(delivery.lane, turn),
      'is called although it is settled': !row || !isOpen(row),
      'is called twice at a time': calls.some((other) => other.delivery.id === delivery.id),
      'exceeds the total': taken.length >= this.limits.total,
      'exceeds the maximum of its lane': takenHere.length >= most,
      'exceeds the places of its endpoint': sameEndpoint.length >= this.limits.perLane,
      'exceeds the limit of its lane': flow.hasFailed && takenHere.length >= lane.limit,
      'exceeds the limit of its flow': ofFlow.length >= flow.limit,
      'takes the slot of those that do not fail':
        flow.hasFailed && ofFailed.length >= Math.max(1, this.limits.perLane - KEPT),
      'exceeds the share of flows that hang': this.isOverShare(delivery, taken, now),
    };
    if (isOrderedLane(delivery.lane)) {
      faults['is called before its lane resumes'] = now < lane.pausedUntil;
      faults['overtakes'] = row !== undefined && this.overtakes(row);
    } else {
      faults['is called before it is due'] = row !== undefined && row.nextAttemptAt > now;
      faults['is called although the receiver is unreachable'] = now < lane.sparedUntil;
    }
    for (const [text, isTrue] of Object.entries(faults))
      if (isTrue) this.faults.push(`${delivery.id} ${text}`);
    lane.isWoken = false;
    lane.lastUsedAt = now;
    flow.lastUsedAt = now;
  }

  callEnds({ delivery }: FakeCall, result: Answer['result']): void {
    const lane = this.lane(delivery.lane);
    lane.lastUsedAt = Date.now();
    if (isOrderedLane(delivery.lane) || result === 'postponed') return;
    const flow = this.flow(delivery);
    flow.lastUsedAt = Date.now();
    flow.hasFailed = result !== 'success';
    flow.failures = flow.hasFailed ? flow.failures + 1 : 0;
    flow.limit = this.limitAfter(flow.limit, result);
    // Another flow may prove that the receiver fails, unless it was not reached.
    if (result === 'success' || result === 'unreachable') lane.limit = this.limitAfter(lane.limit, result);
    this.spare(lane, result);
  }

  private limitAfter(limit: number, result: Answer['result']): number {
    return result === 'success'
      ? Math.min(this.limits.perLane, limit + 1)
      : Math.max(1, Math.floor(limit / 2));
  }

  /** At least for the first pause; a call that started before it does not extend it. */
  private spare(lane: LaneRules, result: Answer['result']): void {
    const { failuresInARow, firstPauseMs } = this.limits.circuit;
    const isSpared = Date.now() < lane.sparedUntil + TICK_MS;
    lane.failures = result === 'success' ? 0 : lane.failures + 1;
    lane.unreached = result === 'unreachable' ? lane.unreached + 1 : 0;
    if (lane.unreached === 0) lane.sparedUntil = 0;
    else if (lane.unreached >= failuresInARow && !isSpared) lane.sparedUntil = Date.now() + firstPauseMs;
  }

  /** `dueAt`: when the delivery is due again, if at all. */
  callStored({ delivery }: FakeCall, dueAt: number | undefined): void {
    const lane = this.lane(delivery.lane);
    if (dueAt !== undefined && !lane.isWoken) lane.pausedUntil = dueAt;
  }

  private hold(id: string): void {
    if (!this.withoutPlace.has(id) && !this.heldSince.has(id)) this.heldSince.set(id, ++this.moment);
  }

  private lane(name: string): LaneRules {
    const limit = isOrderedLane(name) ? 1 : Math.min(FIRST_LIMIT, this.limits.perLane);
    const lane = this.lanes.get(name) ?? {
      limit,
      lastUsedAt: 0,
      pausedUntil: 0,
      isWoken: false,
      failures: 0,
      unreached: 0,
      sparedUntil: 0,
    };
    this.lanes.set(name, lane);
    return lane;
  }

  private flow({ lane, flow }: Delivery): FlowRules {
    const name = `${lane} ${flow}`;
    const limit = isOrderedLane(lane) ? 1 : Math.min(FIRST_LIMIT, this.limits.perLane);
    const known = this.flows.get(name) ?? { limit, lastUsedAt: 0, hasFailed: false, failures: 0 };
    this.flows.set(name, known);
    return known;
  }

  private isOverShare(delivery: Delivery, taken: readonly FakeCall[], now: number): boolean {
    const flowOf = ({ lane, flow }: Delivery): string => `${lane} ${flow}`;
    const old = taken.filter(({ startedAt }) => now - startedAt > SURELY_HUNG_MS);
    const hung = new Set(old.map((call) => flowOf(call.delivery)));
    const share = Math.max(1, Math.floor(this.limits.total / 2));
    return (
      hung.has(flowOf(delivery)) && taken.filter((call) => hung.has(flowOf(call.delivery))).length >= share
    );
  }

  private overtakes(row: Delivery): boolean {
    if (this.withoutPlace.has(row.id)) return false;
    const heldSince = this.heldSince.get(row.id) ?? Infinity;
    return [...this.rows.values()].some(
      (other) =>
        other.lane === row.lane &&
        isOpen(other) &&
        isBefore(other, row) &&
        (this.heldSince.get(other.id) ?? Infinity) < heldSince,
    );
  }
}

/** The next call of an ordered lane may start only when the outcome is stored, of any other when the call has ended. */
function takesPlace({ delivery, answered }: FakeCall): boolean {
  return answered === undefined || isOrderedLane(delivery.lane);
}
