import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Settings } from '../../config/settings.js';
import { PeriodicTask } from '../periodic-task.js';
import { sqliteFile } from '../data-source.options.js';

const CHECK_EVERY_MS = 500;
const LONG_BYTES = 4 * 1024 * 1024;
const THREAD_IDLES_MS = 10_000;
const CHECKPOINT = 'PRAGMA wal_checkpoint(PASSIVE)';
/** JavaScript, because a thread cannot start in the middle of a bundle. It waits for nobody, and nobody for it. */
const THREAD = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { DatabaseSync } = require(workerData.engine);
  const database = new DatabaseSync(workerData.file);
  const end = () => (database.close(), parentPort.close());
  const idle = setTimeout(end, ${THREAD_IDLES_MS});
  parentPort.on('message', (isEnd) => {
    if (isEnd) return clearTimeout(idle), end();
    database.exec('${CHECKPOINT}');
    idle.refresh();
    parentPort.postMessage('done');
  });
`;

/**
 * Moves long write-ahead logs of the embedded database into its file, in a thread of its own: the commit that does it
 * takes tens of milliseconds for the disk, and all requests with it. If it falls behind, a commit does it all the same
 * (data-source.options.ts).
 */
@Injectable()
export class Checkpoints implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly task = new PeriodicTask(Checkpoints.name, 'The database log cannot be written back.', () =>
    this.check(),
  );
  private doneUntil = 0;
  private thread: Worker | undefined;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly settings: Settings,
  ) {}

  onApplicationBootstrap(): void {
    if (this.settings.databaseUrl === undefined) this.task.start(CHECK_EVERY_MS);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.task.stop();
    if (!this.thread) return;
    const ended = once(this.thread, 'exit');
    this.thread.postMessage(true); // its connection must close before the last one does
    await ended;
  }

  /** A log keeps its length until the next commit after a checkpoint, so its time says whether there is anything new. */
  private async check(): Promise<void> {
    const file = sqliteFile(this.settings.dataDir);
    const { size, mtimeMs } = await stat(`${file}-wal`);
    if (size < LONG_BYTES || mtimeMs === this.doneUntil) return;
    await this.checkpoint(file);
    await this.dataSource.query(CHECKPOINT); // what was written meanwhile: the log begins anew only when all is done
    this.doneUntil = mtimeMs;
  }

  /** Rejects with the error of the thread. If it ends first, the next check starts another. */
  private async checkpoint(file: string): Promise<void> {
    const thread = (this.thread ??= this.startThread(file));
    const cancel = new AbortController();
    const [answered, ended] = ['message', 'exit'].map((event) => once(thread, event, cancel));
    thread.postMessage(false);
    try {
      await Promise.race([answered, ended]);
    } finally {
      cancel.abort();
      await Promise.allSettled([answered, ended]);
    }
  }

  private startThread(file: string): Worker {
    const workerData = { file, engine: require.resolve('@photostructure/sqlite') };
    const thread = new Worker(THREAD, { eval: true, workerData, execArgv: [], env: {} });
    thread.unref();
    thread.on('error', () => undefined); // a checkpoint that waits for it has thrown
    return thread.once('exit', () => (this.thread = undefined));
  }
}
