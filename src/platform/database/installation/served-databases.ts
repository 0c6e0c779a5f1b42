import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { makeFolder } from '../../common/files.js';
import { Settings } from '../../config/settings.js';
import { InstallationRow } from './installation.entity.js';

const FILE = 'databases.json';

/** A database that was used before is empty now. The message is shown to the operator. */
export class DatabaseLost extends Error {
  override readonly name = 'DatabaseLost';
}

/**
 * DATA_DIR/databases.json: the ids of the databases served from this data folder, by address. Written once a
 * start has filled its database, so an interrupted first start leaves no trace.
 */
@Injectable()
export class ServedDatabases {
  private readonly path: string;

  constructor(
    private readonly settings: Settings,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {
    this.path = join(settings.dataDir, FILE);
  }

  /** Call it before the migrations. Throws DatabaseLost if the database was used before and is now empty. */
  async requireNotLost(): Promise<void> {
    if (this.read()[this.address] === undefined || !(await isEmpty(this.dataSource))) return;
    throw new DatabaseLost(
      `${this.path} records that ${this.name} was in use before, but it is empty now. Restore the files (hookline.db ` +
        'and hookline.db-wal), or restore a backup with "npm run restore -- FILE"; to start over, set ' +
        'BOOTSTRAP=force for one start.',
    );
  }

  /** Records that the database is in use. Best effort: otherwise only its loss would go unnoticed. */
  async remember(): Promise<void> {
    try {
      await this.write();
    } catch (error) {
      const { code, path } = error as NodeJS.ErrnoException;
      if (path === undefined) throw error;
      new Logger('Database').warn(
        `${this.path} cannot be written (${code}), so a lost database would not be noticed.`,
      );
    }
  }

  private async write(): Promise<void> {
    const [row] = await this.dataSource
      .getRepository(InstallationRow)
      .find({ order: { id: 'ASC' }, take: 1 });
    const served = this.read();
    if (!row || served[this.address] === row.id) return;
    makeFolder(this.settings.dataDir, 0o700);
    const text = JSON.stringify({ ...served, [this.address]: row.id }, null, 2);
    writeFileSync(`${this.path}.new`, `${text}\n`, { mode: 0o600, flush: true });
    renameSync(`${this.path}.new`, this.path);
  }

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

  /** Empty if the file is missing or damaged. */
  private read(): Readonly<Record<string, unknown>> {
    try {
      return JSON.parse(readFileSync(this.path, 'utf8')) as Record<string, unknown>;
    } catch {
      return {};
    }
  }
}

async function isEmpty(dataSource: DataSource): Promise<boolean> {
  const runner = dataSource.createQueryRunner();
  const hasRun = await runner.hasTable('migrations').finally(() => runner.release());
  return !hasRun || (await migrationNames(dataSource)).length === 0;
}

const SHOWN = 3;

/**
 * Warns if a newer version has migrated the database. It is served nevertheless: migrations only expand the
 * schema, so that two versions can run side by side during an upgrade (docs/scaling.md).
 */
export async function warnOfNewerSchema(dataSource: DataSource): Promise<void> {
  const known = new Set(dataSource.migrations.map(({ name }) => name));
  const newer = (await migrationNames(dataSource)).filter((name) => !known.has(name));
  if (newer.length === 0) return;
  const names = newer.slice(-SHOWN);
  new Logger('Database').warn(
    `A newer version has migrated this database (${names.join(', ')}${newer.length > SHOWN ? ' and others' : ''}). ` +
      'This version can use it during an upgrade; start the newer one here as well.',
  );
}

async function migrationNames(dataSource: DataSource): Promise<string[]> {
  const query = dataSource.createQueryBuilder().select('name').from('migrations', 'migrations');
  return (await query.orderBy('id').getRawMany<{ name: string }>()).map(({ name }) => name);
}
