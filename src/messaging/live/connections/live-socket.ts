import type { Writable } from 'node:stream';
import type { WebSocket } from 'ws';
import type { LiveLimits } from '../live-limits.js';
import type { LiveConnection } from './live-connection.js';
import type { WriteBatch } from './write-batch.js';

/** The codes with which the server closes sockets. */
export const CloseCode = {
  GoingAway: 1001,
  BinaryRefused: 1003,
  MalformedFrame: 1007,
  PolicyViolation: 1008,
  ServerError: 1011,
  TryAgainLater: 1013,
} as const;

/** What waits for company before it is sent; a client is judged by what is left after that. */
const MAX_BATCH_BYTES = 32 * 1024;

/** Where a client that lost its connection wants to go on. */
export interface ResumePoint {
  readonly connectionId: string;
  /** The number of the next event it expects. */
  readonly seq: number;
}

/** One WebSocket: whose it is, its pulse, and what waits to be sent. */
export class LiveSocket {
  connection: LiveConnection | undefined;
  lastSeenAt = performance.now();
  private lastPingAt = performance.now();

  constructor(
    private readonly socket: WebSocket,
    private readonly stream: Writable,
    private readonly batch: WriteBatch,
    private readonly limits: LiveLimits,
    readonly resume: ResumePoint | undefined,
  ) {
    const seen = (): void => {
      this.lastSeenAt = performance.now();
    };
    socket.on('message', seen).on('ping', seen).on('pong', seen);
  }

  /** Whether less important events should be spared it. */
  get isSlow(): boolean {
    return this.socket.bufferedAmount > this.limits.slowBytes;
  }

  get isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }

  get isClosed(): boolean {
    return this.socket.readyState === this.socket.CLOSED;
  }

  /** Sends, unless the client takes in so little that too much waits already: then it is disconnected. */
  send(text: string): void {
    if (this.socket.readyState !== this.socket.OPEN) return;
    if (this.socket.bufferedAmount > MAX_BATCH_BYTES) this.batch.release(this.stream);
    else this.batch.hold(this.stream);
    if (this.socket.bufferedAmount > this.limits.maxBufferedBytes) return this.socket.terminate();
    this.socket.send(text, ignoreError);
  }

  /** Ends a dead socket; asks for a sign of life when it is time, and tells so. */
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

  close(code: number, reason: string): void {
    this.socket.close(code, reason);
  }

  terminate(): void {
    this.socket.terminate();
  }
}

/** A write to a socket that is gone; its `close` event says so to those who care. */
function ignoreError(): void {}
