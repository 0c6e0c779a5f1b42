/** How a call failed, in words that attempt rows and metrics carry. */
export type OutboundErrorClass =
  | 'bad_url'
  | 'refused_address'
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'reset'
  | 'protocol'
  | 'decoding'
  | 'aborted';

/** What had come of a reply when the call failed. */
export interface PartialReply {
  /** 0 when no status line came. */
  readonly status: number;
  /** -1 when no byte came. */
  readonly firstByteMs: number;
  readonly durationMs: number;
  readonly body: Buffer;
}

const NOTHING: PartialReply = { status: 0, firstByteMs: -1, durationMs: 0, body: Buffer.alloc(0) };

/** A call that did not end with a whole reply. The message is a sentence for people and holds no secret. */
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
