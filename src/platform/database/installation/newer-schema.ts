import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';

const SHOWN = 3;

/**
 * Warns if the database has been migrated by a newer version than this one. It is served nevertheless: migrations only
 * expand, so that processes of two versions can run side by side during an upgrade (docs/scaling.md).
 */
export async function warnOfNewerSchema(dataSource: DataSource): Promise<void> {
  const known = new Set(dataSource.migrations.map(({ name }) => name));
  const rows = await dataSource.query<{ name: string }[]>('SELECT name FROM migrations');
  const newer = rows.filter(({ name }) => !known.has(name));
  if (newer.length === 0) return;
  const names = newer.slice(-SHOWN).map(({ name }) => name);
  new Logger('Database').warn(
    `A newer version has migrated this database (${names.join(', ')}${newer.length > SHOWN ? ' and others' : ''}). ` +
      'This version serves it during an upgrade; start the newer one here as well.',
  );
}
