import {
  type QueryRunner,
  Table,
  type TableColumnOptions,
  type TableIndexOptions,
  type TableForeignKeyOptions,
} from 'typeorm';
import { dialect } from '../config/dialect.js';

/* The twins of columns.ts for migrations: what an entity declares there, a migration creates with these. */

const BINARY_TEXT = dialect === 'mysql' ? { charset: 'utf8mb4', collation: 'utf8mb4_bin' } : {};

type More = Partial<TableColumnOptions>;

export const id = (name: string, more: More = {}): TableColumnOptions => text(name, 26, more);
export const text = (name: string, length: number, more: More = {}): TableColumnOptions => ({
  name,
  type: 'varchar',
  length: String(length),
  ...BINARY_TEXT,
  ...more,
});
export const longText = (name: string, more: More = {}): TableColumnOptions => ({
  name,
  type: 'text',
  ...BINARY_TEXT,
  ...more,
});
export const json = (name: string, more: More = {}): TableColumnOptions => ({
  name,
  type: dialect === 'mysql' ? 'longtext' : 'text',
  ...BINARY_TEXT,
  ...more,
});
export const big = (name: string, more: More = {}): TableColumnOptions => ({ name, type: 'bigint', ...more });
export const int = (name: string, more: More = {}): TableColumnOptions => ({
  name,
  type: 'integer',
  ...more,
});
export const bool = (name: string, more: More = {}): TableColumnOptions => ({
  name,
  type: dialect === 'mysql' ? 'tinyint' : 'boolean',
  ...more,
});

export const index = (name: string, ...columnNames: string[]): TableIndexOptions => ({ name, columnNames });
export const unique = (name: string, ...columnNames: string[]): TableIndexOptions => ({
  name,
  columnNames,
  isUnique: true,
});
export const foreignKey = (name: string, column: string, table: string): TableForeignKeyOptions => ({
  name,
  columnNames: [column],
  referencedTableName: table,
  referencedColumnNames: ['id'],
  onDelete: 'CASCADE',
  onUpdate: 'NO ACTION',
});

/*
 * MySQL commits each statement that changes the schema, and a process may end between that and the note that the migration
 * is done: what is there already is left as it is.
 */

/** Creates one table with its indexes and keys. */
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

/** Adds a yes or no, which is no in the rows that exist, without copying the table. */
export async function addFlag(runner: QueryRunner, table: string, name: string): Promise<void> {
  if (await runner.hasColumn(table, name)) return;
  await runner.query(`ALTER TABLE ${table} ADD COLUMN ${name} ${bool(name).type} NOT NULL DEFAULT 0`);
}

/** Adds a text, empty in the rows that exist, without copying the table. */
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
