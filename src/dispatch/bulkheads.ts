import type { Job } from './job.js';
import { Lane, type Standing } from './lane.js';

/** A call that takes longer costs its endpoint the trust. */
const SLOW_AFTER_MS = 2_000;
const FORGET_LANE_AFTER_MS = 10 * 60_000;

/** A job that may start now, with its place. */
export interface Start {
  readonly lane: Lane;
  readonly job: Job;
}

const STANDINGS: readonly Standing[] = ['trusted', 'unknown', 'suspect'];

/**
 * Who may call next (design section 4, fairness). Lanes with work take turns; each has its own limit; together they
 * have `total` places. Suspect lanes start no call that would give them more than half of the places, nor unknown ones
 * one that would give both more than three quarters. So endpoints that hang or fail cannot take the places of the
 * others, however many they are and however much waits for them, and a new one is not kept waiting by them.
 */
export class Bulkheads {
  private readonly lanes = new Map<string, Lane>();
  private readonly ready: Readonly<Record<Standing, Set<Lane>>> = {
    trusted: new Set(),
    unknown: new Set(),
    suspect: new Set(),
  };
  private readonly running: Record<Standing, number> = { trusted: 0, unknown: 0, suspect: 0 };
  private turn = 0;

  constructor(
    private readonly total: number,
    private readonly perLane: number,
    private readonly now: () => number = () => performance.now(),
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

  lane(name: string): Lane {
    let lane = this.lanes.get(name);
    if (!lane) this.lanes.set(name, (lane = new Lane(name, this.perLane)));
    return lane;
  }

  /** To be called whenever a lane got work or a free place. */
  refresh(lane: Lane): void {
    for (const standing of STANDINGS) if (standing !== lane.standing) this.ready[standing].delete(lane);
    if (lane.canStart) this.ready[lane.standing].add(lane);
    else this.ready[lane.standing].delete(lane);
  }

  /** The next call to make, or undefined while there is no work or no place. */
  start(): Start | undefined {
    this.turn++;
    for (let index = 0; index < STANDINGS.length; index++) {
      const standing = STANDINGS[(this.turn + index) % STANDINGS.length];
      const lane = standing && this.hasPlace(standing) ? first(this.ready[standing]) : undefined;
      const job = lane?.take();
      if (lane && job) return this.begin(lane, job);
    }
    return undefined;
  }

  finish({ lane, job }: Start, hasSucceeded: boolean | undefined): void {
    const oldestStart = lane.oldestStart;
    this.running[lane.standing]--;
    lane.finished(job, hasSucceeded, this.now());
    if (hasSucceeded !== undefined) {
      const isSlow = this.now() - oldestStart > SLOW_AFTER_MS;
      this.setStanding(lane, hasSucceeded && !isSlow ? 'trusted' : 'suspect');
    }
    this.refresh(lane);
  }

  /** To be called every second or so: takes the trust from lanes whose calls hang, and forgets idle ones. */
  review(): void {
    const now = this.now();
    for (const lane of this.lanes.values()) {
      if (now - lane.oldestStart > SLOW_AFTER_MS) this.setStanding(lane, 'suspect');
      if (lane.isIdle && now - lane.lastUsedAt > FORGET_LANE_AFTER_MS) this.lanes.delete(lane.name);
    }
  }

  private hasPlace(standing: Standing): boolean {
    const { trusted, unknown, suspect } = this.running;
    if (trusted + unknown + suspect >= this.total) return false;
    if (standing === 'trusted') return true;
    if (standing === 'suspect' && suspect >= atLeastOne(this.total / 2)) return false;
    return unknown + suspect < atLeastOne(this.total * 0.75);
  }

  private begin(lane: Lane, job: Job): Start {
    lane.started(job, this.now());
    this.running[lane.standing]++;
    this.ready[lane.standing].delete(lane); // and to the end of the row, so that lanes take turns
    this.refresh(lane);
    return { lane, job };
  }

  private setStanding(lane: Lane, standing: Standing): void {
    this.running[lane.standing] -= lane.running;
    lane.standing = standing;
    this.running[standing] += lane.running;
    this.refresh(lane);
  }
}

function atLeastOne(places: number): number {
  return Math.max(1, Math.floor(places));
}

function first<T>(set: ReadonlySet<T>): T | undefined {
  for (const item of set) return item;
  return undefined;
}
