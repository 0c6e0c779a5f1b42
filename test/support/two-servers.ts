import type { Clock } from '../../src/platform/common/clock.js';
import { OwnerLock } from '../../src/platform/database/owner-lock.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';
import { startTestServer, type TestServer } from './test-server.js';

/** Two instances of the server on one database. */
export interface TwoServers {
  readonly one: TestServer;
  readonly other: TestServer;
  readonly both: readonly [TestServer, TestServer];
  readonly database: TestDatabase;
  /** Runs `action` against both at the same time. */
  race<T>(action: (server: TestServer, index: number) => Promise<T>): Promise<T[]>;
  close(): Promise<void>;
}

/** Starts two instances on one empty database, with `env` for both. Needs MySQL and TEST_REDIS_URL. */
export async function startTwoServers(env: Record<string, string> = {}): Promise<TwoServers> {
  const database = await createTestDatabase();
  const variables = { REDIS_URL: process.env['TEST_REDIS_URL'] ?? '', ...env };
  const one = await startTestServer(variables, database);
  const other = await startTestServer(variables, database);
  const both = [one, other] as const;
  return {
    one,
    other,
    both,
    database,
    race: (action) => Promise.all(both.map(action)),
    close: async () => {
      for (const server of both) await server.close();
      await database.drop();
    },
  };
}

/** Sets the clock of one instance ahead by `ms`, and keeps it there. Returns a function that undoes this. */
export function setAhead({ app }: TestServer, ms: number): () => void {
  const clock: Clock = app.get(OwnerLock).clock;
  const now = clock.now.bind(clock);
  const spy = jest.spyOn(clock, 'now').mockImplementation(() => now() + ms);
  return () => spy.mockRestore();
}
