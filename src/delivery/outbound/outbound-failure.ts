import { NO_STEPS } from './connection-times.js';
import type { CallTiming } from './exchange.js';

/** How a call can fail, as in attempt rows and metrics. `aborted`, by the end of the process, is never stored. */
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
  'aborted',
] as const;
/** How a call failed. */
export type OutboundErrorClass = (typeof OUTBOUND_ERROR_CLASSES)[number];

/** What was received before the call failed. */
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

/** Nothing was sent, and nothing received. */
export const NOTHING: PartialReply = {
  status: 0,
  headers: {},
  firstByteMs: -1,
  durationMs: 0,
  body: Buffer.alloc(0),
  timing: { ...NO_STEPS, sentMs: -1 },
};

/** A call without a complete reply. The message is a sentence for people and contains no secrets. */
export class OutboundFailure extends Error {
  override readonly name = 'OutboundFailure';
  constructor(
    readonly errorClass: OutboundErrorClass,
    message: string,
    readonly partial: PartialReply = NOTHING,
  ) {
    super(message);
  }

  /** The same failure with what was received. */
  with(partial: PartialReply): OutboundFailure {
    return new OutboundFailure(this.errorClass, this.message, partial);
  }
}
