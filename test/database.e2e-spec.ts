import { DataSource } from 'typeorm';
import { createConnection } from 'mysql2/promise';
import { AppModule } from '../src/app.module.js';
import { DatabaseUnavailable } from '../src/platform/common/errors/common-errors.js';
import { newId } from '../src/platform/common/ids.js';
import { Settings } from '../src/platform/config/settings.js';
import { sealedProperties } from '../src/platform/database/columns.js';
import { CONNECTION_LIMITS } from '../src/platform/database/mysql-session.js';
import { isDatabaseUnavailable } from '../src/platform/database/database-errors.js';
import { dataSourceOptions } from '../src/platform/database/data-source.options.js';
import { openDatabase } from '../src/platform/database/database.module.js';
import { CommitEngine } from '../src/platform/database/commits/commit-engine.js';
import { StatementConnection } from '../src/platform/database/commits/statement-connection.js';
import { takeOwnerLock } from '../src/platform/database/owner-lock.js';
import type { Statement } from '../src/platform/database/statement.js';
import { Transactions } from '../src/platform/database/transactions.js';
import { ChangeLog } from '../src/platform/database/changes/change-log.js';
import { UnitOfWork } from '../src/platform/database/unit-of-work.js';
import { User } from '../src/messaging/users/user.entity.js';
import { heldLock } from './support/held-lock.js';
import { onlyWhere } from './support/only-where.js';
import { eventually } from './support/test-server.js';
import { createTestDatabase, isMysql, type TestDatabase } from './support/test-database.js';

const user = (username: string): User => ({
  id: newId(),
  createAt: 1,
  updateAt: 1,
  deleteAt: 0,
  username,
  passwordHash: '',
  email: `${username}@example.com`,
  emailVerified: false,
  emailSource: '',
  knownAddresses: '',
  nickname: '',
  firstName: '',
  lastName: '',
  position: '',
  roles: 'system_user',
  props: {},
  notifyProps: { email: 'true' },
  timezone: {},
  locale: 'en',
  lastPasswordUpdate: 1767225600123,
  failedAttempts: 0,
  lastFailedAt: 0,
  lastLogin: 0,
  remoteId: '',
  isDeactivatedHere: false,
  isBot: false,
  botOwnerId: '',
  botDescription: '',
});

/** Reads after waiting for a lock see what its holder committed. */
async function expectNewReads(session: { query(sql: string): Promise<any[]> }): Promise<void> {
  const [levels] = await session.query("SHOW SESSION VARIABLES LIKE '%\\_isolation'");
  expect(levels.map((row: { Value: string }) => row.Value)).toContain('READ-COMMITTED');
  expect(levels.map((row: { Value: string }) => row.Value)).not.toContain('REPEATABLE-READ');
}

