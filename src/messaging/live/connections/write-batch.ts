import type { Writable } from 'node:stream';

/** Lets all frames that one turn of the event loop brings to a connection leave in one write. */
export class WriteBatch {
  private readonly held = new Set<Writable>();

  /** What is written to the stream from now on waits until the event loop turns. */
  hold(stream: Writable): void {
    if (this.held.has(stream)) return;
    if (this.held.size === 0) setImmediate(() => this.releaseAll());
    this.held.add(stream);
    stream.cork();
  }

  /** Sends now what was held. */
  release(stream: Writable): void {
    if (this.held.delete(stream)) stream.uncork();
  }

  private releaseAll(): void {
    for (const stream of this.held) stream.uncork();
    this.held.clear();
  }
}
