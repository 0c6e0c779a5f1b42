/** What a `traceparent` says (W3C Trace Context, level 1). */
export interface Traceparent {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
}

const FORMAT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const SAMPLED = 1;

/** Undefined if it is none. Later versions may add fields, which are ignored. */
export function parseTraceparent(text: string): Traceparent | undefined {
  const [, version, traceId = '', spanId = '', flags = '', more] = FORMAT.exec(text) ?? [];
  if (version === undefined || (version === '00' && more !== undefined)) return undefined;
  return { traceId, spanId, traceFlags: parseInt(flags, 16) & SAMPLED };
}

/** The text for a span. */
export function formatTraceparent({ traceId, spanId, traceFlags }: Traceparent): string {
  return `00-${traceId}-${spanId}-${(traceFlags & SAMPLED).toString(16).padStart(2, '0')}`;
}
