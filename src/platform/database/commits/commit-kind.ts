import type { EntityManager } from 'typeorm';
import type { Statement } from '../statement.js';

/** One step of a transaction: a statement, or work that reads what earlier steps have written. */
export type Step = Statement | ((manager: EntityManager) => Promise<void>);

/** What several requests write in one transaction. */
export interface Batch<Result> {
  /** Nothing is committed when there are none. */
  readonly steps: readonly Step[];
  /** How many of the requests it stores, the first ones; the others are prepared anew for the next commit. Default: all. */
  readonly taken?: number;
  /** The result of each request, once the batch is stored. `affected` is the number of rows that each step changed. */
  readonly results?: (affected: readonly number[]) => readonly Result[];
  /** Run in order once the batch is stored. They cannot undo it: errors are only logged. */
  readonly afterCommit?: readonly (() => void)[];
  /** Gets the duration of the commit. Not called for a batch that joined a unit of work. */
  readonly observe?: (seconds: number) => void;
}

/** A kind of request. Requests of one kind share commits. */
export interface CommitKind<Request, Result> {
  /** What the requests store, in the words of the log. */
  readonly name: string;
  /** Nobody has to hear of what is stored, so it does not matter to others if the answer to its commit is lost. */
  readonly isQuiet?: boolean;
  /**
   * Called before each attempt; `failures` counts the failed attempts of the same requests. May read from the database.
   * If it throws, the requests are prepared one by one, so that only the one at fault fails.
   */
  readonly prepare: (
    requests: readonly Request[],
    failures: number,
  ) => Batch<Result> | Promise<Batch<Result>>;
  /** The approximate size of a request in bytes; 2 KiB by default. */
  readonly sizeOf?: (request: Request) => number;
  /**
   * Where a request belongs. While the kind does not take all that are waiting, each place has one of its requests stored in
   * turn, so that whoever has many delays only themselves.
   */
  readonly placeOf?: (request: Request) => string;
  /** 256 by default. */
  readonly maxBatchRequests?: number;
  /** 20,000 by default. */
  readonly maxWaitingRequests?: number;
  /** The error for requests that exceed the limit; DatabaseUnavailable by default. */
  readonly overloaded?: () => Error;
  /**
   * Whether to retry the whole batch after this many failures. May delay its answer; must not throw. Without it, or if
   * it says no, an outage fails all requests, and after any other error each is tried once more by itself.
   */
  readonly retry?: (error: unknown, failures: number) => Promise<boolean>;
}
