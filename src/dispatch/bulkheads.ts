import type { Job } from './job.js';
import { Lane } from './lane.js';

/** A call that takes longer costs its endpoint the trust. */
const SLOW_AFTER_MS = 2_000;
const FORGET_LANE_AFTER_MS = 10 * 60_000;

/** A job that may start now, with its place. */
export interface Start {
  readonly lane: Lane;
  readonly job: Job;
}

/**
 * Who may call next (design section 4, fairness). Lanes with work take turns; each has its own limit; together they
 * have `total` places, of which lanes that are not trusted may use half. So endpoints that hang or fail cannot take
 * the places of the others, however many they are and however much waits for them.
 */
export class Bulkheads {
  private readonly lanes = new Map<string, Lane>();
  private readonly ready = { trusted: new Set<Lane>(), untrusted: new Set<Lane>() };
  private running = 0;
  private runningUntrusted = 0;
  private isTrustedTurn = false;

  constructor(
    private readonly total: number,
    private readonly perLane: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  get runningCount(): number {
    return this.running;
  }

  all(): IterableIterator<Lane> {
    return this.lanes.values();
  }

  find(name: string): Lane | undefined {
    return this.lanes.get(name);
  }

  lane(name: string): Lane {
    let lane = this.lanes.get(name);
    if (!lane) this.lanes.set(name, (lane = new Lane(name, this.perLane)));
    return lane;
  }

  /** To be called whenever a lane got work or a free place. */
  refresh(lane: Lane): void {
    const [mine, other] = lane.isTrusted
      ? [this.ready.trusted, this.ready.untrusted]
      : [this.ready.untrusted, this.ready.trusted];
    other.delete(lane);
    if (lane.canStart) mine.add(lane);
    else mine.delete(lane);
  }

  /** The next call to make, or undefined while there is no work or no place. */
  start(): Start | undefined {
    if (this.running >= this.total) return undefined;
    const hasUntrustedPlace = this.runningUntrusted < Math.max(1, Math.floor(this.total / 2));
    const untrusted = hasUntrustedPlace ? first(this.ready.untrusted) : undefined;
    const trusted = first(this.ready.trusted);
    this.isTrustedTurn = !this.isTrustedTurn;
    const lane = this.isTrustedTurn ? (trusted ?? untrusted) : (untrusted ?? trusted);
    const job = lane?.take();
    if (!lane || !job) return undefined;
    lane.started(job, this.now());
    this.running++;
    if (!lane.isTrusted) this.runningUntrusted++;
    this.ready.trusted.delete(lane); // and to the end of the row, so that lanes take turns
    this.ready.untrusted.delete(lane);
    this.refresh(lane);
    return { lane, job };
  }

  finish({ lane, job }: Start, hasSucceeded: boolean | undefined): void {
    const startedAt = lane.oldestStart;
    this.running--;
    if (!lane.isTrusted) this.runningUntrusted--;
    lane.finished(job, hasSucceeded, this.now());
    if (hasSucceeded !== undefined)
      this.trust(lane, hasSucceeded && !(this.now() - Math.min(startedAt, lane.oldestStart) > SLOW_AFTER_MS));
    this.refresh(lane);
  }

  /** To be called every second or so: takes the trust from lanes whose calls hang, and forgets idle ones. */
  review(): void {
    const now = this.now();
    for (const lane of this.lanes.values()) {
      if (now - lane.oldestStart > SLOW_AFTER_MS) this.trust(lane, false);
      if (lane.isIdle && now - lane.lastUsedAt > FORGET_LANE_AFTER_MS) this.lanes.delete(lane.name);
    }
  }

  private trust(lane: Lane, isTrusted: boolean): void {
    if (lane.isTrusted === isTrusted) return;
    lane.isTrusted = isTrusted;
    this.runningUntrusted += isTrusted ? -lane.running : lane.running;
    this.refresh(lane);
  }
}

function first<T>(set: ReadonlySet<T>): T | undefined {
  for (const item of set) return item;
  return undefined;
}