describe('the database', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let unitOfWork: UnitOfWork;

  beforeAll(async () => {
    database = await createTestDatabase();
    dataSource = await openDatabase(dataSourceOptions(new Settings(database.env), AppModule.declared));
    unitOfWork = new UnitOfWork(
      dataSource,
      new Transactions(dataSource, heldLock),
      new ChangeLog(() => Promise.resolve()),
    );
  });

  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const names = async (prefix: string): Promise<string[]> =>
    (await dataSource.getRepository(User).find({ order: { username: 'ASC' } }))
      .map((row) => row.username)
      .filter((name) => name.startsWith(prefix));

  it('keeps what concurrent callers have committed when another one fails', async () => {
    const failing = unitOfWork.run(async ({ manager }) => {
      await manager.insert(User, user('race-a'));
      await new Promise((resolve) => setTimeout(resolve, 20));
      throw new Error('A changes its mind');
    });
    const committed = unitOfWork.run(async ({ manager }) => {
      await manager.insert(User, user('race-b'));
      await new Promise((resolve) => setTimeout(resolve, 5));
    });
    const plain = dataSource.getRepository(User).insert(user('race-c'));
    await expect(failing).rejects.toThrow('A changes its mind');
    await Promise.all([committed, plain]);
    expect(await names('race-')).toEqual(['race-b', 'race-c']);
  });

  it('joins a nested unit of work, and drops its events when the outer one fails', async () => {
    const announced: string[] = [];
    const work = unitOfWork.run(async () => {
      await unitOfWork.run(async ({ manager }) => {
        await manager.insert(User, user('nested'));
        unitOfWork.afterCommit(() => announced.push('nested'));
      });
      throw new Error('outer fails');
    });
    await expect(work).rejects.toThrow('outer fails');
    expect(await names('nested')).toEqual([]);
    expect(announced).toEqual([]);
  });

  it('compares text byte by byte and returns it unchanged', async () => {
    const stored = { ...user('bytes'), nickname: 'Ünï 🚀', lastPasswordUpdate: 1767225600123 };
    await dataSource.getRepository(User).insert(stored);
    await dataSource.getRepository(User).insert(user('Bytes'));
    expect(await dataSource.getRepository(User).findOneBy({ username: 'bytes' })).toEqual(stored);
    await expect(dataSource.getRepository(User).insert(user('bytes'))).rejects.toMatchObject({
      driverError: expect.anything(),
    });
  });

  it('has a schema that matches the entities', async () => {
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    expect(upQueries.map((query) => query.query)).toEqual([]);
  });

  it('lists every column with encrypted text, so that key rotation includes it', () => {
    const columns = dataSource.entityMetadatas.flatMap(({ target, columns }) =>
      columns.map((column) => ({
        name: column.propertyName,
        isSealed: sealedProperties((target as typeof User).prototype).includes(column.propertyName),
      })),
    );
    expect(columns.filter(({ isSealed }) => isSealed)).toHaveLength(8);
    expect(columns.filter(({ name, isSealed }) => name.startsWith('sealed') !== isSealed)).toEqual([]);
  });

  it('starts after a migration was interrupted halfway', async () => {
    const recorded = await dataSource.query('SELECT name FROM migrations ORDER BY timestamp');
    await dataSource.query('DELETE FROM migrations'); // MySQL commits each table and column before
    const again = await openDatabase(dataSourceOptions(new Settings(database.env), AppModule.declared));
    expect(await again.query('SELECT name FROM migrations ORDER BY timestamp')).toEqual(recorded);
    await again.destroy();
  });

  const onMysql = onlyWhere(isMysql, 'SQLite has no sessions, and its lock goes with its process');
  onMysql.it('reads rows newer than its wait for a lock in one round trip as well', async () => {
    const oneTrip = new StatementConnection(database.databaseUrl ?? '');
    await oneTrip.run([{ sql: 'SELECT 1', parameters: [] }], () => undefined);
    const { connection } = oneTrip as any;
    await expectNewReads(connection);
    const [silence] = await connection.query('SELECT @@SESSION.wait_timeout AS seconds');
    expect(silence).toEqual([{ seconds: 20 }]);
    await oneTrip.close();
  });

  onMysql.it(
    'starts each session with its own settings, regardless of the defaults of the server',
    async () => {
      const select =
        'SELECT @@SESSION.sql_mode AS modes, @@SESSION.time_zone AS zone, @@autocommit AS commits';
      const expected = {
        modes: expect.stringMatching(
          /^(?=.*STRICT_ALL_TABLES)(?=.*NO_ENGINE_SUBSTITUTION)(?!.*(QUOTES|PIPES|ESCAPES))/,
        ),
        zone: '+00:00',
        commits: 1,
      };
      const settings = new Settings(database.env);
      const bare = new DataSource(dataSourceOptions(settings, AppModule.declared)); // as by the TypeORM command line
      await bare.initialize();
      expect(await bare.query(select)).toEqual([expected]);
      await bare.destroy();
      expect(await dataSource.query(select)).toEqual([expected]);
      await dataSource.transaction((manager) =>
        expectNewReads({ query: async (sql) => [await manager.query(sql)] }),
      );
      const oneTrip = new StatementConnection(settings.databaseUrl ?? '');
      await oneTrip.run([{ sql: 'SELECT 1', parameters: [] }], () => undefined);
      const lock = await takeOwnerLock(settings, () => undefined);
      for (const { connection } of [oneTrip, lock] as any[])
        expect((await connection.query(select))[0]).toEqual([expected]);
      await oneTrip.close();
      await lock.release();
    },
  );

  onMysql.it('aborts a statement that runs too long', async () => {
    const limit = jest.replaceProperty(CONNECTION_LIMITS, 'maxStatementMs', 200);
    const settings = new Settings(database.env);
    const limited = await openDatabase(dataSourceOptions(settings, AppModule.declared));
    const endless =
      'WITH RECURSIVE n AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM n WHERE x < 900) SELECT COUNT(*) FROM n a, n b, n c, n d';
    const error: unknown = await limited.query(endless).catch((caught: unknown) => caught);
    expect(isDatabaseUnavailable(error)).toBe(true);
    const [{ running }] = await limited.query(
      "SELECT COUNT(*) AS running FROM information_schema.processlist WHERE db = DATABASE() AND info LIKE 'WITH RECURSIVE n AS%'",
    );
    expect(running).toBe(0);
    limit.restore();
    await limited.destroy();
  });

  onMysql.it('ends the session of an abandoned statement, even of a write', async () => {
    const limits = [
      jest.replaceProperty(CONNECTION_LIMITS, 'maxSilenceMs', 300),
      jest.replaceProperty(CONNECTION_LIMITS, 'maxStatementMs', 60_000), // as on MySQL, which does not end writes
    ];
    const { databaseUrl = '' } = new Settings(database.env);
    const limited = await openDatabase(dataSourceOptions({ databaseUrl, dataDir: '' }, AppModule.declared));
    const oneTrip = new StatementConnection(databaseUrl);
    const slow = `WITH RECURSIVE n AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM n WHERE x < 900) SELECT COUNT(*) FROM n a, n b, n c`;
    const endless = `UPDATE users SET nickname = 'late' WHERE username = 'given-up' AND (${slow}) > 0`;
    await dataSource.getRepository(User).insert(user('given-up'));
    for (const send of [
      () => limited.query(endless),
      () => oneTrip.run([{ sql: endless, parameters: [] }], () => undefined),
    ]) {
      const error: unknown = await send().catch((caught: unknown) => caught);
      expect(isDatabaseUnavailable(error)).toBe(true);
      const running =
        "SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND info LIKE 'UPDATE users SET nickname = ''late''%'";
      await eventually(async () => (await dataSource.query(running)).length === 0);
    }
    for (const limit of limits) limit.restore();
    await oneTrip.close();
    await limited.destroy();
  });

  it('does not block one kind of requests by another', async () => {
    await dataSource.getRepository(User).insert([user('held'), user('free')]);
    const engine = new CommitEngine(
      new Transactions(dataSource, heldLock),
      unitOfWork,
      new Settings(database.env),
    );
    const rename = (name: string): Statement => ({
      sql: 'UPDATE users SET nickname = ? WHERE username = ?',
      parameters: ['changed', name],
    });
    const kind = (name: string) => ({
      name,
      prepare: (names: readonly string[]) => ({ steps: names.map(rename) }),
    });
    const [one, other] = [engine.open<string, void>(kind('one')), engine.open<string, void>(kind('other'))];
    const done: string[] = [];
    const submit = (queue: typeof one, name: string): Promise<unknown> =>
      queue.submit(name).then(() => done.push(name));
    const submitted: Promise<unknown>[] = [];
    await dataSource.transaction(async (manager) => {
      await manager.update(User, { username: 'held' }, { nickname: 'first' });
      const free = submit(other, 'free');
      submitted.push(submit(one, 'held'), free);
      if (isMysql) await free; // SQLite has one writer
      expect(done).toEqual(isMysql ? ['free'] : []);
    });
    await Promise.all(submitted);
    expect(done).toHaveLength(2);
    await engine.onApplicationShutdown();
  });

  onMysql.it('is not written by a process that has lost the owner lock', async () => {
    let lostTo: Error | undefined;
    const settings = new Settings(database.env);
    const databaseUrl = settings.databaseUrl!;
    const lock = await takeOwnerLock(settings, (reason) => (lostTo = reason));
    expect(lock.isHeld).toBe(true);
    const thief = await createConnection({ uri: databaseUrl });
    const name = `hookline:${new URL(databaseUrl).pathname.slice(1)}`.slice(0, 64);
    const [owner] = await dataSource.query('SELECT IS_USED_LOCK(?) AS id', [name]);
    const stolen = thief.query('SELECT GET_LOCK(?, 10)', [name]);
    await dataSource.query(`KILL ${Number(owner.id)}`);
    await stolen;
    await eventually(() => !lock.isHeld);
    const fenced = new UnitOfWork(
      dataSource,
      new Transactions(dataSource, lock),
      new ChangeLog(() => Promise.resolve()),
    );
    await expect(fenced.run(({ manager }) => manager.insert(User, user('fenced')))).rejects.toThrow(
      DatabaseUnavailable,
    );
    expect((await eventually(() => lostTo)).message).toContain('Another Hookline process');
    expect(await names('fenced')).toEqual([]);
    await thief.end();
    await lock.release();
  });

  onlyWhere(!isMysql, 'the durability of a MySQL server is its own setting').it(
    'flushes each commit of the embedded database to disk',
    async () => {
      expect(await dataSource.query('PRAGMA synchronous')).toEqual([{ synchronous: 2 }]);
      expect(await dataSource.query('PRAGMA journal_mode')).toEqual([{ journal_mode: 'wal' }]);
    },
  );
});
