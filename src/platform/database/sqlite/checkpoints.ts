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
const CHECKPOINT = 'PRAGMA wal_checkpoint(PASSIVE)';
/** JavaScript, because a thread cannot start in the middle of a bundle. It waits for nobody, and nobody for it. */
const THREAD = `
  const { workerData } = require('node:worker_threads');
  const { DatabaseSync } = require(workerData.engine);
  const database = new DatabaseSync(workerData.file);
  database.exec('${CHECKPOINT}');
  database.close();
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

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly settings: Settings,
  ) {}

  onApplicationBootstrap(): void {
    if (this.settings.databaseUrl === undefined) this.task.start(CHECK_EVERY_MS);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.task.stop();
  }

  /** A log keeps its length until the next commit after a checkpoint, so its time says whether there is anything new. */
  private async check(): Promise<void> {
    const file = sqliteFile(this.settings.dataDir);
    const { size, mtimeMs } = await stat(`${file}-wal`);
    if (size < LONG_BYTES || mtimeMs === this.doneUntil) return;
    await checkpoint(file);
    await this.dataSource.query(CHECKPOINT); // what was written meanwhile: the log begins anew only when all is done
    this.doneUntil = mtimeMs;
  }
}

async function checkpoint(file: string): Promise<void> {
  const workerData = { file, engine: require.resolve('@photostructure/sqlite') };
  await once(new Worker(THREAD, { eval: true, workerData, execArgv: [], env: {} }), 'exit'); // rejects with the thread's error
}
