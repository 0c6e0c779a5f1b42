import type { Job } from './job.js';
import { Lane } from './lane.js';
import type { LaneCalls, Standing } from './lane-calls.js';

/** A call that takes longer costs its endpoint the trust. */
const SLOW_AFTER_MS = 2_000;
const FORGET_LANE_AFTER_MS = 10 * 60_000;

/** A job that may start now, with its place. */
export interface Start {
  readonly lane: Lane;
  readonly job: Job;
}

/** Beyond so many calls at once even a trusted lane goes on only while half of all places are free. */
const MODEST = 8;

/** Who waits for a place: by standing, and those that would have more than their modest share. */
type Row = Standing | 'eager';
const ROWS: readonly Row[] = ['trusted', 'unknown', 'suspect', 'eager'];

/**
 * Who may call next (docs/contract/outgoing-webhooks.md#retries). Lanes with work take turns; each has its own limit;
 * together they have `total` places. Suspect lanes start no call that would give them more than half of the places,
 * nor unknown ones one that would give both more than three quarters. So endpoints that hang or fail cannot take the
 * places of the others, however many they are and however much waits for them, and a new one is not kept waiting by
 * them. A trusted lane has more than a few calls at once only while half of the places are free: if such lanes begin
 * to hang together, the other half is left.
 */
export class Bulkheads {
  private readonly lanes = new Map<string, Lane>();
  private readonly ready: Readonly<Record<Row, Set<Lane>>> = {
    trusted: new Set(),
    unknown: new Set(),
    suspect: new Set(),
    eager: new Set(),
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
    const row = lane.canStart ? rowOf(lane.calls) : undefined;
    for (const other of ROWS) if (other !== row) this.ready[other].delete(lane);
    if (row) this.ready[row].add(lane);
  }

  /** The next call to make, or undefined while there is no work or no place. */
  start(): Start | undefined {
    this.turn++;
    for (let index = 0; index < ROWS.length; index++) {
      const row = ROWS[(this.turn + index) % ROWS.length];
      const lane = row && this.hasPlace(row) ? first(this.ready[row]) : undefined;
      const job = lane?.shift();
      if (lane && job) return this.begin(lane, job);
    }
    return undefined;
  }

  finish({ lane, job }: Start, hasSucceeded: boolean | undefined): void {
    const { oldestStart } = lane.calls;
    this.running[lane.calls.standing]--;
    lane.calls.finished(job, hasSucceeded, this.now());
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
      if (now - lane.calls.oldestStart > SLOW_AFTER_MS) this.setStanding(lane, 'suspect');
      if (lane.isIdle && now - lane.calls.lastUsedAt > FORGET_LANE_AFTER_MS) this.lanes.delete(lane.name);
    }
  }

  private hasPlace(row: Row): boolean {
    const { unknown, suspect } = this.running;
    if (this.runningCount >= this.total) return false;
    if (row === 'trusted') return true;
    if (row === 'eager') return this.runningCount < atLeastOne(this.total / 2);
    if (row === 'suspect' && suspect >= atLeastOne(this.total / 2)) return false;
    return unknown + suspect < atLeastOne(this.total * 0.75);
  }

  private begin(lane: Lane, job: Job): Start {
    this.ready[rowOf(lane.calls)].delete(lane); // and to the end of the row, so that lanes take turns
    lane.calls.started(job, this.now());
    this.running[lane.calls.standing]++;
    this.refresh(lane);
    return { lane, job };
  }

  private setStanding(lane: Lane, standing: Standing): void {
    this.running[lane.calls.standing] -= lane.calls.running;
    lane.calls.standing = standing;
    this.running[standing] += lane.calls.running;
    this.refresh(lane);
  }
}

function rowOf({ standing, running }: LaneCalls): Row {
  return standing === 'trusted' && running >= MODEST ? 'eager' : standing;
}

function atLeastOne(places: number): number {
  return Math.max(1, Math.floor(places));
}

function first<T>(set: ReadonlySet<T>): T | undefined {
  for (const item of set) return item;
  return undefined;
}
