import { Injectable } from '@nestjs/common';
import { type Span, Tracing } from '../../platform/tracing/tracing.js';
import { TracingSettings } from '../../platform/tracing/tracing.settings.js';
import type { Answer } from './attempt-row.js';
import type { Delivery, OpenStatus } from './delivery.entity.js';
import { nextSourceState, type SourceEvent, type SourceState } from './lane-states.js';

/**
 * Creates a span for each call of a delivery. The first belongs to the trace of the commit that stored its
 * subject, if this process made it; later ones are separate traces with the same delivery id.
 */
@Injectable()
export class AttemptSpans {
  constructor(
    private readonly tracing: Tracing,
    private readonly settings: TracingSettings,
  ) {}

  /** Returns undefined if tracing is off. */
  begin({ id, kind, subjectId, attempts }: Delivery): Span | undefined {
    if (!this.tracing.isOn) return undefined;
    return this.tracing.start({
      name: 'attempt',
      kind: 'client',
      parent: attempts === 0 ? this.tracing.recall(subjectId) : undefined,
      attributes: {
        'http.request.method': 'POST',
        'hookline.delivery.id': id,
        'hookline.delivery.kind': kind,
        'hookline.delivery.attempt': attempts + 1,
      },
    });
  }

  /** The `traceparent` header of a call; empty if it is not sent. */
  traceparentOf(span: Span): string {
    return this.settings.outgoingTraceparent ? span.traceparent : '';
  }

  end(span: Span, { status, failure }: Pick<Answer, 'status' | 'failure'>): void {
    if (status > 0) span.set('http.response.status_code', status);
    span.end(failure?.errorClass ?? (status >= 400 ? String(status) : undefined));
  }

  /** Runs work that results from the call, such as posting its reply, within its span. */
  within<T>(span: Span, work: () => T): T {
    return this.tracing.within(span.traceparent, work);
  }
}

/** The rows of one status in the table, for a lane or a flow. */
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

  /** When the table must be read: 0 means now, Infinity means never. */
  get dueAt(): number {
    return this.current === 'backlog' ? 0 : this.nextDueAt;
  }

  /** Records that a row of the table becomes due at the given time. */
  expect(dueAt: number): void {
    this.nextDueAt = Math.min(this.nextDueAt, dueAt);
  }

  on(event: SourceEvent): void {
    this.current = nextSourceState(this.current, event);
    if (event === 'readBegins') this.nextDueAt = Infinity; // the read determines it again
  }
}
