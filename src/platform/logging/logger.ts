import { inspect } from 'node:util';
import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, type Logger as Pino, pino } from 'pino';

/** Nest's own messages at start; useful only for debugging the wiring. */
const WIRING = new Set([
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestFactory',
  'NestApplication',
]);

const MAX_LENGTH = 8_192;

/** The text as far as a line may hold it: parts of it may come from outside. */
export function shortened(text: string): string {
  return text.length <= MAX_LENGTH
    ? text
    : `${text.slice(0, MAX_LENGTH)}… (${text.length - MAX_LENGTH} more characters)`;
}

/** The fields of a line, each bounded. What is no plain value is written as text. */
function boundedFields(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, bounded(value)]));
}

function bounded(value: unknown): unknown {
  if (typeof value === 'string') return shortened(value);
  return typeof value === 'object' && value !== null ? shortened(inspect(value, { depth: 1 })) : value;
}

/** Structured logs on standard output: one JSON object per line, each bounded in size. */
export class JsonLogger implements LoggerService {
  readonly pino: Pino;

  /** Each line has the `fields` too. */
  constructor(level: string, destination?: DestinationStream, fields?: Readonly<Record<string, unknown>>) {
    const options = {
      level,
      base: fields,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label: string) => ({ level: label }), log: boundedFields },
    };
    this.pino = destination ? pino(options, destination) : pino(options);
  }

  log(message: unknown, context?: unknown): void {
    const level = typeof context === 'string' && WIRING.has(context) ? 'debug' : 'info';
    this.pino[level]({ context }, shortened(String(message)));
  }

  error(message: unknown, ...stackAndContext: unknown[]): void {
    const context = stackAndContext.at(-1);
    const hasStack = stackAndContext.length > 1;
    const stack = hasStack ? stackAndContext[0] : message instanceof Error ? message.stack : undefined;
    this.pino.error({ context, ...(stack ? { stack } : {}) }, shortened(String(message)));
  }

  warn(message: unknown, context?: unknown): void {
    this.pino.warn({ context }, shortened(String(message)));
  }

  debug(message: unknown, context?: unknown): void {
    this.pino.debug({ context }, shortened(String(message)));
  }

  verbose(message: unknown, context?: unknown): void {
    this.pino.trace({ context }, shortened(String(message)));
  }
}
