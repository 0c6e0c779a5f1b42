import { Logger } from '@nestjs/common';
import { DatabaseUnavailable } from '../../common/errors/common-errors.js';
import { stackOf } from '../../common/errors/stack-of.js';
import { isDatabaseUnavailable } from '../database-errors.js';
import type { Statement } from '../statement.js';
import type { UnitOfWork } from '../unit-of-work.js';
import { type Batch, type CommitKind, executeSteps, type Step } from './commit-kind.js';

const MAX_BATCH_REQUESTS = 256;
const MAX_BATCH_BYTES = 4 * 1024 * 1024;
const MAX_WAITING_REQUESTS = 20_000;
const MAX_WAITING_BYTES = 128 * 1024 * 1024;
const DEFAULT_SIZE_BYTES = 2048;

interface Waiting<Request, Result> {
  readonly request: Request;
  readonly contribution: readonly Statement[];
  readonly sizeBytes: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Group commit for one kind of request: requests that arrive during a commit share the next one. There is one commit at
 * a time and no timer, so a single request is committed at once. Each request is atomic, and a faulty one does not fail
 * the others. Inside an open unit of work a request joins that transaction instead.
 */
export class CommitQueue<Request, Result> {
  private readonly logger = new Logger(CommitQueue.name);
  private waiting: Waiting<Request, Result>[] = [];
  private waitingBytes = 0;
  /** Whether the last batch left requests out. */
  private isCut = false;
  private running: Promise<void> | undefined;

  /** `commit` runs the steps in one transaction and returns the number of rows that each changed. */
  constructor(
    private readonly kind: CommitKind<Request, Result>,
    private readonly commit: (steps: readonly Step[]) => Promise<readonly number[]>,
    private readonly unitOfWork: Pick<UnitOfWork, 'isOpen' | 'manager' | 'afterCommit' | 'contribute'>,
  ) {}

  /** Resolves once the request is durable. Throws DatabaseUnavailable, `overloaded`, or the error of the request. */
  async submit(request: Request): Promise<Result> {
    if (this.unitOfWork.isOpen) return this.join(request);
    const { isQuiet = false } = this.kind;
    return this.unitOfWork.contribute((statements) => this.enqueue(request, statements()), isQuiet);
  }

  async idle(): Promise<void> {
    while (this.running) await this.running;
  }

  private enqueue(request: Request, contribution: readonly Statement[]): Promise<Result> {
    const { maxWaitingRequests = MAX_WAITING_REQUESTS, overloaded, name, sizeOf } = this.kind;
    if (this.waiting.length >= maxWaitingRequests || this.waitingBytes > MAX_WAITING_BYTES)
      throw overloaded?.() ?? new DatabaseUnavailable(new Error(`Too many ${name} are waiting.`));
    return new Promise((resolve, reject) => {
      const sizeBytes = sizeOf?.(request) ?? DEFAULT_SIZE_BYTES;
      this.waiting.push({ request, contribution, sizeBytes, resolve, reject });
      this.waitingBytes += sizeBytes;
      this.running ??= this.run();
    });
  }

  private async join(request: Request): Promise<Result> {
    const batch = await this.kind.prepare([request], 0);
    const affected = await executeSteps(this.unitOfWork.manager, batch.steps);
    this.unitOfWork.afterCommit(() => this.runAfterCommit(batch));
    return batch.results?.(affected)[0] as Result;
  }

  private async run(): Promise<void> {
    while (this.waiting.length > 0) {
      // Lets requests that the event loop has already received join. Also yields to other work: the embedded
      // engine answers synchronously and would otherwise run all waiting commits first.
      await new Promise(setImmediate);
      const batch = this.nextBatch();
      try {
        this.putBack(await this.store(batch));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.running = undefined;
  }

  private nextBatch(): Waiting<Request, Result>[] {
    const { maxBatchRequests = MAX_BATCH_REQUESTS, placeOf } = this.kind;
    if (this.isCut && placeOf) this.waiting = inTurns(this.waiting, ({ request }) => placeOf(request));
    let count = 0;
    let bytes = 0;
    for (const { sizeBytes } of this.waiting) {
      if (count === maxBatchRequests || (count > 0 && bytes + sizeBytes > MAX_BATCH_BYTES)) break;
      bytes += sizeBytes;
      count++;
    }
    this.waitingBytes -= bytes;
    return this.waiting.splice(0, count);
  }

  private putBack(rest: readonly Waiting<Request, Result>[]): void {
    this.isCut = rest.length > 0;
    this.waiting.unshift(...rest);
    for (const { sizeBytes } of rest) this.waitingBytes += sizeBytes;
  }

  /** Settles the requests, except those it returns, which did not fit into the batch. */
  private async store(
    waiting: readonly Waiting<Request, Result>[],
  ): Promise<readonly Waiting<Request, Result>[]> {
    let taken = waiting;
    for (let failures = 0; ; failures++) {
      let batch: Batch<Result>;
      let affected: readonly number[];
      try {
        batch = await this.kind.prepare(
          taken.map(({ request }) => request),
          failures,
        );
        taken = taken.slice(0, batch.taken);
        affected = await this.commitTimed(
          batch,
          taken.flatMap(({ contribution }) => contribution),
        );
      } catch (error) {
        const failure = isDatabaseUnavailable(error) ? asOutage(error) : error;
        if (await this.kind.retry?.(failure, failures + 1)) continue;
        await this.fail(taken, failure);
        return waiting.slice(taken.length);
      }
      // The batch is stored: an error from here on must not store it again.
      this.runAfterCommit(batch);
      const results = batch.results?.(affected);
      taken.forEach(({ resolve }, index) => resolve(results?.[index] as Result));
      return waiting.slice(taken.length);
    }
  }

  private async commitTimed(
    { steps, observe }: Batch<Result>,
    contributions: readonly Statement[],
  ): Promise<readonly number[]> {
    if (steps.length + contributions.length === 0) return [];
    const startedAt = performance.now();
    const affected = await this.commit(contributions.length === 0 ? steps : [...steps, ...contributions]);
    const seconds = (performance.now() - startedAt) / 1000;
    this.isolate(() => observe?.(seconds));
    return affected;
  }

  private async fail(waiting: readonly Waiting<Request, Result>[], failure: unknown): Promise<void> {
    if (waiting.length === 1 || failure instanceof DatabaseUnavailable) {
      for (const { reject } of waiting) reject(failure);
      return;
    }
    for (const one of waiting) await this.store([one]); // only the faulty one must fail
  }

  private runAfterCommit({ afterCommit = [] }: Batch<Result>): void {
    for (const step of afterCommit) this.isolate(step);
  }

  private isolate(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.logger.error(`A step after the commit of ${this.kind.name} failed.`, stackOf(error));
    }
  }
}

/** Interleaves the items: the first of each place, then the second of each, and so on. */
function inTurns<T>(items: readonly T[], placeOf: (item: T) => string): T[] {
  const rounds: T[][] = [];
  const seen = new Map<string, number>();
  for (const item of items) {
    const place = placeOf(item);
    const round = seen.get(place) ?? 0;
    seen.set(place, round + 1);
    (rounds[round] ??= []).push(item);
  }
  return rounds.flat();
}

function asOutage(error: unknown): DatabaseUnavailable {
  return error instanceof DatabaseUnavailable ? error : new DatabaseUnavailable(error);
}
