const FIRST_BYTES = 4_096;
const NONE = Buffer.alloc(0);

/** Collects bytes that arrive in parts, up to a limit, in one buffer of at most twice their size. */
export class GrowingBytes {
  private buffer: Buffer = NONE;
  private size = 0;

  constructor(private readonly maxBytes: number) {}

  get soFar(): Buffer {
    return this.buffer.subarray(0, this.size);
  }

  get held(): number {
    return this.buffer.length;
  }

  /** Adds as much of a part as fits. Returns whether all of it did. */
  add(part: Buffer): boolean {
    const taken = Math.min(part.length, this.maxBytes - this.size);
    this.reserve(this.size + taken);
    part.copy(this.buffer, this.size, 0, taken);
    this.size += taken;
    return taken === part.length;
  }

  private reserve(size: number): void {
    if (size <= this.buffer.length) return;
    const grown = Buffer.allocUnsafeSlow(
      Math.min(this.maxBytes, Math.max(FIRST_BYTES, size, this.buffer.length * 2)),
    );
    this.buffer.copy(grown, 0, 0, this.size);
    this.buffer = grown;
  }
}
