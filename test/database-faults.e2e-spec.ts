import { getDataSourceToken } from '@nestjs/typeorm';
import { createConnection } from 'mysql2/promise';
import type { DataSource } from 'typeorm';
import { explainStartFailure } from '../src/startup/start-failure.js';
import { Settings } from '../src/platform/config/settings.js';
import { createTestDatabase, isMysql, type TestDatabase } from './support/test-database.js';
import { onlyWhere } from './support/only-where.js';
import { startTestServer } from './support/test-server.js';

describe('an incompatible database', () => {
  let place: TestDatabase;
  beforeEach(async () => (place = await createTestDatabase()));
  afterEach(() => place.drop());

  /** The message when the server does not start. */
  const failureOf = async (databaseUrl: string): Promise<string | undefined> => {
    const error = await startTestServer({ DATABASE_URL: databaseUrl }, place).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return explainStartFailure(error, new Settings({ ...place.env, DATABASE_URL: databaseUrl }));
  };

  it('is reported and served if a newer version has migrated it', async () => {
    await (await startTestServer({}, place)).close();
    const first = await startTestServer({}, place);
    await first.app
      .get<DataSource>(getDataSourceToken())
      .query("INSERT INTO migrations (timestamp, name) VALUES (9999999999999, 'AddWings9999999999999')");
    await first.close();
    const server = await startTestServer({}, place);
    expect((await server.admin.get('/users/me')).status).toBe(200);
    expect(server.logs.filter((line) => line.includes('AddWings9999999999999'))).toHaveLength(1);
    await server.close();
  });

  const onMysql = onlyWhere(isMysql, 'the embedded database has no users');
  onMysql.it('is reported if its user may not create tables', async () => {
    const url = new URL(place.databaseUrl ?? '');
    const database = url.pathname.slice(1);
    const administration = await createConnection({ uri: process.env['TEST_MYSQL_URL'] ?? '' });
    const user = `reader_${database.slice(-8)}`;
    await administration.query(`CREATE USER '${user}'@'%' IDENTIFIED BY 'some password'`);
    await administration.query(`GRANT SELECT ON ${database}.* TO '${user}'@'%'`);
    try {
      const limited = new URL(url);
      limited.username = user;
      limited.password = 'some password';
      expect(await failureOf(limited.href)).toBe(
        `The user of DATABASE_URL lacks privileges on the database ${database} at ${url.host}: grant all on that database.`,
      );
    } finally {
      await administration.query(`DROP USER '${user}'@'%'`);
      await administration.end();
    }
  });
});
