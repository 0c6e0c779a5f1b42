import type { LaneDrain } from '../../src/delivery/dispatch/lane-drain.js';
import { LaneTurns, type Turn } from '../../src/delivery/dispatch/turns/lane-turns.js';

class GivenTurn implements Turn {
  isValid = true;

  constructor(readonly epoch: number) {}
}

/** Turns of several processes as one of them sees them: they end, expire and start when a test says so. */
export class GivenTurns extends LaneTurns {
  override readonly firstTurn = undefined;
  private readonly turns = new Map<string, GivenTurn>();
  private readonly wanted = new Set<string>();
  private drain: LaneDrain | undefined;
  private epoch = 0;

  /** `onTaken` receives the lanes whose turn starts. */
  constructor(private readonly onTaken: (lane: string) => void) {
    super();
  }

  override start(drain: LaneDrain): Promise<void> {
    this.drain = drain;
    return Promise.resolve();
  }

  override isOurs(lane: string): boolean {
    return this.turns.has(lane);
  }

  override want(lane: string): void {
    this.wanted.add(lane);
  }

  override wake(lane: string): void {
    this.want(lane);
  }

  /** Gives the lanes that are wanted or have rows in the table. Calls of an earlier turn must have ended. */
  give(lanes: Iterable<string>): void {
    for (const lane of new Set([...this.wanted, ...lanes])) {
      if (this.turns.has(lane) || this.drain?.workOn(lane).claimed !== 0) continue;
      this.wanted.delete(lane);
      const turn = new GivenTurn(++this.epoch);
      this.turns.set(lane, turn);
      this.onTaken(lane);
      this.drain.taken(lane, turn);
    }
  }

  /** Ends the turn. */
  end(lane: string): void {
    const turn = this.turns.get(lane);
    if (!turn) return;
    turn.isValid = false;
    this.turns.delete(lane);
    this.drain?.left(lane);
  }

  /** The turn was not renewed in time. */
  expire(lane: string): void {
    const turn = this.turns.get(lane);
    if (turn) turn.isValid = false;
  }

  /** It is renewed after all, because no other process has taken it. */
  renew(): void {
    for (const [lane, turn] of this.turns) {
      if (turn.isValid) continue;
      turn.isValid = true;
      this.drain?.taken(lane, turn);
    }
  }

  /** Whether a call of the lane can start in that turn. */
  isValid(lane: string, turn: Turn): boolean {
    return turn.isValid && this.turns.get(lane) === turn;
  }
}
