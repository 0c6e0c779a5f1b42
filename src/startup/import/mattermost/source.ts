import type { Connection, RowDataPacket } from 'mysql2/promise';
import { CommandRefused } from '../../../platform/common/errors/command-refused.js';
import { mysqlUrl } from '../../../platform/database/mysql-session.js';

const CONNECT_TIMEOUT_MS = 10_000;
/** Tables without which a database is not one of Mattermost. */
const REQUIRED = ['Users', 'Teams', 'TeamMembers', 'Channels', 'ChannelMembers', 'Posts'];

/** A row of the source, by the names of its columns. Columns that do not exist there are missing. */
export type SourceRow = Readonly<Record<string, string | number | null | undefined>>;

interface Table {
  readonly name: string;
  /** The actual names by lower-case names. */
  readonly columns: Map<string, string>;
  /** The character sets of its columns that are not UTF-8. */
  readonly otherCharsets: Set<string>;
}

/** A part of a WHERE condition with its parameters. */
export interface Condition {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/**
 * The database of a Mattermost server, read in one read-only snapshot, so that the server may run. Tables and columns
 * are those that exist: administrators have repaired and skipped migrations.
 */
export class MattermostDatabase {
  private constructor(
    private readonly connection: Connection,
    /** The actual names by lower-case names; servers with `lower_case_table_names` change those of tables. */
    private readonly tables: ReadonlyMap<string, Table>,
    /** Identifies this database in the progress of an import. */
    readonly id: string,
    /** The version that the server has stored, for the report, or an empty text. */
    readonly version: string,
  ) {}

  /** Throws CommandRefused if the database cannot be read or is not one of Mattermost. */
  static async open(url: string): Promise<MattermostDatabase> {
    const place = placeOf(url);
    const connection = await connect(url, place);
    try {
      await connection.query("SET SESSION sql_mode = '', SESSION time_zone = '+00:00'");
      await connection.query('SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ');
      await connection.query('SET SESSION TRANSACTION READ ONLY');
      await connection.query('START TRANSACTION WITH CONSISTENT SNAPSHOT');
      const tables = await readTables(connection);
      const missing = REQUIRED.filter((table) => !tables.has(table.toLowerCase()));
      if (missing.length > 0)
        throw new CommandRefused(
          `${place} is not a complete Mattermost database: it has no ${missing.join(', ')}.`,
        );
      const source = new MattermostDatabase(connection, tables, place, '');
      const version = await source.systemValue('Version');
      return new MattermostDatabase(connection, tables, place, version);
    } catch (error) {
      await connection.end().catch(() => undefined);
      throw refusal(error, place);
    }
  }

  hasTable(table: string): boolean {
    return this.tables.has(table.toLowerCase());
  }

  hasColumn(table: string, column: string): boolean {
    return this.tables.get(table.toLowerCase())?.columns.has(column.toLowerCase()) ?? false;
  }

  /** Rows of a table, with those of the columns that exist; none if the table does not exist. */
  async rows(
    table: string,
    columns: readonly string[],
    { sql, parameters }: Condition = { sql: '', parameters: [] },
  ): Promise<SourceRow[]> {
    const known = this.tables.get(table.toLowerCase());
    if (!known) return [];
    const listed = columns
      .filter((column) => known.columns.has(column.toLowerCase()))
      .map((column) => `\`${known.columns.get(column.toLowerCase())}\` AS \`${column}\``);
    return this.query(`SELECT ${listed.join(', ')} FROM \`${known.name}\` ${sql}`, parameters);
  }

  /** A query on one table; `?` values are escaped. Returns no rows if the table does not exist. */
  async ask(table: string, before: string, after: string, parameters: readonly unknown[] = []) {
    const known = this.tables.get(table.toLowerCase());
    return known ? this.query(`${before} FROM \`${known.name}\` ${after}`, parameters) : [];
  }

  /** The character sets of a table that are not UTF-8: text may have been stored there in another encoding. */
  otherCharsets(table: string): readonly string[] {
    return [...(this.tables.get(table.toLowerCase())?.otherCharsets ?? [])];
  }

