import type { DestinationStream } from 'pino';
import { readableLine } from './readable-line.js';

/** Where text is written, such as standard output. */
interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Where the lines of the log go: readable ones at a terminal, else as they are. Undefined means standard output as is. */
export function logDestination(
  format: 'auto' | 'text' | 'json',
  output: Output,
): DestinationStream | undefined {
  const isText = format === 'text' || (format === 'auto' && output.isTTY === true);
  return isText ? { write: (line) => void output.write(readableLine(line)) } : undefined;
}
