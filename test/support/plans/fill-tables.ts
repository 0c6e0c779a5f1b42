import type { DataSource, EntityMetadata } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';

/**
 * The tables that grow with the use of a server, each after those that its rows refer to. Roles, jobs and secure
 * connections are created one by one, and are few.
 */
export const GROWING = [
  'users',
  'teams',
  'team_members',
  'channels',
  'channel_members',
  'preferences',
  'sessions',
  'user_access_tokens',
  'posts',
  'idempotency_keys',
  'audits',
  'incoming_webhooks',
  'incoming_webhook_requests',
  'incoming_webhook_keys',
  'incoming_webhook_pieces',
  'outgoing_webhooks',
  'deliveries',
  'delivery_attempts',
  'delivery_payloads',
  'delivery_stats',
  'delivery_recoveries',
  'lane_limits',
  'lane_turns',
  'call_rates',
  'failures',
  'changes',
  'shared_channels',
  'shared_channel_remotes',
];
/** Number of rows per insert. */
const SLICE = 100_000;
/** Number of others next to the favourites. */
const OTHERS = 1_000;
/** The maximum number of teams per user, and of members per team. */
const MEMBERS = 1_000;

/** The ids that nine of ten rows refer to, by column name: planners estimate large shares badly. */
export type Favourites = Readonly<Record<string, string>>;

type Id = (n: string) => string;

/** The favourite place has its members, its favourite member is in other places, and all others are in one. */
const placeOf =
  (name: string) =>
  (id: Id, ids: Favourites): string =>
    `CASE WHEN n <= ${MEMBERS} THEN '${ids[name]}' ELSE ${id('n')} END`;
const memberOf = (id: Id, ids: Favourites): string =>
  `CASE WHEN n > ${MEMBERS} AND n < ${2 * MEMBERS} THEN '${ids['user_id']}' ELSE ${id('n')} END`;
/** The maximum of one user. */
const ownerOf = (id: Id, ids: Favourites): string =>
  `CASE WHEN n <= ${MEMBERS} THEN '${ids['user_id']}' ELSE ${id('n')} END`;
const shuffled = (id: Id): string => id('(n * 7919) % 10000019');

