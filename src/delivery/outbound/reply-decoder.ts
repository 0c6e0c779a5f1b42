import type { Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { OutboundFailure } from './outbound-failure.js';

const ZLIB_METHOD = 8;

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
