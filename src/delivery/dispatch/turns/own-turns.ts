import { LaneTurns } from './lane-turns.js';
import { ALWAYS, type Turn } from './turn.js';

const NONE: ReadonlySet<string> = new Set();
const nothing = Promise.resolve();

/** The turns of a process that serves its database alone: every lane is always its own. */
export class OwnTurns extends LaneTurns {
  readonly firstTurn: Turn | undefined = ALWAYS;

  start(): Promise<void> {
    return nothing;
  }

  close(): Promise<void> {
    return nothing;
  }

  stop(): Promise<void> {
    return nothing;
  }

  isOurs(): boolean {
    return true;
  }

  unattended(): Promise<ReadonlySet<string>> {
    return Promise.resolve(NONE);
  }

  want(): void {
    // It is ours.
  }

  wake(): void {
    // It is ours.
  }

  resume(): void {
    // It is ours.
  }

  drop(): void {
    // There are no others.
  }

  inFlightElsewhere(): Promise<ReadonlySet<string>> {
    return Promise.resolve(NONE);
  }

  inFlightElsewhereOf(): Promise<readonly string[]> {
    return Promise.resolve([]);
  }
}
