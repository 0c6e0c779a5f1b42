/** A first-come, first-served lock. `acquire` resolves to the function that releases it, or rejects after `timeoutMs`. */
export class ConnectionLock {
  private held = false;
  private readonly waiting: (() => void)[] = [];

  get isHeld(): boolean {
    return this.held;
  }

  get waitingCount(): number {
    return this.waiting.length;
  }

  async acquire(timeoutMs: number): Promise<() => void> {
    if (this.held) await this.wait(timeoutMs);
    this.held = true;
    let released = false;
    return () => {
      if (released) return;
      released = true;
      this.held = false;
      const next = this.waiting.shift();
      if (next) {
        this.held = true; // handed over at once, so that no other caller gets in between
        next();
      }
    };
  }

  private wait(timeoutMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const grant = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        const index = this.waiting.indexOf(grant);
        if (index >= 0) this.waiting.splice(index, 1);
        reject(new Error(`The database connection was not free within ${timeoutMs} ms.`));
      }, timeoutMs);
      this.waiting.push(grant);
    });
  }
}
