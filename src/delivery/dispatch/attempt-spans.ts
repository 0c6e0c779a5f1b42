import { Injectable } from '@nestjs/common';
import { type Span, Tracing } from '../../platform/tracing/tracing.js';
import { TracingSettings } from '../../platform/tracing/tracing.settings.js';
import type { Answer } from './attempt-row.js';
import type { Delivery } from './delivery.entity.js';

/**
 * Makes a span of each call of a delivery. The first one belongs to the commit that stored what it is about, if that was
 * in this process; later ones are traces of their own, with the same delivery id.
 */
@Injectable()
export class AttemptSpans {
  constructor(
    private readonly tracing: Tracing,
    private readonly settings: TracingSettings,
  ) {}

  /** Undefined if there are no traces. */
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

  /** What a call says of its span; empty if it says nothing. */
  traceparentOf(span: Span): string {
    return this.settings.outgoingTraceparent ? span.traceparent : '';
  }

  end(span: Span, { status, failure }: Pick<Answer, 'status' | 'failure'>): void {
    if (status > 0) span.set('http.response.status_code', status);
    span.end(failure?.errorClass ?? (status >= 400 ? String(status) : undefined));
  }

  /** What follows from the call, such as its reply's posts, belongs to it. */
  within<T>(span: Span, work: () => T): T {
    return this.tracing.within(span.traceparent, work);
  }
}
