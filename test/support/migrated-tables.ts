import { createConnection, format, type RowDataPacket } from 'mysql2/promise';
import { AppModule } from '../../src/app.module.js';
import { Settings } from '../../src/platform/config/settings.js';
import { dataSourceOptions } from '../../src/platform/database/data-source.options.js';
import { openDatabase } from '../../src/platform/database/database.module.js';
import { createTestDatabase, isMysql, type TestDatabase } from './test-database.js';

/** The statements that create the tables, by the migrations that have run. */
const scripts = new Map<string, Promise<string>>();

/**
 * Creates the result of the migrations in an empty database. On MySQL they take more than a second: they run once per
 * worker, and their result is copied.
 */
export async function makeMigratedTables(database: TestDatabase): Promise<void> {
  if (!isMysql) return;
  const key = AppModule.declared.migrations.map(({ name }) => name).join();
  const script = scripts.get(key) ?? readMigrated();
  scripts.set(key, script);
  await onDatabase(database, (query) => script.then(query));
}

async function readMigrated(): Promise<string> {
  const database = await createTestDatabase();
  try {
    await (await openDatabase(dataSourceOptions(new Settings(database.env), AppModule.declared))).destroy();
    return await onDatabase(database, async (query) => {
      const statements = ['SET FOREIGN_KEY_CHECKS = 0', 'SET SESSION innodb_ft_enable_stopword = OFF'];
      for (const table of (await query('SHOW TABLES')).flatMap((row) => Object.values(row) as string[])) {
        const [created] = await query(`SHOW CREATE TABLE ${table}`);
        statements.push(created!['Create Table'] as string);
        const rows = await query(`SELECT * FROM ${table}`);
        if (rows.length > 0)
          statements.push(format('INSERT INTO ?? VALUES ?', [table, rows.map((row) => Object.values(row))]));
      }
      return statements.join(';\n');
    });
  } finally {
    await database.drop();
  }
}

type Query = (sql: string) => Promise<RowDataPacket[]>;

async function onDatabase<T>(
  { databaseUrl }: TestDatabase,
  action: (query: Query) => Promise<T>,
): Promise<T> {
  const connection = await createConnection({ uri: databaseUrl!, multipleStatements: true });
  try {
    return await action(async (sql) => (await connection.query<RowDataPacket[]>(sql))[0]);
  } finally {
    await connection.end();
  }
}
