import type { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { OutboundFailure } from './outbound-failure.js';

/** The start of a body, and whether there was more. */
export interface BoundedBody {
  readonly body: Buffer;
  readonly isCut: boolean;
}

/** Pieces of a body as they come, so that a call that fails can still show what there was. */
export class BodyReader {
  private readonly chunks: Buffer[] = [];
  private size = 0;

  constructor(private readonly maxBytes: number) {}

  get soFar(): Buffer {
    return Buffer.concat(this.chunks);
  }

  /** Reads to the end or to the cap, whichever comes first; the cap counts after decompression. */
  async read(raw: Readable, encoding: string): Promise<BoundedBody> {
    const decoder = decoderOf(encoding);
    // Errors of the raw stream arrive through the decoder; the end of reading closes both.
    const stream = decoder ? pipeline(raw, decoder, () => undefined) : raw;
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      const room = this.maxBytes - this.size;
      this.chunks.push(chunk.length > room ? Buffer.from(chunk.subarray(0, room)) : chunk);
      this.size += chunk.length;
      if (this.size > this.maxBytes) {
        raw.destroy();
        return { body: this.soFar, isCut: true };
      }
    }
    return { body: this.soFar, isCut: false };
  }
}

function decoderOf(encoding: string): Transform | undefined {
  switch (encoding.trim().toLowerCase()) {
    case '':
    case 'identity':
      return undefined;
    case 'gzip':
    case 'x-gzip':
      return createGunzip({ finishFlush: constants.Z_SYNC_FLUSH });
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      throw new OutboundFailure('decoding', 'The reply has a content encoding that was not asked for.');
  }
}
