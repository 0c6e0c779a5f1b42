import type { Socket } from 'node:net';
import type { DataSource } from 'typeorm';
import { dialect } from '../config/dialect.js';

const MAX_SILENCE_MS = 15_000;
/** How long the database keeps a connection on which nothing is asked, with the locks and the transaction it holds. */
export const MAX_IDLE_SECONDS = 20;
/** A resting connection is given up before the database, or anything on the way, drops it. */
export const REST_MS = 10_000;

/** What mysql2 shows of a connection: its socket, the command that waits for an answer, and whether we have left it. */
export interface MysqlConnection {
  readonly stream: Socket;
  readonly _command?: unknown;
  readonly _closing?: boolean;
  query(sql: string, callback: () => void): unknown;
}

interface MysqlPool {
  on(event: 'acquire', listener: (connection: MysqlConnection) => void): void;
}

/**
 * Lets neither end wait for one that is gone without saying so. Here, a connection to MySQL is ended on which nothing
 * was heard for 15 s although a command waits for its answer: the caller must get its 503. There, what we left open is
 * rolled back after 20 s, so that its locks hold up nobody. `more` statements run in the same trip, where the connection
 * takes several.
 */
export function guardAgainstSilence(connection: MysqlConnection, ...more: readonly string[]): void {
  connection.stream.setTimeout(MAX_SILENCE_MS, () => {
    if (!connection._command) {
      if (connection._closing) connection.stream.destroy(); // nobody answers our farewell
      return; // resting
    }
    connection.stream.destroy(
      Object.assign(new Error('The database has fallen silent.'), { code: 'ETIMEDOUT' }),
    );
  });
  const statements = [`SET SESSION wait_timeout = ${MAX_IDLE_SECONDS}`, ...more];
  connection.query(statements.join(';'), () => undefined); // a failure shows in what follows
}

/** The same for every connection of a data source, the ones it has already opened included. */
export function guardPoolAgainstSilence(dataSource: DataSource): void {
  if (dialect !== 'mysql') return;
  const { pool } = dataSource.driver as unknown as { pool: MysqlPool };
  const guarded = new WeakSet<MysqlConnection>();
  pool.on('acquire', (connection) => {
    if (guarded.has(connection)) return;
    guarded.add(connection);
    guardAgainstSilence(connection);
  });
}
