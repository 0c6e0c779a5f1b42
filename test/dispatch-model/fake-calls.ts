import type { Run } from '../../src/delivery/dispatch/delivery-runner.js';
import { isOrderedLane } from '../../src/delivery/dispatch/delivery-kind.js';
import type { Delivery } from '../../src/delivery/dispatch/delivery.entity.js';
import type { Job } from '../../src/delivery/dispatch/lane.js';
import type { NextAttempt } from '../../src/delivery/dispatch/outcome.js';
import type { Turn } from '../../src/delivery/dispatch/turns/lane-turns.js';
import { type FakeTable, isOpen } from './fake-table.js';
import { isLimited, type Rules } from './rules.js';

/** `delayMs` is the time until a failed or postponed delivery is due again. */
export interface Answer {
  readonly result: 'success' | 'failure' | 'unreachable' | 'gone' | 'postponed';
  readonly delayMs: number;
  /** Its reply is large. */
  readonly isLarge?: boolean;
}

const RESULTS: Readonly<Record<Answer['result'], Run['result']>> = {
  success: 'succeeded',
  failure: 'failed',
  unreachable: 'unreachable',
  gone: 'failed',
  postponed: undefined,
};

const CALL_EVERY_MS = 200;

function nextOf(delivery: Delivery): NextAttempt {
  return { status: statusOf(delivery), dueAt: Date.now() };
}

function waiting({ delivery, slotAt }: Job): Run {
  return { result: undefined, isLarge: false, stored: Promise.resolve(nextOf(delivery)), slotAt };
}

/** A call: it runs until it is answered, and occupies its delivery until its outcome is stored. */
export class FakeCall {
  readonly startedAt = Date.now();
  answered: Answer | undefined;
  private resolveStored: (next: NextAttempt | undefined) => void = () => undefined;

  constructor(
    readonly delivery: Delivery,
    readonly turn: Turn,
    private readonly resolve: (run: Run) => void,
  ) {}

  answer(answer: Answer): void {
    this.answered = answer;
    const stored = new Promise<NextAttempt | undefined>((resolve) => (this.resolveStored = resolve));
    this.resolve({ result: RESULTS[answer.result], isLarge: answer.isLarge ?? false, stored });
  }

  abort(): void {
    this.resolve({ result: undefined, isLarge: false, stored: Promise.resolve(undefined) });
  }

  stored(next: NextAttempt | undefined): void {
    this.resolveStored(next);
  }
}

/** Replaces the runner: calls are answered and their outcomes stored when a test says so. */
export class FakeCalls {
  all: readonly FakeCall[] = [];
  private reservedUntil = 0;

  constructor(
    private readonly table: FakeTable,
    private readonly rules: Rules,
  ) {}

  get unanswered(): FakeCall[] {
    return this.all.filter(({ answered }) => answered === undefined);
  }

  get unstored(): FakeCall[] {
    return this.all.filter(({ answered }) => answered !== undefined);
  }

  /** A call with a limited rate reserves its time, and waits for it in its queue. */
  async run(job: Job, signal: AbortSignal): Promise<Run> {
    const { delivery, turn } = job;
    if (isLimited(delivery) && job.slotAt === undefined) {
      try {
        await this.table.reserve();
      } catch {
        return { result: undefined, isLarge: false, stored: Promise.resolve(nextOf(delivery)) };
      }
      job.slotAt = Math.max(this.reservedUntil, performance.now());
      this.reservedUntil = job.slotAt + CALL_EVERY_MS;
      return waiting(job);
    }
    if (job.slotAt !== undefined && job.slotAt > performance.now()) return waiting(job);
    return new Promise((resolve) => {
      const call = new FakeCall(delivery, turn, resolve);
      this.rules.callStarts(call, this.all);
      this.all = [...this.all, call];
      signal.addEventListener('abort', () => {
        if (call.answered || !this.all.includes(call)) return;
        this.remove(call);
        call.abort();
      });
    });
  }

  answer(call: FakeCall, answer: Answer): void {
    this.rules.callEnds(call, answer.result);
    call.answer(answer);
  }

  /** Stores the outcome of an answered call like the recorder: a settled row does not change. */
  store(call: FakeCall): void {
    const { id, lane } = call.delivery;
    const { result, delayMs } = call.answered!;
    this.remove(call);
    const row = this.table.rows.get(id);
    if (result === 'success' || result === 'gone') {
      if (row && isOpen(row))
        this.table.change(id, { status: result === 'success' ? 'delivered' : 'failed' });
      this.rules.callStored(call, undefined);
      return call.stored(undefined);
    }
    const isOrdered = isOrderedLane(lane);
    const dueAt = Date.now() + delayMs;
    const status = result !== 'postponed' && !isOrdered ? 'retrying' : statusOf(call.delivery);
    if (row && isOpen(row) && !isOrdered) this.table.change(id, { status, nextAttemptAt: dueAt });
    this.rules.callStored(call, dueAt);
    call.stored({ status, dueAt });
  }

  /** The process has ended: its calls are aborted. */
  forget(): void {
    this.all = [];
  }

  private remove(call: FakeCall): void {
    this.all = this.all.filter((other) => other !== call);
  }
}

function statusOf({ status }: Delivery): NextAttempt['status'] {
  return status === 'retrying' ? 'retrying' : 'pending';
}
