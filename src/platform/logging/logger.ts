import { inspect } from 'node:util';
import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, type Logger as Pino, pino } from 'pino';

/** Nest's own startup messages; useful only for debugging the wiring. */
const WIRING = new Set([
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestFactory',
  'NestApplication',
]);

const MAX_LENGTH = 8_192;

/** Truncates text for a log line, since it may contain external input. */
export function shortened(text: string): string {
  return text.length <= MAX_LENGTH
    ? text
    : `${text.slice(0, MAX_LENGTH)}… (${text.length - MAX_LENGTH} more characters)`;
}

/** The fields of a line, each limited in size. Objects are written as text. */
function boundedFields(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, bounded(value)]));
}

function bounded(value: unknown): unknown {
  if (typeof value === 'string') return shortened(value);
  return typeof value === 'object' && value !== null ? shortened(inspect(value, { depth: 1 })) : value;
}

/** Structured logs on standard output: one JSON object per line, each limited in size. */
export class JsonLogger implements LoggerService {
  readonly pino: Pino;

  /** `fields` are added to each line. */
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
    const name = String(context).replace(/^_/, ''); // esbuild renames classes of packages
    const level = WIRING.has(name) ? 'debug' : 'info';
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

type Fields = Record<string, unknown>;

/** Characters that a terminal would interpret, such as escape codes or line breaks that forge a line. */
const CONTROL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Formats a line of the JSON log for people: time, level, context, message, and the other fields. */
export function readableLine(json: string): string {
  const { time, level, context, msg, stack, ...fields } = JSON.parse(json) as Fields;
  const { text, rest } = msg === 'request' ? request(fields) : { text: plain(msg), rest: fields };
  const parts = [
    clock(time),
    plain(level).toUpperCase().padEnd(5),
    context === undefined ? '' : `[${plain(context)}]`,
    text,
    ...Object.entries(rest).map(([name, value]) => `${plain(name)}=${plain(value)}`),
  ];
  return `${parts.filter((part) => part !== '').join(' ')}\n${stack === undefined ? '' : indented(stack)}`;
}

/** The text for an answered request: method, route, status and duration. */
function request({ method, route, status, ms, ...rest }: Fields): { text: string; rest: Fields } {
  return { text: `${plain(method)} ${plain(route)} ${plain(status)} in ${plain(ms)} ms`, rest };
}

function clock(time: unknown): string {
  const date = new Date(String(time));
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}

function indented(stack: unknown): string {
  return String(stack)
    .split('\n')
    .map((line) => `    ${plain(line.trim())}\n`)
    .join('');
}

function plain(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.replace(CONTROL, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).padStart(4, '0');
    return character === '\n' ? '\\n' : `\\u${code}`;
  });
}

interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** The log destination: readable lines at a terminal. Undefined means plain standard output. */
export function logDestination(
  format: 'auto' | 'text' | 'json',
  output: Output,
): DestinationStream | undefined {
  const isText = format === 'text' || (format === 'auto' && output.isTTY === true);
  return isText ? { write: (line) => void output.write(readableLine(line)) } : undefined;
}
