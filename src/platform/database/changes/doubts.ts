const TRY_EVERY_MS = 250;

/**
 * Commits with an unknown outcome. They are settled once a statement sent after them is stored: by then the
 * database has completed or abandoned everything sent before.
 */
export class Doubts {
  private count = 0;
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;

  constructor(
    private readonly storeMark: () => Promise<void>,
    private readonly onSettled: () => void,
  ) {}

  get areOpen(): boolean {
    return this.count > 0;
  }

  add(): void {
    if (this.count++ === 0) this.tryLater();
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  private tryLater(): void {
    if (!this.isStopped) this.timer = setTimeout(() => void this.settle(), TRY_EVERY_MS).unref();
  }

  private async settle(): Promise<void> {
    const known = this.count;
    try {
      await this.storeMark();
    } catch {
      return this.tryLater();
    }
    this.count -= known;
    if (this.count > 0) return this.tryLater();
    this.onSettled();
  }
}
