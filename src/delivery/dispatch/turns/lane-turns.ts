import type { Delivery } from '../delivery.entity.js';
import type { Dropped } from './dropped.js';
import type { Turn } from './turn.js';

/** What a lane does in this process. */
export interface LaneWork {
  /** Deliveries in memory: queued, or called with the outcome not stored yet. */
  readonly claimed: number;
  /** Whether there is something to do now or soon. */
  readonly isBusy: boolean;
  /** How long it calls nobody although it has due rows: after a failure, or because nobody is there. */
  readonly pausedMs: number;
}

/** Works on the lanes whose turn this process has. */
export interface LaneWorker {
  /** The turn begins, or has become valid again. */
  taken(lane: string, turn: Turn): void;
  /** The turn is over: no more calls start, and nothing of the lane stays in memory. Running calls go on. */
  left(lane: string): void;
  /** Another process has committed rows of the lane. */
  rowsLeft(lane: string): void;
  /** What is in memory may be cancelled by now: reads it again. */
  reload(): void;
  wake(lane: string): void;
  resume(lane: string): void;
  drop(matches: (delivery: Delivery) => boolean): void;
  workOn(lane: string): LaneWork;
  inFlight(ids: readonly string[]): readonly string[];
  inFlightOf(isOwner: (ownerId: string) => boolean): readonly string[];
}

/**
 * Says which lanes this process may work on, and when. The dispatcher asks before it holds anything of a lane, and before
 * each call.
 */
export abstract class LaneTurns {
  /** The turn in which a lane comes into memory. */
  abstract readonly firstTurn: Turn | undefined;
  /** Begins to give turns. */
  abstract start(worker: LaneWorker): Promise<void>;
  /** Takes no more turns. */
  abstract close(): Promise<void>;
  /** Ends all turns, once their calls are over. */
  abstract stop(): Promise<void>;
  /** Whether this process works on the lane. */
  abstract isOurs(lane: string): boolean;
  /** Those of the lanes that no process works on, although none has put them off. */
  abstract unattended(lanes: readonly string[]): Promise<ReadonlySet<string>>;
  /** Asks for the lane to be worked on, by whichever process has it or gets it: it has new rows. */
  abstract want(lane: string): void;
  /** As DispatcherService.wake, for a lane that is not ours. */
  abstract wake(lane: string): void;
  /** As DispatcherService.resume, for a lane that is not ours. */
  abstract resume(lane: string): void;
  /** Tells the other processes of cancelled rows. */
  abstract drop(dropped: Dropped): void;
  /** Which of these open deliveries are called at this moment by other processes. */
  abstract inFlightElsewhere(deliveries: readonly Delivery[]): Promise<ReadonlySet<string>>;
  /** The ids of deliveries that are called at this moment by other processes: an owner's, or all if it is undefined. */
  abstract inFlightElsewhereOf(ownerId: string | undefined): Promise<readonly string[]>;
}
