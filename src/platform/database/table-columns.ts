import {
  type QueryRunner,
  Table,
  TableColumn,
  type TableColumnOptions,
  type TableIndexOptions,
  type TableForeignKeyOptions,
} from 'typeorm';
import { dialect } from '../config/settings.js';

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
export const searchedText = (name: string): TableColumnOptions =>
  longText(name, dialect === 'mysql' ? { collation: 'utf8mb4_unicode_520_ci' } : {});
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
/** The creation, update and deletion times of a row. */
export const times = (): TableColumnOptions[] =>
  ['create_at', 'update_at', 'delete_at'].map((name) => big(name));

/** A part of the primary key. */
export const primary: Overrides = { isPrimary: true };
/** Defaults to an empty string. */
export const empty: Overrides = { default: "''" };
/** Defaults to an empty string, for longText: MySQL takes an expression only. */
export const emptyText: Overrides = { default: dialect === 'mysql' ? "('')" : "''" };
/** Defaults to 0 or false. */
export const zero: Overrides = { default: '0' };

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

/** Creates a table unless it exists: on MySQL, an interrupted migration runs again from its beginning. */
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

/**
 * Adds columns and indexes to a table, except those that an interrupted run has added. Each column needs a
 * default or may be null. SQLite gets a plain `ALTER TABLE`: TypeORM would copy the table and lose its triggers.
 */
export async function addColumns(
  runner: QueryRunner,
  table: string,
  columns: TableColumnOptions[],
  indices: TableIndexOptions[] = [],
): Promise<void> {
  for (const column of columns) {
    if (await runner.hasColumn(table, column.name)) continue;
    if (dialect === 'mysql') await runner.addColumn(table, new TableColumn(column));
    else await runner.query(`ALTER TABLE ${table} ADD COLUMN "${column.name}" ${definitionOf(column)}`);
  }
  for (const { name = '', columnNames, isUnique } of indices) {
    const known = (await runner.getTable(table))?.indices.some((each) => each.name === name);
    const kind = isUnique ? 'UNIQUE INDEX' : 'INDEX';
    if (!known) await runner.query(`CREATE ${kind} ${name} ON ${table} (${columnNames.join(', ')})`);
  }
}

function definitionOf({ type, length, default: fallback, isNullable }: TableColumnOptions): string {
  const size = length === undefined ? '' : `(${length})`;
  return `${type}${size}${isNullable ? '' : ' NOT NULL'}${fallback === undefined ? '' : ` DEFAULT (${fallback})`}`;
}
