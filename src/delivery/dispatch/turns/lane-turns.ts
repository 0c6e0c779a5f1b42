import type { Delivery } from '../delivery.entity.js';
import type { Dropped } from './lane-messages.js';

/** The state of a lane in this process. */
export interface LaneWork {
  /** Deliveries in memory: queued, or called with the outcome not yet stored. */
  readonly claimed: number;
  /** Whether the lane has work now or soon. */
  readonly isBusy: boolean;
  /** How long the lane makes no calls despite due rows: after a failure, or because the receiver is away. */
  readonly pausedMs: number;
}

/** Works on the lanes whose turn this process has. */
export interface LaneWorker {
  /** The turn has started or has become valid again. */
  taken(lane: string, turn: Turn): void;
  /** The turn has ended: starts no more calls and unloads the lane. Running calls continue. */
  left(lane: string): void;
  /** Another process has committed rows of the lane. */
  rowsLeft(lane: string): void;
  /** Deliveries in memory may have been cancelled: reads them again. */
  reload(): void;
  wake(lane: string): void;
  resume(lane: string): void;
  drop(matches: (delivery: Delivery) => boolean): void;
  workOn(lane: string): LaneWork;
  inFlight(ids: readonly string[]): readonly string[];
  inFlightOf(isOwner: (ownerId: string) => boolean): readonly string[];
}

/** The right of this process to work on a lane: docs/architecture.md#turns. */
export interface Turn {
  /** Outcomes are stored only while the lane has this epoch. Undefined if one process has all lanes. */
  readonly epoch: number | undefined;
  /** Whether a call may start now. */
  readonly isValid: boolean;
}

/** The turn of a process that has the database to itself. */
export const ALWAYS: Turn = { epoch: undefined, isValid: true };

/**
 * Decides which lanes this process may work on, and when. The dispatcher asks before it loads anything of a lane and
 * before each call. A process that has the database to itself always has every lane, and has no one to notify;
 * `SharedTurns` overrides all of it.
 */
export class LaneTurns {
  /** The initial turn of a lane that is loaded into memory. */
  readonly firstTurn: Turn | undefined = ALWAYS;

  /** Starts giving out turns. */
  async start(_worker: LaneWorker): Promise<void> {}

  /** Stops taking turns. */
  async close(): Promise<void> {}

  /** Ends all turns once their calls have finished. */
  async stop(): Promise<void> {}

  /** Whether this process works on the lane. */
  isOurs(_lane: string): boolean {
    return true;
  }

  /** Returns the lanes that no process works on and that are not deliberately paused. */
  unattended(_lanes: readonly string[]): Promise<ReadonlySet<string>> {
    return Promise.resolve(new Set());
  }

  /** Requests work on the lane, which has new rows, from the process that has it or gets it. */
  want(_lane: string): void {}

  /** Like DispatcherService.wake, for a lane of another process. */
  wake(_lane: string): void {}

  /** Like DispatcherService.resume, for a lane of another process. */
  resume(_lane: string): void {}

  /** Notifies the other processes of cancelled rows. */
  drop(_dropped: Dropped): void {}

  /** Returns which of these open deliveries other processes are calling right now. */
  inFlightElsewhere(_deliveries: readonly Delivery[]): Promise<ReadonlySet<string>> {
    return Promise.resolve(new Set());
  }

  /** Ids of deliveries that other processes are calling right now; of all owners if undefined. */
  inFlightElsewhereOf(_ownerId: string | undefined): Promise<readonly string[]> {
    return Promise.resolve([]);
  }
}
