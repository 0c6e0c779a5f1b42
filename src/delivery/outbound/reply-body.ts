import type { Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { OutboundFailure } from './outbound-failure.js';

const FIRST_BYTES = 4_096;
const ZLIB_METHOD = 8;

/** Collects the start of a body. It copies, so that many tiny chunks take no more memory than their bytes. */
export class ReplyBody {
  private buffer = Buffer.alloc(0);
  private size = 0;

  constructor(private readonly maxBytes: number) {}

  get soFar(): Buffer {
    return this.buffer.subarray(0, this.size);
  }

  /** Adds as much of a chunk as fits. Returns whether all of it did. */
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

/** The decoder for a content encoding; undefined for none. Throws OutboundFailure for one that was not requested. */
export function decoderOf(encoding: string, start: Buffer): Transform | undefined {
  // With this flush mode an empty body is valid, as in replies without content.
  const finishFlush = constants.Z_SYNC_FLUSH;
  switch (encoding.trim().toLowerCase()) {
    case '':
    case 'identity':
      return undefined;
    case 'gzip':
    case 'x-gzip':
      return createGunzip({ finishFlush });
    case 'deflate':
      // Some servers omit the zlib header, whose first byte names the method; browsers accept that too.
      return ((start[0] ?? 0) & 0x0f) === ZLIB_METHOD
        ? createInflate({ finishFlush })
        : createInflateRaw({ finishFlush });
    case 'br':
      return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH });
    default:
      throw new OutboundFailure('decoding', 'The reply has a content encoding that was not asked for.');
  }
}
