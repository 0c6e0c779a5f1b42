import { CommandRefused } from '../../../platform/common/errors/command-refused.js';
import type { Condition, MattermostDatabase, SourceRow } from './source.js';
import type { TableImport } from './table-import.js';

const MAX_ROWS = 5_000;
/** Of text in a batch, so that many long posts fit into memory. */
const MAX_BYTES = 8 * 1024 * 1024;
/** How late a change may be committed. */
const OVERLAP_MS = 5 * 60_000;

/** Later times are not exact numbers; rows with them come last. */
const BEYOND = Number.MAX_SAFE_INTEGER;

/** How far rows with a time of change are read. A time of -1 stands for rows without one, which come first. */
export interface Cursor {
  readonly time: number;
  readonly id: string;
}

/** The beginning of a table. */
export const START: Cursor = { time: -1, id: '' };

/** Where a run continues after one that began at `startedAt`, when some changes may not have been committed yet. */
export function again(cursor: Cursor, startedAt: number): Cursor {
  const certain = startedAt - OVERLAP_MS;
  return cursor.time <= certain ? cursor : { time: certain, id: '' };
}

/** Columns of every version. Without one of them, rows would be left out or lose their meaning. */
const ESSENTIAL: Readonly<Record<string, readonly string[]>> = {
  Users: ['Username', 'Email', 'Password', 'Roles', 'DeleteAt'],
  Teams: ['Name', 'DeleteAt'],
  TeamMembers: ['Roles', 'DeleteAt'],
  Channels: ['TeamId', 'Type', 'Name', 'DeleteAt'],
  ChannelMembers: ['Roles'],
  Posts: ['UserId', 'ChannelId', 'CreateAt', 'DeleteAt', 'OriginalId', 'Message'],
  UserAccessTokens: ['UserId', 'Token', 'IsActive'],
  IncomingWebhooks: ['UserId', 'ChannelId', 'TeamId', 'DeleteAt'],
  OutgoingWebhooks: ['CreatorId', 'ChannelId', 'TeamId', 'Token', 'TriggerWords', 'CallbackURLs', 'DeleteAt'],
};

/** Throws CommandRefused if a table lacks its key or an essential column. */
export function requireColumns(source: MattermostDatabase, tables: readonly TableImport[]): void {
  for (const { from, key, changedAt = key[0] ?? '' } of tables)
    for (const column of [...key, changedAt, ...(ESSENTIAL[from] ?? [])])
      if (source.hasTable(from) && !source.hasColumn(from, column))
        throw new CommandRefused(
          `The database ${source.id} cannot be imported: ${from} has no column ${column}. Repair the database, or complete the upgrade of its server, first.`,
        );
}

/** The rows of a table in the order of its key. */
export async function* rowsByKey(
  source: MattermostDatabase,
  { from, key, columns }: Pick<TableImport, 'from' | 'key' | 'columns'>,
  size = MAX_ROWS,
): AsyncGenerator<SourceRow[]> {
  let after: SourceRow | undefined;
  do {
    const { sql, parameters } = after ? beyond(key, after) : { sql: '', parameters: [] };
    const rows = await source.rows(from, columns, {
      sql: `${sql && `WHERE ${sql}`} ORDER BY ${key.join(', ')} LIMIT ${size}`,
      parameters,
    });
    if (rows.length > 0) yield rows;
    after = rows.length === size ? rows.at(-1) : undefined;
  } while (after);
}

/** `(a, b) > (?, ?)` in a form for which the database uses an index. */
function beyond([first = '', ...others]: readonly string[], row: SourceRow): Condition {
  if (others.length === 0) return { sql: `${first} > ?`, parameters: [row[first]] };
  const { sql, parameters } = beyond(others, row);
  return {
    sql: `(${first} > ? OR (${first} = ? AND ${sql}))`,
    parameters: [row[first], row[first], ...parameters],
  };
}

/** Posts in the order of their last change, completed, with the cursor after each batch. */
export async function* postsByChange(
  source: MattermostDatabase,
  { from, columns, complete }: Pick<TableImport, 'from' | 'columns' | 'complete'>,
  start: Cursor,
): AsyncGenerator<{ rows: SourceRow[]; cursor: Cursor }> {
  for (let cursor: Cursor | undefined = start; cursor;) {
    const { sql, parameters } = afterCursor(cursor);
    const time: number = cursor.time;
    const isTimed = time >= 0 && time < BEYOND;
    const order = isTimed ? 'UpdateAt, Id' : 'Id';
    const sizes = await source.ask(
      from,
      'SELECT Id, UpdateAt, COALESCE(LENGTH(Message), 0) + COALESCE(LENGTH(Props), 0) AS size',
      `WHERE ${sql} ORDER BY ${order} LIMIT ${MAX_ROWS}`,
      parameters,
    );
    const some = withinBytes(sizes);
    const last: SourceRow | undefined = some.at(-1);
    if (last) {
      const rows = await source.rows(from, columns, {
        sql: `WHERE Id IN (?) ORDER BY ${order}`,
        parameters: [some.map((row) => row['Id'])],
      });
      cursor = { time: isTimed ? Number(last['UpdateAt']) : time, id: String(last['Id']) };
      yield { rows: complete ? await complete(rows, source) : rows, cursor };
    } else {
      cursor = time < BEYOND ? { time: isTimed ? BEYOND : 0, id: '' } : undefined;
    }
  }
}

/** The same values. The next one is read while one is used. */
export async function* readAhead<T>(values: AsyncGenerator<T>): AsyncGenerator<T> {
  let next = values.next();
  for (let result = await next; result.done !== true; result = await next) {
    next = values.next();
    next.catch(() => undefined); // thrown when it is awaited
    yield result.value;
  }
}

function afterCursor({ time, id }: Cursor): Condition {
  if (time < 0) return { sql: '(UpdateAt IS NULL OR UpdateAt < 0) AND Id > ?', parameters: [id] };
  if (time >= BEYOND) return { sql: `UpdateAt >= ${BEYOND} AND Id > ?`, parameters: [id] };
  const after = '(UpdateAt > ? OR (UpdateAt = ? AND Id > ?))';
  return { sql: `UpdateAt < ${BEYOND} AND ${after}`, parameters: [time, time, id] };
}

function withinBytes(rows: readonly SourceRow[]): SourceRow[] {
  let bytes = 0;
  return rows.filter((row, index) => (bytes += Number(row['size'])) <= MAX_BYTES || index === 0);
}
