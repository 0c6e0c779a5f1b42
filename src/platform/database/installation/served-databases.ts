import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { makeFolder } from '../../common/files.js';
import type { Settings } from '../../config/settings.js';
import { InstallationRow } from './installation.entity.js';

const FILE = 'databases.json';

/** A database that was in use is empty. The message is shown to the person who started the server. */
export class DatabaseLost extends Error {
  override readonly name = 'DatabaseLost';
}

/**
 * DATA_DIR/databases.json: the ids of the databases that were served from this data folder, by their addresses. It is
 * written when a start has filled its database, so a first start that was cut short leaves nothing behind.
 */
export class ServedDatabases {
  readonly path: string;

  constructor(private readonly settings: Pick<Settings, 'databaseUrl' | 'dataDir'>) {
    this.path = join(settings.dataDir, FILE);
  }

  /** Before the migrations. Throws DatabaseLost if the database was in use, and nothing is in it any more. */
  async requireNotLost(dataSource: DataSource): Promise<void> {
    if (this.read()[this.address] === undefined || !(await isEmpty(dataSource))) return;
    throw new DatabaseLost(
      `${this.path} says that ${this.name} was in use before, but it is empty now. Put it back (hookline.db goes ` +
        'together with hookline.db-wal), or restore a backup with "npm run restore -- FILE"; to begin anew, set ' +
        'BOOTSTRAP=force for one start.',
    );
  }

  /** Remembers that the database is in use. Throws the errors of the file system. */
  async remember(dataSource: DataSource): Promise<void> {
    const [row] = await dataSource.getRepository(InstallationRow).find({ order: { id: 'ASC' }, take: 1 });
    const served = this.read();
    if (!row || served[this.address] === row.id) return;
    makeFolder(this.settings.dataDir, 0o700);
    const text = JSON.stringify({ ...served, [this.address]: row.id }, null, 2);
    writeFileSync(`${this.path}.new`, `${text}\n`, { mode: 0o600, flush: true });
    renameSync(`${this.path}.new`, this.path);
  }

  /** Where the database is, without user and password. */
  private get address(): string {
    const { databaseUrl } = this.settings;
    if (databaseUrl === undefined) return 'hookline.db';
    const { hostname, port, pathname } = new URL(databaseUrl);
    return `mysql://${hostname}:${port || '3306'}${pathname}`;
  }

  private get name(): string {
    return this.settings.databaseUrl === undefined
      ? `the database in ${this.settings.dataDir}`
      : `the database ${this.address}`;
  }

  /** Empty if the file is missing or damaged: then nothing is known. */
  private read(): Readonly<Record<string, unknown>> {
    try {
      return JSON.parse(readFileSync(this.path, 'utf8')) as Record<string, unknown>;
    } catch {
      return {};
    }
  }
}

/** Whether no migration has ever run. */
async function isEmpty(dataSource: DataSource): Promise<boolean> {
  const runner = dataSource.createQueryRunner();
  try {
    if (!(await runner.hasTable('migrations'))) return true;
    return ((await runner.query('SELECT name FROM migrations LIMIT 1')) as unknown[]).length === 0;
  } finally {
    await runner.release();
  }
}
