import type { EntityManager } from 'typeorm';
import { execute, type Statement } from '../statement.js';

/** One step of a transaction: a statement, or work that reads what earlier steps have written. */
export type Step = Statement | ((manager: EntityManager) => Promise<void>);

/** What several requests write in one transaction. */
export interface Batch<Result> {
  readonly steps: readonly Step[];
  /** How many of the requests it includes, from the first; the rest wait for the next. Default: all. */
  readonly taken?: number;
  /** The result of each request, once stored. `affected`: the number of rows that each step changed. */
  readonly results?: (affected: readonly number[]) => readonly Result[];
  /** Run in order once the batch is stored. They cannot undo it: errors are only logged. */
  readonly afterCommit?: readonly (() => void)[];
  /** Gets the duration of the commit. Not called for a batch that joined a unit of work. */
  readonly observe?: (seconds: number) => void;
}

/** A kind of request. Requests of one kind share commits. */
export interface CommitKind<Request, Result> {
  /** The name of the stored data in the log. */
  readonly name: string;
  /** Nothing in memory depends on the stored data, so a lost commit answer does not matter to others. */
  readonly isQuiet?: boolean;
  /**
   * Called before each attempt; `failures` counts the failed attempts of the same requests. May read from the
   * database. If it throws, the requests are prepared one by one, so that only the faulty one fails.
   */
  readonly prepare: (
    requests: readonly Request[],
    failures: number,
  ) => Batch<Result> | Promise<Batch<Result>>;
  /** The approximate size of a request in bytes; 2 KiB by default. */
  readonly sizeOf?: (request: Request) => number;
  /** The origin of a request. While a batch cannot include all waiting requests, origins take turns. */
  readonly placeOf?: (request: Request) => string;
  readonly maxBatchRequests?: number;
  readonly maxWaitingRequests?: number;
  /** The error for requests that exceed the limit; DatabaseUnavailable by default. */
  readonly overloaded?: () => Error;
  /** Whether to retry the whole batch after this many failures. If absent, each is retried once alone. */
  readonly retry?: (error: unknown, failures: number) => Promise<boolean>;
}

/** Runs the steps in order in the transaction of `manager`. Returns the number of rows that each changed. */
export async function executeSteps(manager: EntityManager, steps: readonly Step[]): Promise<number[]> {
  const affected: number[] = [];
  for (const step of steps) {
    affected.push(isStatement(step) ? await execute(manager, step) : await step(manager).then(() => 0));
  }
  return affected;
}

/** The steps as statements; undefined if one of them is not a statement. */
export function statementsOf(steps: readonly Step[]): readonly Statement[] | undefined {
  return steps.every(isStatement) ? steps : undefined;
}

function isStatement(step: Step): step is Statement {
  return typeof step !== 'function';
}
