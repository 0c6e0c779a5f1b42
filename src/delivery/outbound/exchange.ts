import type { Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import type { Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import { failureOf, OutboundFailure } from './outbound-failure.js';
import { GrowingBytes } from '../../platform/common/growing-bytes.js';
import type { CallTarget } from './outbound-client.js';
import { type ConnectionTimes, NO_STEPS, onNextConnection } from './connection-times.js';

const ZLIB_METHOD = 8;

/** The decoder for a content encoding, or undefined. Throws OutboundFailure for unrequested encodings. */
function decoderOf(encoding: string, start: Buffer): Transform | undefined {
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
      // Some servers omit the zlib header, whose first byte names the method; browsers accept this too.
      return ((start[0] ?? 0) & 0x0f) === ZLIB_METHOD
        ? createInflate({ finishFlush })
        : createInflateRaw({ finishFlush });
    case 'br':
      return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH });
    default:
      throw new OutboundFailure('decoding', 'The reply has a content encoding that was not requested.');
  }
}

/** Well-behaved receivers send fewer interim (1xx) replies. */
const MAX_INTERIM = 20;
const NO_CONTENT = 204;
/** Bytes on the wire allowed beyond the content limit, for headers and chunk framing. */
const MAX_OVERHEAD_BYTES = 256 * 1024;

type Headers = Record<string, string | string[] | undefined>;

/** Where the time went until a call's request was written, in milliseconds; -1 for skipped steps. */
export interface CallTiming extends ConnectionTimes {
  readonly sentMs: number;
}

/** One request and its reply so far, so that a failed call can still report what was received. */
export class Exchange implements Dispatcher.DispatchHandler {
  status = 0;
  headers: Readonly<Record<string, string>> = {};
  isCut = false;
  firstByteMs = -1;
  /** Time from the call until the request was written; -1 if it never was. */
  sentMs = -1;
  /** The times of the connection, if this is its first exchange. */
  connection: ConnectionTimes = NO_STEPS;
  /** Resolves when the reply is complete or cut off; rejects with OutboundFailure. */
  readonly over: Promise<void>;

  private readonly startedAt = performance.now();
  private readonly reply: GrowingBytes;
  private decoder: Transform | undefined;
  private interim = 0;
  private hasBegun = false;
  private isOver = false;
  private isReceived = false;
  private stopCounting: () => void = () => undefined;
  private controller: Dispatcher.DispatchController | undefined;
  private resolve!: () => void;
  private reject!: (failure: OutboundFailure) => void;

  constructor(
    readonly target: CallTarget,
    private readonly maxReplyBytes: number,
  ) {
    this.reply = new GrowingBytes(maxReplyBytes);
    this.over = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    this.over.catch(() => undefined); // it may reject before anyone awaits it
  }

  get body(): Buffer {
    return this.reply.soFar;
  }

  get timing(): CallTiming {
    return { ...this.connection, sentMs: this.sentMs };
  }

  get elapsedMs(): number {
    return performance.now() - this.startedAt;
  }

  fail(failure: OutboundFailure): void {
    if (this.isOver) return;
    this.end(failure);
    this.reject(failure);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.isOver) return controller.abort(new OutboundFailure('aborted', 'The call has ended.'));
    this.sentMs = this.elapsedMs;
    onNextConnection((socket, steps) => {
      this.connection = steps;
      this.countArrivals(socket);
    });
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    if (status < 200) {
      this.interim += 1;
      if (this.interim > MAX_INTERIM)
        this.fail(new OutboundFailure('protocol', 'The receiver sent too many interim replies.'));
      return;
    }
    this.firstByteMs = this.elapsedMs;
    this.status = status;
    this.headers = flatten(headers);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.hasBegun) this.begin(chunk);
    if (this.isOver) return;
    if (!this.decoder) return this.take(chunk);
    if (this.decoder.write(chunk)) return;
    controller.pause();
    this.decoder.once('drain', () => controller.resume());
  }

  onResponseEnd(): void {
    this.isReceived = true;
    this.stopCounting();
    if (this.decoder) this.decoder.end();
    else this.finish();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.isReceived = true;
    this.stopCounting();
    // A 204 reply has no body, no matter what length its headers announce.
    if (this.status === NO_CONTENT) this.finish();
    else this.fail(failureOf(error));
  }

  private begin(chunk: Buffer): void {
    this.hasBegun = true;
    try {
      this.decoder = decoderOf(this.headers['content-encoding'] ?? '', chunk);
    } catch (error) {
      return this.fail(failureOf(error));
    }
    this.decoder
      ?.on('data', (piece: Buffer) => this.take(piece))
      .on('end', () => this.finish())
      .on('error', (error) => this.fail(failureOf(error)));
  }

  private take(chunk: Buffer): void {
    if (!this.isOver && !this.reply.add(chunk)) this.cut();
  }

  /** Counts all bytes received: chunk extensions and empty blocks can be endless without any content. */
  private countArrivals(socket: Socket): void {
    const last = socket.bytesRead + this.maxReplyBytes + MAX_OVERHEAD_BYTES;
    const count = (): void => {
      if (socket.bytesRead <= last) return;
      if (this.status !== 0) this.cut();
      else this.fail(new OutboundFailure('protocol', 'The receiver sent too much data before its reply.'));
    };
    socket.on('readable', count);
    this.stopCounting = () => socket.off('readable', count);
  }

  private cut(): void {
    if (this.isOver) return;
    this.isCut = true;
    this.end(new OutboundFailure('aborted', 'The reply exceeds the size limit.'));
    this.resolve();
  }

  private finish(): void {
    if (this.isOver) return;
    // An encoded body may end before the reply does. The rest is discarded.
    if (this.isReceived) this.isOver = true;
    else this.end(new OutboundFailure('aborted', 'The reply is followed by unexpected data.'));
    this.resolve();
  }

  private end(reason: OutboundFailure): void {
    this.isOver = true;
    this.stopCounting();
    this.decoder?.destroy();
    this.controller?.abort(reason);
  }
}

/** The headers by lower-case name; repeated headers keep their last value. */
function flatten(headers: Headers): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const last = Array.isArray(value) ? value.at(-1) : value;
    if (last !== undefined) flat[name] = last;
  }
  return flat;
}
