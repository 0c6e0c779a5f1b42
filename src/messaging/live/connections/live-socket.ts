import type { Writable } from 'node:stream';
import type { WebSocket } from 'ws';
import type { EventFrames } from '../frames.js';
import type { LiveLimits } from '../live-limits.js';
import type { LiveConnection } from './live-connection.js';
import type { WriteBatch } from './write-batch.js';

/** The WebSocket close codes that the server uses. */
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

/** Where a client wants to resume a lost connection. */
export interface ResumePoint {
  readonly connectionId: string;
  /** The number of the next event that it expects. */
  readonly seq: number;
}

/** Where a socket comes from. */
export interface SocketOrigin {
  /** The client's address as limits count it. */
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

  /** Whether droppable events should be skipped. */
  get isSlow(): boolean {
    return this.socket.bufferedAmount > this.limits.slowBytes;
  }

  /** How many bytes may be unsent. */
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

  /** Sends an event in the same way, past `ws`, which would make a frame of it for each client. */
  sendEvent(event: EventFrames, seq: number): void {
    if (!this.hasRoom()) return;
    this.stream.write(event.start, ignoreError);
    this.stream.write(event.end(seq), 'latin1', ignoreError);
  }

  /** Whether it may send more. A client for which too many bytes are unsent is disconnected. */
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

  /** Answers a ping. Pings ask for nothing else: one that finds much unsent gets no answer of its own (RFC 6455, 5.5.3). */
  pong(data: Buffer): void {
    if (this.isOpen && !this.isSlow) this.socket.pong(data, undefined, ignoreError);
  }

  /** Closes the socket of a client that breaks the rules, and reads nothing more from it. */
  refuse(reason: string): void {
    this.close(CloseCode.PolicyViolation, reason);
    this.socket.pause();
  }

  /** Says goodbye, and cuts the connection of a client that does not. */
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
