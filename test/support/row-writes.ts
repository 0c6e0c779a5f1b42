import { DataSource } from 'typeorm';
import { BACKGROUND } from './stored-rows.js';
import type { TestServer } from './test-server.js';

/** The number of rows written to each table while `action` runs; tables without any are omitted. */
export type CountRowWrites = (action: () => Promise<unknown>) => Promise<Record<string, number>>;

/**
 * Counts inserted and updated rows from now on until the database is dropped, except background writes. It counts by
 * triggers, which see the rows of every statement.
 */
export async function watchRowWrites(server: TestServer): Promise<CountRowWrites> {
  const dataSource = server.app.get(DataSource);
  await dataSource.query('CREATE TABLE row_writes (place varchar(64) NOT NULL)');
  const tables = dataSource.entityMetadatas.map(({ tableName }) => tableName);
  for (const table of tables.filter((name) => !BACKGROUND.includes(name)))
    for (const kind of ['INSERT', 'UPDATE'])
      await dataSource.query(
        `CREATE TRIGGER count_${table}_${kind} AFTER ${kind} ON ${table} FOR EACH ROW
         BEGIN INSERT INTO row_writes VALUES ('${table}'); END`,
      );
  return async (action) => {
    await dataSource.query('DELETE FROM row_writes');
    await action();
    const rows = await dataSource.query<readonly { place: string; n: string | number }[]>(
      'SELECT place, COUNT(*) AS n FROM row_writes GROUP BY place',
    );
    return Object.fromEntries(rows.map(({ place, n }) => [place, Number(n)]));
  };
}
