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

/** Structured logs on standard output: one JSON object per line. */
export class JsonLogger implements LoggerService {
  readonly pino: Pino;

  constructor(level: string, destination?: DestinationStream) {
    const options = {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label: string) => ({ level: label }) },
    };
    this.pino = destination ? pino(options, destination) : pino(options);
  }

  log(message: unknown, context?: unknown): void {
    const level = typeof context === 'string' && WIRING.has(context) ? 'debug' : 'info';
    this.pino[level]({ context }, String(message));
  }

  error(message: unknown, ...stackAndContext: unknown[]): void {
    const context = stackAndContext.at(-1);
    const hasStack = stackAndContext.length > 1;
    const stack = hasStack ? stackAndContext[0] : message instanceof Error ? message.stack : undefined;
    this.pino.error({ context, ...(stack ? { stack } : {}) }, String(message));
  }

  warn(message: unknown, context?: unknown): void {
    this.pino.warn({ context }, String(message));
  }

  debug(message: unknown, context?: unknown): void {
    this.pino.debug({ context }, String(message));
  }

  verbose(message: unknown, context?: unknown): void {
    this.pino.trace({ context }, String(message));
  }
}
