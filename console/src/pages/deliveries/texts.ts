import type { Attempt } from './delivery-queries';

/** Length of a text in UTF-8 bytes. */
export const bytesIn = (text: string): number => new TextEncoder().encode(text).length;

/** Formats headers, one per line. */
export const headerLines = (headers: object): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join('\n');

/** A part of an attempt, in milliseconds from its start. */
interface TimedStep {
  readonly name: string;
  readonly from: number;
  readonly ms: number;
}

/** The timed steps of an attempt. */
export function stepsOf({ timing, first_byte_ms: firstByte, duration_ms: end }: Attempt): TimedStep[] {
  const { name_ms: name, connect_ms: connect, tls_ms: tls, sent_ms: sent } = timing;
  const steps: TimedStep[] = [];
  let from = 0;
  const add = (step: string, ms: number): void => {
    if (ms < 0) return;
    steps.push({ name: step, from, ms });
    from += ms;
  };
  add('DNS', name);
  add('Connection', connect);
  add('TLS', tls);
  if (sent >= 0) add('Sending', Math.max(0, sent - from));
  if (sent >= 0 && firstByte >= 0) add('First byte', firstByte - sent);
  if (firstByte >= 0) {
    from = firstByte;
    add('Download', end - firstByte);
  }
  return steps;
}
