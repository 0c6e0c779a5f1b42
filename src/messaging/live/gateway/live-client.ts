import type { RawData, WebSocket } from 'ws';
import { decodeJson, isJsonObject, type JsonObject } from '../../../platform/common/json.js';
import { CloseCode, type LiveSocket } from '../connections/live-socket.js';
import { type ClientFrame, FrameWindow } from '../live-event.js';
import type { LiveLimits } from '../live-limits.js';
import type { LiveActions } from '../actions/live-actions.js';

/** Reads the frames of one socket, and answers them one at a time. Closes the socket on abuse. */
export class LiveClient {
  private tail: Promise<void> = Promise.resolve();
  private pending = 0;
  private readonly frames: FrameWindow;

  constructor(
    private readonly webSocket: WebSocket,
    private readonly socket: LiveSocket,
    private readonly actions: LiveActions,
    private readonly limits: LiveLimits,
  ) {
    this.frames = new FrameWindow(limits.frameWindowMs);
  }

  /** Starts reading, and closes the socket if it does not sign in within the limit. */
  listen(): void {
    const timer = setTimeout(() => {
      if (!this.socket.connection)
        this.socket.close(CloseCode.PolicyViolation, 'This connection is not authenticated.');
    }, this.limits.authenticateWithinMs);
    this.webSocket.once('close', () => clearTimeout(timer));
    this.webSocket.on('error', () => undefined); // on a malformed or oversized frame, `ws` closes by itself
    this.webSocket.on('message', (data, isBinary) => this.receive(data, isBinary));
    this.webSocket.on('ping', (data) => {
      if (this.takesOneMore()) this.socket.pong(data);
    });
    this.webSocket.on('pong', () => this.takesOneMore());
  }

  private receive(data: RawData, isBinary: boolean): void {
    if (!this.socket.isOpen) return;
    if (isBinary) return this.socket.close(CloseCode.BinaryRefused, 'Frames must be JSON text.');
    if (!this.takesOneMore()) return;
    const frame = parseFrame((data as Buffer).toString('utf8'));
    if (!frame) return this.socket.close(CloseCode.MalformedFrame, 'A frame is not a JSON object.');
    this.pending++;
    this.tail = this.tail.then(() => this.answer(frame));
  }

  private async answer(frame: ClientFrame): Promise<void> {
    if (this.socket.isOpen) await this.actions.answer(this.socket, frame);
    this.pending--;
  }

  /** Counts a frame of any kind. Closes the socket if it exceeds the limit. */
  private takesOneMore(): boolean {
    if (!this.socket.isOpen) return false;
    if (!this.isFlooding()) return true;
    this.socket.refuse('Too many frames.');
    return false;
  }

  private isFlooding(): boolean {
    const now = performance.now();
    const ofUser = this.socket.connection?.user.frames.add(now) ?? 0;
    return (
      this.frames.add(now) > this.limits.maxFramesPerWindow ||
      ofUser > this.limits.maxFramesPerUser ||
      this.pending >= this.limits.maxPendingFrames
    );
  }
}

/** Null if the text is not a JSON object. Missing or mistyped fields get a value that LiveActions rejects. */
function parseFrame(text: string): ClientFrame | null {
  let decoded: unknown;
  try {
    decoded = decodeJson(text);
  } catch {
    return null;
  }
  if (!isJsonObject(decoded)) return null;
  const { action, seq, data }: JsonObject = decoded;
  return {
    action: typeof action === 'string' ? action : '',
    seq: Number.isSafeInteger(seq) ? (seq as number) : 0,
    data: isJsonObject(data) ? data : {},
  };
}