  async count(table: string, condition = ''): Promise<number> {
    const [row] = await this.ask(table, 'SELECT COUNT(*) AS count', condition);
    return Number(row?.['count'] ?? 0);
  }

  /** Replaces `{Table}` by the name of that table there. */
  withNames(sql: string): string {
    return sql.replace(
      /\{(\w+)\}/g,
      (_, table: string) => this.tables.get(table.toLowerCase())?.name ?? table,
    );
  }

  /** The time on the server there, in milliseconds since the epoch. */
  async now(): Promise<number> {
    const [row] = await this.query('SELECT ROUND(UNIX_TIMESTAMP(NOW(3)) * 1000) AS now', []);
    return Number(row?.['now']);
  }

  async systemValue(name: string): Promise<string> {
    const [row] = await this.rows('Systems', ['Value'], { sql: 'WHERE Name = ?', parameters: [name] });
    return String(row?.['Value'] ?? '');
  }

  async close(): Promise<void> {
    await this.connection.end().catch(() => undefined);
  }

  private async query(sql: string, parameters: readonly unknown[]): Promise<SourceRow[]> {
    try {
      const [rows] = await this.connection.query<RowDataPacket[]>(sql, [...parameters]);
      return rows;
    } catch (error) {
      throw refusal(error, this.id);
    }
  }
}

async function connect(url: string, place: string): Promise<Connection> {
  const { createConnection } = await import('mysql2/promise');
  try {
    return await createConnection({
      uri: mysqlUrl(url),
      charset: 'utf8mb4',
      connectTimeout: CONNECT_TIMEOUT_MS,
      enableKeepAlive: true,
      supportBigNumbers: true,
      jsonStrings: true,
    });
  } catch (error) {
    throw refusal(error, place);
  }
}

async function readTables(connection: Connection) {
  const [rows] = await connection.query<RowDataPacket[]>(
    `SELECT table_name AS \`table\`, column_name AS \`column\`, character_set_name AS charset
     FROM information_schema.columns WHERE table_schema = DATABASE()`,
  );
  const tables = new Map<string, Table>();
  for (const row of rows) {
    const [name, column, charset] = [
      String(row['table']),
      String(row['column']),
      String(row['charset'] ?? 'utf8'),
    ];
    const table = tables.get(name.toLowerCase()) ?? { name, columns: new Map(), otherCharsets: new Set() };
    table.columns.set(column.toLowerCase(), column);
    if (!/^(?:utf8|ascii)/.test(charset)) table.otherCharsets.add(charset);
    tables.set(name.toLowerCase(), table);
  }
  return tables;
}

/** The server and the database, without the password. Throws CommandRefused. */
function placeOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !/^(?:mysql|mariadb):$/.test(parsed.protocol) || parsed.pathname.length < 2)
    throw new CommandRefused('The database must be given as mysql://user:password@host:port/database.');
  return `${parsed.hostname}:${parsed.port || '3306'}${decodeURIComponent(parsed.pathname)}`;
}

const REASONS: Readonly<Record<string, string>> = {
  ER_ACCESS_DENIED_ERROR: 'it rejects the user and password',
  ER_DBACCESS_DENIED_ERROR: 'the user may not use this database',
  ER_TABLEACCESS_DENIED_ERROR: 'the user may not read all of its tables',
  ER_BAD_DB_ERROR: 'the database does not exist',
  ENOTFOUND: 'there is no server with this name',
  ECONNREFUSED: 'nothing listens there',
  ETIMEDOUT: 'it does not answer',
  PROTOCOL_CONNECTION_LOST: 'the connection was lost; run the command again, and it continues',
};

/** The error as a sentence, without statements and values. */
function refusal(error: unknown, place: string): unknown {
  if (error instanceof CommandRefused) return error;
  const code = (error as { code?: string }).code ?? '';
  if (code === '') return error;
  return new CommandRefused(`The database ${place} cannot be read: ${REASONS[code] ?? code}.`);
}
