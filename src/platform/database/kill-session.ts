import { createConnection } from 'mysql2/promise';

const TIMEOUT_MS = 5_000;

/**
 * Ends a session whose answer nobody waits for any more, with its statement and its locks: by itself the database would
 * notice only when it has an answer to send. Uses a connection of its own, since others may wait as well. Never throws.
 */
export async function killSession(databaseUrl: string, threadId: number | undefined): Promise<void> {
  if (threadId === undefined) return;
  try {
    const uri = databaseUrl.replace(/^mariadb:/, 'mysql:');
    const connection = await createConnection({ uri, connectTimeout: TIMEOUT_MS });
    connection.on('error', () => undefined);
    await connection
      .query({ sql: `KILL ${threadId}`, timeout: TIMEOUT_MS })
      .finally(() => connection.destroy());
  } catch {
    // It has ended already, or the database cannot be reached at all.
  }
}
