import type { Writable } from 'node:stream';
import type { WebSocket } from 'ws';
import type { EventFrames } from '../live-event.js';
import type { LiveLimits } from '../live-limits.js';
import type { LiveConnection } from './live-connection.js';

export const CloseCode = {
  GoingAway: 1001,
  BinaryRefused: 1003,
  MalformedFrame: 1007,
  PolicyViolation: 1008,
  ServerError: 1011,
  TryAgainLater: 1013,
} as const;

/** Frames are batched up to this size. Only bytes still unsent after that count as backlog. */
const MAX_BATCH_BYTES = 32 * 1024;
/** Streams written to before other work of the event loop goes on. */
const STREAMS_AT_A_TIME = 256;

export interface ResumePoint {
  readonly connectionId: string;
  readonly seq: number;
}

interface SocketOrigin {
  readonly address: string;
  readonly resume: ResumePoint | undefined;
}

/** One WebSocket: its connection, its liveness, and its send buffer. */
export class LiveSocket {
  connection: LiveConnection | undefined;
  lastSeenAt = performance.now();
  private lastPingAt = performance.now();

  constructor(
    private readonly socket: WebSocket,
    private readonly stream: Writable,
    private readonly batch: WriteBatch,
    private readonly limits: LiveLimits,
    readonly origin: SocketOrigin,
  ) {
    const seen = (): void => {
      this.lastSeenAt = performance.now();
    };
    socket.on('message', seen).on('ping', seen).on('pong', seen);
  }

  get isSlow(): boolean {
    return this.socket.bufferedAmount > this.limits.slowBytes;
  }

  private get room(): number {
    const { maxBufferedBytes, maxBufferedPerUser } = this.limits;
    return Math.min(maxBufferedBytes, maxBufferedPerUser / (this.connection?.user.socketCount ?? 1));
  }

  get isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }

  get isClosed(): boolean {
    return this.socket.readyState === this.socket.CLOSED;
  }

  /** Sends a text, or disconnects the client if too many bytes are still unsent. Does nothing once closed. */
  send(text: string): void {
    if (this.hasRoom()) this.socket.send(text, ignoreError);
  }

  /** Like `send`, but bypasses `ws`, which would build a frame per client. */
  sendEvent(event: EventFrames, seq: number): void {
    if (!this.hasRoom()) return;
    this.stream.write(event.start, ignoreError);
    this.stream.write(event.end(seq), 'latin1', ignoreError);
  }

  private hasRoom(): boolean {
    if (!this.isOpen) return false;
    if (this.socket.bufferedAmount > MAX_BATCH_BYTES) this.batch.release(this.stream);
    else this.batch.hold(this.stream);
    if (!this.isSlow || this.socket.bufferedAmount <= this.room) return true;
    this.socket.terminate();
    return false;
  }

  /** Terminates a dead socket; otherwise pings it when due. Returns whether it sent a ping. */
  checkPulse(now: number): boolean {
    if (now - this.lastSeenAt > this.limits.deadAfterMs) {
      this.socket.terminate();
      return false;
    }
    if (now - this.lastPingAt < this.limits.pingEveryMs || !this.isOpen) return false;
    this.lastPingAt = now;
    this.socket.ping(undefined, undefined, ignoreError);
    return true;
  }

  /** Answers a ping, unless too much is unsent: not every ping needs a pong (RFC 6455, 5.5.3). */
  pong(data: Buffer): void {
    if (this.isOpen && !this.isSlow) this.socket.pong(data, undefined, ignoreError);
  }

  /** Closes the socket of a misbehaving client and stops reading from it. */
  refuse(reason: string): void {
    this.close(CloseCode.PolicyViolation, reason);
    this.socket.pause();
  }

  /** Starts the closing handshake, and terminates the socket if the client does not complete it. */
  close(code: number, reason: string): void {
    this.socket.close(code, reason);
    setTimeout(() => this.socket.terminate(), this.limits.closeWithinMs).unref();
  }

  terminate(): void {
    this.socket.terminate();
  }
}

/** Write errors can be ignored: the socket's `close` event follows. */
function ignoreError(): void {}

/** Combines the frames written to a stream in one tick into a single write. */
export class WriteBatch {
  private readonly held = new Set<Writable>();

  /** Buffers writes to the stream until the next event loop tick. */
  hold(stream: Writable): void {
    if (this.held.has(stream)) return;
    if (this.held.size === 0) setImmediate(() => this.releaseAll());
    this.held.add(stream);
    stream.cork();
  }

  /** Sends the buffered writes now. */
  release(stream: Writable): void {
    if (this.held.delete(stream)) stream.uncork();
  }

  private releaseAll(): void {
    for (const stream of [...this.held].slice(0, STREAMS_AT_A_TIME)) this.release(stream);
    if (this.held.size > 0) setImmediate(() => this.releaseAll());
  }
}
