import type { Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { OutboundFailure } from './outbound-failure.js';

const FIRST_BYTES = 4_096;
const ZLIB_METHOD = 8;

/** The start of a body. Copies, so that many tiny pieces of a hostile reply take no more room than their bytes. */
export class ReplyBody {
  private buffer = Buffer.alloc(0);
  private size = 0;

  constructor(private readonly maxBytes: number) {}

  get soFar(): Buffer {
    return this.buffer.subarray(0, this.size);
  }

  /** Whether everything so far fitted; of a piece that does not, the start is kept. */
  add(chunk: Buffer): boolean {
    const taken = Math.min(chunk.length, this.maxBytes - this.size);
    this.reserve(this.size + taken);
    chunk.copy(this.buffer, this.size, 0, taken);
    this.size += taken;
    return taken === chunk.length;
  }

  private reserve(size: number): void {
    if (size <= this.buffer.length) return;
    const grown = Buffer.allocUnsafeSlow(
      Math.min(this.maxBytes, Math.max(FIRST_BYTES, size, this.buffer.length * 2)),
    );
    this.buffer.copy(grown, 0, 0, this.size);
    this.buffer = grown;
  }
}

/** What undoes the content encoding of a body that begins so; undefined when there is none. Throws when it was not asked for. */
export function decoderOf(encoding: string, start: Buffer): Transform | undefined {
  // A flush at the end takes an empty body, which replies without content have, as what it is.
  const finishFlush = constants.Z_SYNC_FLUSH;
  switch (encoding.trim().toLowerCase()) {
    case '':
    case 'identity':
      return undefined;
    case 'gzip':
    case 'x-gzip':
      return createGunzip({ finishFlush });
    case 'deflate':
      // Some servers leave out the frame of zlib, whose first byte names the method; browsers take that as well.
      return ((start[0] ?? 0) & 0x0f) === ZLIB_METHOD
        ? createInflate({ finishFlush })
        : createInflateRaw({ finishFlush });
    case 'br':
      return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH });
    default:
      throw new OutboundFailure('decoding', 'The reply has a content encoding that was not asked for.');
  }
}
