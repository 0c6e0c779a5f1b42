const INTERVAL_MS = 1_000;

/** Prints how far a long run has come, at most once a second: rows, rate and the time left. */
export class ProgressLine {
  private total = 0;
  private startedAt = 0;
  private firstRead = -1;
  private shownAt = 0;

  constructor(private readonly output: { write(text: string): unknown }) {}

  begin(_table: string, total: number): void {
    this.total = total;
    this.startedAt = this.shownAt = Date.now();
    this.firstRead = -1;
  }

  show(table: string, read: number): void {
    if (this.firstRead < 0) this.firstRead = read;
    const now = Date.now();
    if (now - this.shownAt < INTERVAL_MS) return;
    this.shownAt = now;
    const rate = ((read - this.firstRead) * 1_000) / (now - this.startedAt);
    const left = rate > 0 ? Math.max(0, Math.round((this.total - read) / rate)) : 0;
    const share = this.total > 0 ? Math.min(100, Math.floor((read / this.total) * 100)) : 100;
    this.output.write(
      `${table}: ${read.toLocaleString('en-US')} of ${this.total.toLocaleString('en-US')} (${share} %), ${Math.round(rate).toLocaleString('en-US')} a second, ${left} s left\n`,
    );
  }

  end(): void {
    this.total = 0;
  }
}
