import type { JsonObject } from '../../common/json.js';
import type { Statement } from '../statement.js';

/** What the other processes must hear of a change: ids and facts, by topic. */
export interface Change {
  readonly topic: string;
  readonly body: JsonObject;
}

/** Changes with the numbers under which they are written. */
export interface NumberedChanges {
  /** Write them in the transaction that makes the changes. */
  readonly statements: readonly Statement[];
  /** Call it when they are committed: lets the others look at once. Never throws. */
  readonly committed: () => Promise<void>;
}

/** Takes the changes of one topic that other processes have committed. Must not throw and not wait. */
export type ChangeHandler = (body: JsonObject) => void;

/**
 * Tells the processes that serve one database what the others have changed, so that they trust nothing in memory that is
 * older than a second (docs/architecture.md#what-the-others-have-changed). What is `numbered` is stored with the
 * change, so neither exists without the other; what `append` takes follows it.
 */
export abstract class ChangeLog {
  /** Whether other processes can change the database. */
  abstract readonly isShared: boolean;
  /** Changes of more than a second ago may be unknown here: what is in memory must not be trusted. */
  abstract readonly isBehind: boolean;
  /** Calls `handler` with the changes of other processes. One handler for each topic. */
  abstract on(topic: string, handler: ChangeHandler): void;
  /**
   * Calls `handler` when changes may never be heard of, because the process was stopped or cut off for minutes: whatever has
   * been taken over so far must be read anew. It must not throw and not wait.
   */
  abstract onLost(handler: () => void): void;
  /** Resolves when the changes are read that this process has been let know of. Never throws. */
  abstract caughtUp(): Promise<void>;
  /** Gives changes the numbers under which they are written, last in the transaction that makes them. */
  abstract numbered(changes: readonly Change[]): NumberedChanges;
  /** Writes changes that are committed already. Never throws. */
  abstract append(change: Change): void;
}
