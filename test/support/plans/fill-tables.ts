import type { DataSource, EntityMetadata } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';

/** The tables that grow with what a server does. */
export const GROWING = [
  'posts',
  'idempotency_keys',
  'audits',
  'incoming_webhooks',
  'incoming_webhook_requests',
  'outgoing_webhooks',
  'deliveries',
  'delivery_attempts',
  'delivery_payloads',
];
/** How many others there are beside the favourites. */
const OTHERS = 1_000;

/** The ids that nine of ten rows refer to, by the names of columns: planners estimate large shares badly. */
export type Favourites = Readonly<Record<string, string>>;

type Id = (n: string) => string;

/** Columns whose type does not tell what is in them. */
const SPECIAL: Readonly<Record<string, (id: Id) => string>> = {
  'posts.root_id': (id) => `CASE WHEN n % 10 = 9 THEN ${id('n - 1')} ELSE '' END`,
  'posts.original_id': (id) => `CASE WHEN n % 50 = 7 THEN ${id('n - 1')} ELSE '' END`,
  'posts.delete_at': () => 'CASE WHEN n % 50 = 7 OR n % 20 = 0 THEN 1 ELSE 0 END',
  'posts.is_pinned': () => 'CASE WHEN n % 500 = 2 THEN 1 ELSE 0 END',
  'posts.remote_id': () => "''",
  'posts.type': () => "''",
  'deliveries.kind': () => "'outgoing_hook'",
  'delivery_payloads.kind': () => "'outgoing_hook'",
  'deliveries.subject_id': (id) => id('n'),
  'deliveries.reply_post_id': () => "''",
  'deliveries.lane': () => "CASE WHEN n % 2 = 0 THEN 'https://example.com' ELSE 'https://example.org' END",
  'deliveries.status': () =>
    "CASE n % 40 WHEN 0 THEN 'pending' WHEN 1 THEN 'retrying' WHEN 2 THEN 'failed' WHEN 3 THEN 'cancelled' ELSE 'delivered' END",
  'audits.parameters': () => "''",
  'outgoing_webhooks.trigger_words': () => `'["never"]'`,
  'outgoing_webhooks.callback_urls': () => `'["https://example.com"]'`,
  'outgoing_webhooks.disabled_urls': () => "'[]'",
};

/** Fills the tables that grow with rows, one for each millisecond, most of which belong to the favourites, and counts them for the planner. */
export async function fillTables(
  dataSource: DataSource,
  rows: number,
  startMs: number,
  ids: Favourites,
): Promise<void> {
  const isMysql = dataSource.options.type === 'mysql';
  const id: Id = (n) => (isMysql ? `LPAD(${n}, 26, '0')` : `PRINTF('%026d', ${n})`);
  const runner = dataSource.createQueryRunner();
  await runner.query('CREATE TABLE numbers (n integer NOT NULL PRIMARY KEY)');
  await runner.query(`INSERT INTO numbers WITH RECURSIVE d AS (SELECT 0 AS x UNION ALL SELECT x + 1 FROM d WHERE x < 999)
    SELECT a.x * 1000 + b.x + 1 FROM d a JOIN d b WHERE a.x * 1000 + b.x < ${rows}`);
  for (const table of dataSource.entityMetadatas.filter(({ tableName }) => GROWING.includes(tableName))) {
    const columns = table.columns.map(({ databaseName }) => dataSource.driver.escape(databaseName));
    const values = table.columns.map((column) => valueOf(table, column, id, ids, startMs));
    await runner.query(
      `INSERT INTO ${table.tableName} (${columns.join(', ')}) SELECT ${values.join(', ')} FROM numbers ORDER BY n`,
    );
  }
  if (isMysql) await runner.query(`ANALYZE TABLE ${GROWING.join(', ')}`); // a server collects none on SQLite
  await runner.query('DROP TABLE numbers');
  await runner.release();
}

function valueOf(
  table: EntityMetadata,
  { databaseName: name, type, length, isPrimary }: ColumnMetadata,
  id: Id,
  ids: Favourites,
  startMs: number,
): string {
  const special = SPECIAL[`${table.tableName}.${name}`];
  if (special) return special(id);
  if (isPrimary) return type === 'varchar' ? id('n') : '1';
  if (name in ids) return `CASE WHEN n % 10 <> 5 THEN '${ids[name]}' ELSE ${id(`n % ${OTHERS}`)} END`;
  if (name === 'seq') return `(${startMs} + n) * 2048`;
  if (name === 'delete_at') return `CASE WHEN n % 10 = 0 THEN ${startMs} + n ELSE 0 END`;
  if (name === 'finish_at') return `CASE WHEN n % 40 < 2 THEN 0 ELSE ${startMs} + n END`;
  if (name === 'next_attempt_at') return String(Date.now() + 86_400_000);
  if (name === 'create_at' || name === 'update_at') return `${startMs} + n`;
  if (['bigint', 'boolean', 'tinyint', 'int', 'integer'].includes(String(type))) return '0';
  if (type !== 'varchar') return "'{}'";
  return length === '26' ? "''" : `'value'`;
}
