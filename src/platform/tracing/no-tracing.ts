import { type Span, Tracing } from './tracing.js';

const NO_SPAN: Span = { traceparent: '', set: () => undefined, end: () => undefined };

/** Makes no traces. */
export class NoTracing extends Tracing {
  override readonly isOn = false;
  override readonly current = undefined;

  override start(): Span {
    return NO_SPAN;
  }

  override within<T>(_traceparent: string, work: () => T): T {
    return work();
  }

  override remember(): void {}

  override recall(): undefined {}
}
