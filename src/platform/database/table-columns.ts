import {
  type QueryRunner,
  Table,
  type TableColumnOptions,
  TableIndex,
  type TableIndexOptions,
  type TableForeignKeyOptions,
} from 'typeorm';
import { dialect } from '../config/dialect.js';

/* The column types of columns.ts for migrations. */

const BINARY_TEXT = dialect === 'mysql' ? { charset: 'utf8mb4', collation: 'utf8mb4_bin' } : {};

type Overrides = Partial<TableColumnOptions>;

export const id = (name: string, overrides: Overrides = {}): TableColumnOptions => text(name, 26, overrides);
export const text = (name: string, length: number, overrides: Overrides = {}): TableColumnOptions => ({
  name,
  type: 'varchar',
  length: String(length),
  ...BINARY_TEXT,
  ...overrides,
});
export const longText = (name: string, overrides: Overrides = {}): TableColumnOptions => ({
  name,
  type: 'text',
  ...BINARY_TEXT,
  ...overrides,
});
export const json = (name: string, overrides: Overrides = {}): TableColumnOptions => ({
  name,
  type: dialect === 'mysql' ? 'longtext' : 'text',
  ...BINARY_TEXT,
  ...overrides,
});
export const big = (name: string, overrides: Overrides = {}): TableColumnOptions => ({
  name,
  type: 'bigint',
  ...overrides,
});
export const bytes = (name: string, overrides: Overrides = {}): TableColumnOptions => ({
  name,
  type: dialect === 'mysql' ? 'mediumblob' : 'blob',
  ...overrides,
});
export const int = (name: string, overrides: Overrides = {}): TableColumnOptions => ({
  name,
  type: 'integer',
  ...overrides,
});
export const bool = (name: string, overrides: Overrides = {}): TableColumnOptions => ({
  name,
  type: dialect === 'mysql' ? 'tinyint' : 'boolean',
  ...overrides,
});

/** A plain index. */
export const index = (name: string, ...columnNames: string[]): TableIndexOptions => ({ name, columnNames });
/** A unique index. */
export const unique = (name: string, ...columnNames: string[]): TableIndexOptions => ({
  name,
  columnNames,
  isUnique: true,
});
/** A foreign key to `id` of `table`; deleting that row deletes the rows that refer to it. */
export const foreignKey = (name: string, column: string, table: string): TableForeignKeyOptions => ({
  name,
  columnNames: [column],
  referencedTableName: table,
  referencedColumnNames: ['id'],
  onDelete: 'CASCADE',
  onUpdate: 'NO ACTION',
});

/*
 * MySQL commits each schema statement by itself, and the process may end before the migration is recorded. So these
 * functions skip what already exists, and a migration can run again.
 */

/** Creates a table with its indexes and foreign keys. */
export async function createTable(
  runner: QueryRunner,
  name: string,
  columns: TableColumnOptions[],
  indices: TableIndexOptions[] = [],
  foreignKeys: TableForeignKeyOptions[] = [],
): Promise<void> {
  const engine = dialect === 'mysql' ? { engine: 'InnoDB' } : {};
  await runner.createTable(new Table({ name, columns, indices, foreignKeys, ...engine }), true);
}

/** Adds an index to a table that exists. */
export async function addIndex(
  runner: QueryRunner,
  table: string,
  options: TableIndexOptions,
): Promise<void> {
  const existing = await runner.getTable(table);
  if (existing?.indices.some(({ name }) => name === options.name)) return;
  await runner.createIndex(table, new TableIndex(options));
}

/** Drops an index, if it is there. */
export async function dropIndex(
  runner: QueryRunner,
  table: string,
  { name }: TableIndexOptions,
): Promise<void> {
  const existing = (await runner.getTable(table))?.indices.find((one) => one.name === name);
  if (existing) await runner.dropIndex(table, existing);
}

/** Adds a boolean column, false in existing rows, without copying the table. */
export async function addBooleanColumn(runner: QueryRunner, table: string, name: string): Promise<void> {
  if (await runner.hasColumn(table, name)) return;
  await runner.query(`ALTER TABLE ${table} ADD COLUMN ${name} ${bool(name).type} NOT NULL DEFAULT 0`);
}

/** Adds a column of milliseconds since the epoch, 0 in existing rows, without copying the table. */
export async function addBigColumn(runner: QueryRunner, table: string, name: string): Promise<void> {
  if (await runner.hasColumn(table, name)) return;
  await runner.query(`ALTER TABLE ${table} ADD COLUMN ${name} ${big(name).type} NOT NULL DEFAULT 0`);
}

/** Adds a text column, empty in existing rows, without copying the table. */
export async function addTextColumn(
  runner: QueryRunner,
  table: string,
  name: string,
  length: number,
): Promise<void> {
  if (await runner.hasColumn(table, name)) return;
  const collation = dialect === 'mysql' ? 'CHARACTER SET utf8mb4 COLLATE utf8mb4_bin ' : '';
  await runner.query(
    `ALTER TABLE ${table} ADD COLUMN ${name} varchar(${length}) ${collation}NOT NULL DEFAULT ''`,
  );
}
