import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { SqliteError } from './sqlite-error.js';

/**
 * Brings a write-ahead log to the disk in another thread, so that the event loop goes on meanwhile. Commits that wait at the
 * same time share a flush.
 */
export class LogFlush {
  private file: number | undefined;
  private running: Promise<void> | undefined;
  private next: Promise<void> | undefined;
  private mustWriteBack = false;

  /** `writeBack` moves all of the log into the database file and flushes that, or throws. */
  constructor(
    private readonly path: string,
    private readonly writeBack: () => void,
    private readonly flushFile: (file: number) => Promise<void> = promisify(fdatasync),
  ) {}

  /** Resolves once all that was committed before is on the disk. Throws SqliteError if that is unknown. */
  flush(): Promise<void> {
    if (!this.running) return this.start();
    const start = (): Promise<void> => this.start();
    return (this.next ??= this.running.then(start, start)); // the running one may have begun before the commit
  }

  /** Call it when nobody waits for a flush any more. */
  close(): void {
    if (this.file !== undefined) closeSync(this.file);
    this.file = undefined;
  }

  private start(): Promise<void> {
    this.next = undefined;
    const running = this.flushOnce().finally(() => {
      if (this.running === running) this.running = undefined;
    });
    return (this.running = running);
  }

  /** A system may report once that it could not write, and forget what: the log alone is not trusted with that again. */
  private async flushOnce(): Promise<void> {
    try {
      if (this.mustWriteBack) this.writeBack();
      else await this.flushFile((this.file ??= openSync(this.path, 'r+')));
      this.mustWriteBack = false;
    } catch (error) {
      this.mustWriteBack = true;
      throw new SqliteError('The database log could not be flushed.', 'SQLITE_IOERR_FSYNC', error);
    }
  }
}
