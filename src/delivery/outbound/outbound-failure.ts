import { NO_STEPS } from './connection-times.js';
import type { CallTiming } from './exchange.js';

/** How a call can fail, as shown in attempt rows and metrics. `aborted` (on shutdown) is never stored. */
export const OUTBOUND_ERROR_CLASSES = [
  'bad_url',
  'refused_address',
  'dns',
  'connect',
  'tls',
  'timeout',
  'reset',
  'protocol',
  'decoding',
  'token',
  'aborted',
] as const;
export type OutboundErrorClass = (typeof OUTBOUND_ERROR_CLASSES)[number];

export interface PartialReply {
  /** 0 if there was no status line. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** -1 if nothing was received. */
  readonly firstByteMs: number;
  readonly durationMs: number;
  readonly body: Buffer;
  readonly timing: CallTiming;
}

export const NOTHING: PartialReply = {
  status: 0,
  headers: {},
  firstByteMs: -1,
  durationMs: 0,
  body: Buffer.alloc(0),
  timing: { ...NO_STEPS, sentMs: -1 },
};

/** A call without a complete reply. The message is a human-readable sentence without secrets. */
export class OutboundFailure extends Error {
  override readonly name = 'OutboundFailure';
  constructor(
    readonly errorClass: OutboundErrorClass,
    message: string,
    readonly partial: PartialReply = NOTHING,
  ) {
    super(message);
  }

  with(partial: PartialReply): OutboundFailure {
    return new OutboundFailure(this.errorClass, this.message, partial);
  }
}

const CLASSES: readonly (readonly [RegExp, OutboundErrorClass, string])[] = [
  [/^UND_ERR_CONNECT_TIMEOUT$/, 'timeout', 'The connection was not established in time'],
  [/^UND_ERR_(HEADERS|BODY)_TIMEOUT$/, 'timeout', 'The reply did not arrive in time'],
  [/^(ENOTFOUND|EAI_|ESERVFAIL|ETIMEOUT$|ENODATA)/, 'dns', 'The host name cannot be resolved'],
  [
    /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL|EACCES|EPERM|EINVAL|ETIMEDOUT)$/,
    'connect',
    'The connection could not be established',
  ],
  [
    /^(UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES_CONTENT_LENGTH_MISMATCH|HPE_|UND_ERR_RESPONSE)/,
    'protocol',
    'The reply is not valid HTTP',
  ],
  [
    /^(Z_|ERR__ERROR_FORMAT|ERR_BROTLI|ERR_BUFFER_TOO_LARGE|ERR_PADDING)/,
    'decoding',
    'The reply cannot be decompressed',
  ],
  [
    /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_OSSL|EPROTO|HOSTNAME_MISMATCH)/,
    'tls',
    'The TLS connection is not trusted or could not be established',
  ],
  [
    /^(ECONNRESET|EPIPE|UND_ERR_SOCKET|ERR_STREAM_PREMATURE_CLOSE|UND_ERR_CLOSED|UND_ERR_DESTROYED)/,
    'reset',
    'The connection was closed before the reply was complete',
  ],
];

/** Converts an error from axios, undici or Node. */
export function failureOf(error: unknown): OutboundFailure {
  if (error instanceof OutboundFailure) return error;
  const inner = innermost(error);
  if (inner instanceof OutboundFailure) return inner;
  const { code: found, message, name } = (inner ?? {}) as Partial<NodeJS.ErrnoException>;
  const code = String(found ?? '');
  // undici uses the same code for a broken connection and a reply that violates the protocol.
  if (message === 'bad response' || message === 'bad upgrade')
    return new OutboundFailure('protocol', `The reply is not valid HTTP (${message}).`);
  // Parser errors often have no code; the reason, from a fixed list, is in parentheses.
  if (name === 'HTTPParserError' && code === '')
    return new OutboundFailure(
      'protocol',
      `The reply is not valid HTTP${/ \([^()]*\)$/.exec(message ?? '')?.[0] ?? ''}.`,
    );
  for (const [pattern, errorClass, sentence] of CLASSES)
    if (pattern.test(code)) return new OutboundFailure(errorClass, `${sentence} (${code}).`);
  return new OutboundFailure('protocol', `The call failed (${code === '' ? 'no code' : code}).`);
}

/** The root cause: several failed addresses result in an AggregateError, and undici and axios wrap errors. */
function innermost(error: unknown): unknown {
  for (let current: unknown = error; ;) {
    if (current instanceof OutboundFailure) return current;
    if (current instanceof AggregateError && current.errors.length > 0)
      current = current.errors[0] as unknown;
    else if (current instanceof Error && current.cause instanceof Error) current = current.cause;
    else return current;
  }
}
