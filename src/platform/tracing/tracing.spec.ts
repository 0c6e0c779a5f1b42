import { formatTraceparent, parseTraceparent } from './tracing.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

describe('traceparent', () => {
  it('is written as it is read', () => {
    for (const flags of ['00', '01']) {
      const text = `00-${TRACE}-${SPAN}-${flags}`;
      const parsed = parseTraceparent(text);
      expect(parsed).toEqual({ traceId: TRACE, spanId: SPAN, traceFlags: Number(flags) });
      expect(formatTraceparent(parsed!)).toBe(text);
    }
  });

  it('can have a later version with more fields and flags', () => {
    expect(parseTraceparent(`cc-${TRACE}-${SPAN}-ff-more`)?.traceFlags).toBe(1);
  });

  it.each([
    '',
    'nothing',
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01-more`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    ` 00-${TRACE}-${SPAN}-01`,
  ])('is not %j', (text) => {
    expect(parseTraceparent(text)).toBeUndefined();
  });
});
