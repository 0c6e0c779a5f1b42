import type { Socket } from 'node:net';
import type { Transform } from 'node:stream';
import type { Dispatcher } from 'undici';
import { GrowingBytes } from '../../platform/common/growing-bytes.js';
import type { CallTarget } from './call-target.js';
import { type ConnectionTimes, NO_STEPS, tellConnection } from './connection-times.js';
import { failureOf } from './failure-of.js';
import { OutboundFailure } from './outbound-failure.js';
import { decoderOf } from './reply-decoder.js';

/** No well-behaved receiver sends more interim replies (1xx). */
const MAX_INTERIM = 20;
const NO_CONTENT = 204;
/** What a reply may take on the wire beyond the limit of its content: headers, and what surrounds the chunks of a body. */
const MAX_OVERHEAD_BYTES = 256 * 1024;

type Headers = Record<string, string | string[] | undefined>;

/** Where the time of a call went until its request was written, in milliseconds; -1 for what did not happen. */
export interface CallTiming extends ConnectionTimes {
  readonly sentMs: number;
}

/** One request and its reply so far, so that a failed call can still report what was received. */
export class Exchange implements Dispatcher.DispatchHandler {
  status = 0;
  headers: Readonly<Record<string, string>> = {};
  /** The reply exceeded the limit. */
  isCut = false;
  firstByteMs = -1;
  /** From the call to the moment in which the request is written; -1 if it never was. */
  sentMs = -1;
  /** What its connection took, if it is the first on it. */
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

  /** Ends the exchange with a failure and closes its connection, if there is one yet. */
  fail(failure: OutboundFailure): void {
    if (this.isOver) return;
    this.end(failure);
    this.reject(failure);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.isOver) return controller.abort(new OutboundFailure('aborted', 'The call is over.'));
    this.sentMs = this.elapsedMs;
    tellConnection((socket, steps) => {
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
    // Such a reply has no body, whatever length its headers announce.
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

  /** Counts all bytes of the reply: there may be any number without content, such as extensions of chunks or empty blocks. */
  private countArrivals(socket: Socket): void {
    const last = socket.bytesRead + this.maxReplyBytes + MAX_OVERHEAD_BYTES;
    const count = (): void => {
      if (socket.bytesRead <= last) return;
      if (this.status !== 0) this.cut();
      else this.fail(new OutboundFailure('protocol', 'The receiver sent too much before its reply.'));
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
    // An encoded body may end before the reply does. Nobody wants the rest.
    if (this.isReceived) this.isOver = true;
    else this.end(new OutboundFailure('aborted', 'The rest of the reply has no meaning.'));
    this.resolve();
  }

  private end(reason: OutboundFailure): void {
    this.isOver = true;
    this.stopCounting();
    this.decoder?.destroy();
    this.controller?.abort(reason);
  }
}

/** The headers by lower-case name; the last value of repeated ones. */
function flatten(headers: Headers): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const last = Array.isArray(value) ? value.at(-1) : value;
    if (last !== undefined) flat[name] = last;
  }
  return flat;
}
