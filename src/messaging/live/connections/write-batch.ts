import type { Writable } from 'node:stream';
import { loopTurn } from '../../../platform/common/loop-turn.js';

/**
 * Sends all frames that are written to a stream in one turn of the event loop in a single write. Where there are many
 * streams, whatever else has arrived comes between them.
 */
export class WriteBatch {
  private readonly held = new Set<Writable>();

  /** Buffers writes to the stream until the next turn of the event loop. */
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
    for (const stream of this.held) {
      this.release(stream);
      if (loopTurn.isLongInBackground) break;
    }
    if (this.held.size > 0) setImmediate(() => this.releaseAll());
  }
}
