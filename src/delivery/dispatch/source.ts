import type { OpenStatus } from './delivery.entity.js';
import { nextSourceState, type SourceEvent, type SourceState } from './lane-states.js';

/** The rows of one status in the table, of a lane or of a flow. */
export class Source {
  private nextDueAt = Infinity;

  constructor(
    readonly status: OpenStatus,
    private current: SourceState,
  ) {}

  get state(): SourceState {
    return this.current;
  }

  get isReading(): boolean {
    return this.current !== 'clear' && this.current !== 'backlog';
  }

  /** When the table must be read: 0 means now, Infinity never. */
  get dueAt(): number {
    return this.current === 'backlog' ? 0 : this.nextDueAt;
  }

  /** Notes that a row of the table becomes due at that time. */
  expect(dueAt: number): void {
    this.nextDueAt = Math.min(this.nextDueAt, dueAt);
  }

  on(event: SourceEvent): void {
    this.current = nextSourceState(this.current, event);
    if (event === 'readBegins') this.nextDueAt = Infinity; // the read determines it again
  }
}