/** Columns whose type does not define their content. */
const SPECIAL: Readonly<Record<string, (id: Id, ids: Favourites) => string>> = {
  'users.username': shuffled,
  'users.email': (id) => id('n'),
  'users.roles': () => "CASE WHEN n % 5000 = 2 THEN 'system_admin system_user' ELSE 'system_user' END",
  'users.is_bot': () => 'CASE WHEN n % 50 = 3 THEN 1 ELSE 0 END',
  'users.bot_owner_id': (id, ids) =>
    `CASE WHEN n % 500 = 3 THEN '${ids['user_id']}' WHEN n % 50 = 3 THEN ${id('n - 1')} ELSE '' END`,
  'users.remote_id': () => "''",
  'teams.name': (id) => id('n'),
  'teams.display_name': shuffled,
  'teams.invite_id': (id) => id('n'),
  'teams.type': () => "'O'",
  'teams.allow_open_invite': () => 'n % 2',
  'teams.creator_id': ownerOf,
  'team_members.team_id': placeOf('team_id'),
  'team_members.user_id': memberOf,
  'team_members.scheme_user': () => '1',
  'channels.name': (id) => id('n'),
  'channels.display_name': (id) => `CASE WHEN n % 4 = 3 THEN '' ELSE ${shuffled(id)} END`,
  'channels.type': () => "CASE WHEN n % 4 = 3 THEN 'D' WHEN n % 20 = 2 THEN 'P' ELSE 'O' END",
  'channels.team_id': (id, ids) =>
    `CASE WHEN n % 4 = 3 THEN '' WHEN n % 10 <> 5 THEN '${ids['team_id']}' ELSE ${id('n')} END`,
  'channels.creator_id': ownerOf,
  'channel_members.channel_id': placeOf('channel_id'),
  'channel_members.user_id': memberOf,
  'channel_members.scheme_user': () => '1',
  'preferences.user_id': ownerOf,
  'preferences.category': (id) => id('n'),
  'sessions.token_hash': (id) => id('n'),
  'sessions.user_id': ownerOf,
  'user_access_tokens.token_hash': (id) => id('n'),
  'user_access_tokens.user_id': ownerOf,
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
  'deliveries.flow': () => "CASE WHEN n % 3 = 0 THEN 'one' ELSE 'other' END",
  'deliveries.status': () =>
    "CASE n % 40 WHEN 0 THEN 'pending' WHEN 1 THEN 'retrying' WHEN 2 THEN 'failed' WHEN 3 THEN 'cancelled' ELSE 'delivered' END",
  'delivery_stats.subject': (id, ids) => `CASE WHEN n <= 500 THEN '${ids['owner_id']}' ELSE ${id('n')} END`,
  'delivery_stats.step_seconds': () => 'CASE WHEN n % 2 = 0 THEN 300 ELSE 3600 END',
  'delivery_stats.start_at': () =>
    `${Date.now()} - (n % 500) * 300000 - CASE WHEN n % 50 = 0 THEN ${3 * 86_400_000} ELSE 0 END`,
  'delivery_recoveries.finish_at': () => '1',
  'lane_limits.changes': () => "'[]'",
  'lane_turns.lane': (id) => id('n'),
  'call_rates.owner_id': (id) => id('n'),
  'failures.endpoint': () => "'https://example.com'",
  'changes.seq': () => 'n',
  'shared_channels.channel_id': (id) => id('n'),
  'shared_channels.remote_id': () => "''",
  'shared_channels.type': () => "'O'",
  'shared_channel_remotes.channel_id': (id) => id('n'),
  'shared_channel_remotes.remote_id': placeOf('remote_id'),
  'audits.parameters': () => "''",
  'audits.affected': () => "''",
  'audits.action': () => "CASE WHEN n % 10 = 0 THEN 'log_out' ELSE 'log_in' END",
  'audits.result': () => "CASE WHEN n % 50 = 1 THEN 'fail' ELSE 'success' END",
  'incoming_webhooks.slack_path': (id) => id('n'),
  'incoming_webhooks.verifier': () => "''",
  // Most of the table stays after a purge; otherwise the statistics are about rows that are gone.
  'incoming_webhook_keys.used_at': () => `CASE WHEN n % 50 = 0 THEN 1 ELSE ${Date.now()} END`,
  'outgoing_webhooks.trigger_words': () => `'["never"]'`,
  'outgoing_webhooks.callback_urls': () => `'["https://example.com"]'`,
  'outgoing_webhooks.headers': () => "''",
  'outgoing_webhooks.auth': () => "''",
  'outgoing_webhooks.disabled_urls': () => "'[]'",
  'outgoing_webhooks.failing_urls': () => "'{}'",
};

/**
 * Fills the tables that grow with rows, one per millisecond, most of which belong to the favourites, and updates the
 * statistics of the planner.
 */
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
    SELECT a.x * 1000000 + b.x * 1000 + c.x + 1 FROM d a JOIN d b JOIN d c
    WHERE a.x < ${rows / 1e6} AND b.x < ${rows / 1e3} AND a.x * 1000000 + b.x * 1000 + c.x < ${rows}`);
  for (const name of GROWING) {
    const table = dataSource.entityMetadatas.find(({ tableName }) => tableName === name)!;
    const columns = table.columns.map(({ databaseName }) => dataSource.driver.escape(databaseName));
    const values = table.columns.map((column) => valueOf(table, column, id, ids, startMs));
    for (let n = 0; n < rows; n += SLICE)
      await runner.query(
        `INSERT INTO ${table.tableName} (${columns.join(', ')}) SELECT ${values.join(', ')} FROM numbers
         WHERE n > ${n} AND n <= ${n + SLICE} ORDER BY n`,
      );
  }
  if (isMysql) await runner.query(`ANALYZE TABLE ${GROWING.join(', ')}`); // a server collects no statistics on SQLite
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
  if (special) return special(id, ids);
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
