import type { CircuitLimits } from './circuit.js';
import type { OpenStatus } from './delivery.entity.js';
import { Fifo } from './fifo.js';
import type { WaitingFlows } from './flow-turns.js';
import type { Job } from './job.js';
import { LaneCalls } from './lane-calls.js';
import { Source } from './source.js';

/** The rows of one status of a flow: a queue in memory in front of the table. */
class QueuedSource extends Source {
  readonly queue = new Fifo<Job>();
  /** Where its flow waits for its turn to call for one of these; undefined if it may not call. */
  waitsIn: WaitingFlows | undefined;
}

/**
 * The deliveries of one webhook to one URL. Within its lane it has a limit of concurrent calls and a circuit of its own, so
 * that it loses calls before its endpoint does.
 */
export class Flow {
  readonly calls: LaneCalls;
  /** Deliveries that were never attempted. */
  readonly fresh = new QueuedSource('pending', 'clear');
  readonly retries = new QueuedSource('retrying', 'clear');
  readonly sources = [this.fresh, this.retries] as const;
  /** Jobs in memory: queued, or called with the outcome not stored yet. */
  claimed = 0;
  /** A call of it runs for longer than most do, and it is not suspect yet. */
  isLate = false;

  constructor(
    readonly name: string,
    maxRunning: number,
    circuitLimits: CircuitLimits,
  ) {
    this.calls = new LaneCalls(maxRunning, circuitLimits);
  }

  get queued(): number {
    return this.fresh.queue.size + this.retries.queue.size;
  }

  /** Due rows are waiting in the table. */
  get hasBacklog(): boolean {
    return this.fresh.state === 'backlog' || this.retries.state === 'backlog';
  }

  get isReading(): boolean {
    return this.fresh.isReading || this.retries.isReading;
  }

  /** Nothing of it is in memory or about to be, so it can be forgotten. */
  get isAtRest(): boolean {
    return this.claimed === 0 && !this.isReading && !this.hasBacklog && !this.calls.circuit.isPaused;
  }

  source(status: OpenStatus): QueuedSource {
    return status === 'pending' ? this.fresh : this.retries;
  }
}
