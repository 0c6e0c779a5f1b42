import type { Socket } from 'node:net';
import type { DataSource } from 'typeorm';
import { dialect } from '../config/dialect.js';

const MAX_SILENCE_MS = 15_000;

/** What mysql2 shows of a connection: its socket, and the command that waits for an answer. */
interface MysqlConnection {
  readonly stream: Socket;
  readonly _command?: unknown;
}

interface MysqlPool {
  on(event: 'connection', listener: (connection: MysqlConnection) => void): void;
}

/**
 * Ends a connection to MySQL on which nothing was heard for 15 s although a command waits for its answer: the other end
 * is gone without saying so, and the caller must get its 503 instead of waiting for ever.
 */
export function guardAgainstSilence(connection: MysqlConnection): void {
  connection.stream.setTimeout(MAX_SILENCE_MS, () => {
    if (!connection._command) return; // resting
    connection.stream.destroy(
      Object.assign(new Error('The database has fallen silent.'), { code: 'ETIMEDOUT' }),
    );
  });
}

/** The same for every connection that a data source will open. */
export function guardPoolAgainstSilence(dataSource: DataSource): void {
  if (dialect !== 'mysql') return;
  const { pool } = dataSource.driver as unknown as { pool: MysqlPool };
  pool.on('connection', guardAgainstSilence);
}
