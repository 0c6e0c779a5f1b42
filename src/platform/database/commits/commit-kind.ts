import type { EntityManager } from 'typeorm';
import type { Statement } from '../statement.js';

/** One step of a transaction: a statement, or work that must read what the steps before it have left. */
export type Step = Statement | ((manager: EntityManager) => Promise<void>);

/** What some requests write together. */
export interface Batch<Result> {
  /** Nothing is committed when there are none. */
  readonly steps: readonly Step[];
  /** What each request gets once the batch is stored, if anything; `affected` has the number of rows that each step changed. */
  readonly results?: (affected: readonly number[]) => readonly Result[];
  /** Run in their order once the batch is stored. They cannot undo it: what they throw is logged. */
  readonly afterCommit?: readonly (() => void)[];
  /** Is told how long a commit took; not called for a batch that joined a unit of work. */
  readonly observe?: (seconds: number) => void;
}

/** Requests of one kind, which share commits with each other. */
export interface CommitKind<Request, Result> {
  /** What the requests store, as the log names it. */
  readonly name: string;
  /**
   * Called afresh for each try, after so many failures of the same requests. May read from the database. A request
   * that makes it throw fails alone.
   */
  readonly prepare: (
    requests: readonly Request[],
    failures: number,
  ) => Batch<Result> | Promise<Batch<Result>>;
  /** About how many bytes a request takes; 2 KiB unless told. */
  readonly sizeOf?: (request: Request) => number;
  /** 256 unless told. */
  readonly maxBatchRequests?: number;
  /** 20,000 unless told. */
  readonly maxWaitingRequests?: number;
  /** The error for requests beyond what may wait; DatabaseUnavailable unless told. */
  readonly overloaded?: () => Error;
  /**
   * Whether requests are to be tried again together that have failed so many times; may wait before it answers. Must
   * not throw. Without it an outage fails them all, and with any other error each is tried once more by itself.
   */
  readonly retry?: (error: unknown, failures: number) => Promise<boolean>;
}
