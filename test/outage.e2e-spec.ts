import { ChangeLog } from '../src/platform/database/changes/change-log.js';
import { readFileSync } from 'node:fs';
import { createConnection } from 'mysql2/promise';
import { DataSource, type EntityManager, In } from 'typeorm';
import { LiveEventsService } from '../src/messaging/live/live-events.service.js';
import { DeliverySucceeded } from '../src/delivery/dispatch/dispatch.events.js';
import { User } from '../src/messaging/users/user.entity.js';
import { CommitEngine } from '../src/platform/database/commits/commit-engine.js';
import { SqliteError, SqliteStatement } from '../src/platform/database/sqlite/sqlite-database.js';
import { Audit } from '../src/platform/audit/audit.entity.js';
import { type DatabaseServer, startDatabaseServer } from '../scripts/database-server.mjs';
import { buildOutgoingHook } from './factories/outgoing-hooks.js';
import { buildPost } from './factories/posts.js';
import { type DatabaseProxy, startDatabaseProxy } from './fakes/database-proxy.js';
import { json, Receiver } from './fakes/receiver.js';
import { compare } from './resilience/audit-of-posts.mjs';
import { Load, type LoadTarget } from './resilience/load.mjs';
import { openStoredRows } from './resilience/stored-rows.mjs';
import { announcedBy } from './support/announcements.js';
import { LiveClient } from './support/live-client.js';
import { onlyWhere } from './support/only-where.js';
import { shortenConnectionLimits } from './support/short-connection-limits.js';
import { createTestDatabase, isMysql, type TestDatabase } from './support/test-database.js';
import { eventually, startTestServer, type TestServer } from './support/test-server.js';

const OUTAGE = 'app.database.unavailable.app_error';
/** Database defaults that our sessions must override: they truncate values, misread quotes and hide changes. */
const ODD_DEFAULTS = [
  '--sql-mode=ANSI_QUOTES,PIPES_AS_CONCAT,NO_BACKSLASH_ESCAPES,IGNORE_SPACE,PAD_CHAR_TO_FULL_LENGTH',
  '--default-time-zone=+05:00',
  '--autocommit=0',
  '--skip-character-set-client-handshake',
  '--character-set-server=latin1',
];
const noFaults = { lost: [], doubled: [], half: [], wrong: [] };

/** Two channels, a hook and a thread for the load. */
async function makeTarget(
  server: TestServer,
): Promise<LoadTarget & { readonly channelIds: readonly string[] }> {
  const { admin } = server;
  const team = (await admin.get('/teams/name/main')).body;
  const make = async (name: string): Promise<string> =>
    (await admin.call('POST', '/channels', { team_id: team.id, name, display_name: name, type: 'O' })).id;
  const [byHook, byApi] = [await make('by-hook'), await make('by-api')];
  const hook = await admin.post('/api/v4/hooks/incoming', { channel_id: byHook, display_name: 'load' });
  const root = await admin.post('/posts', { channel_id: byApi, message: 'root.0.0|1/1|16|' });
  return {
    url: server.url,
    token: server.admin.token,
    hookId: hook.body.id,
    channelId: byApi,
    rootId: root.body.id,
    channelIds: [byHook, byApi],
  };
}

/** Runs `action` under a load of posts, and returns the load with its records. */
async function underLoad(
  target: LoadTarget,
  prefix: string,
  action: (load: Load) => Promise<void>,
): Promise<Load> {
  const load = new Load({ target, prefix, connections: 16, isPatient: true });
  try {
    await eventually(() => load.acknowledgedCount > 50, 20_000);
    await action(load);
  } finally {
    await load.stop();
  }
  return load;
}

/** Checks that every refusal states its reason; returns their number. */
function expectOutageAnswers(load: Load): number {
  for (const { headers, text } of load.refused) {
    expect(headers['content-type']).toBe('application/json');
    expect(headers['retry-after']).toBe('5');
    expect(JSON.parse(text)).toEqual({
      id: OUTAGE,
      message: expect.any(String),
      detailed_error: '',
      request_id: headers['x-request-id'],
      status_code: 503,
    });
  }
  return load.refused.length;
}

const errorsIn = (logs: readonly string[]): string[] =>
  logs.filter((line) => /"level":"(error|fatal)"/.test(line));

/** Checks that every acknowledged request of the load is stored exactly once. */
async function expectEverythingStored(
  load: Load,
  target: Awaited<ReturnType<typeof makeTarget>>,
  place: TestDatabase,
  prefix: string,
): Promise<void> {
  const rows = await openStoredRows(place);
  try {
    const found = await rows.postsAfter(0, target.channelIds);
    found.pieces.forEach((_, marker) => {
      if (!marker.startsWith(prefix)) (found.pieces as Map<string, unknown>).delete(marker);
    });
    const hooks = await rows.hooksNamed(prefix);
    expect(compare({ sent: load.sent, found, hooks })).toEqual(noFaults);
    expect(await rows.wrongCounters(target.channelIds, target.rootId)).toEqual([]);
  } finally {
    await rows.close();
  }
}

const onSqlite = onlyWhere(!isMysql, 'a test cannot fill the disk of a MySQL server');
onSqlite.describe('a full disk under the embedded database', () => {
  let database: TestDatabase;
  let server: TestServer;
  let dataSource: DataSource;
  let target: Awaited<ReturnType<typeof makeTarget>>;

  beforeAll(async () => {
    database = await createTestDatabase();
    server = await startTestServer({}, database);
    dataSource = server.app.get(DataSource);
    target = await makeTarget(server);
  });
  afterAll(async () => {
    await server.close();
    await database.drop();
  });

  const allowMorePages = async (more: number): Promise<void> => {
    const [{ page_count: pages }] = await dataSource.query('PRAGMA page_count');
    await dataSource.query(`PRAGMA max_page_count = ${pages + more}`);
  };

  it('causes 503 for what cannot be stored, loses no accepted data, and recovers on its own', async () => {
    const audited: string[] = [];
    const load = await underLoad(target, 'full', async (load) => {
      await allowMorePages(10);
      await eventually(() => load.refused.length > 50);
      // A small row may still fit into an existing page, until all pages are full.
      const refusal = await eventually(async () => {
        const body = { channel_id: target.channelId, display_name: 'more', description: 'x'.repeat(500) };
        const answer = await server.admin.post('/api/v4/hooks/incoming', body);
        audited.push(String(answer.headers['x-request-id']));
        return answer.status === 503 ? answer : undefined;
      });
      expect(refusal.body.id).toBe(OUTAGE);
      expect((await server.admin.get(`/channels/${target.channelId}/posts?per_page=1`)).status).toBe(200);
      expect((await server.anonymous.get('/health/live')).status).toBe(200);

      const before = load.acknowledgedCount;
      await allowMorePages(100_000);
      await eventually(() => load.acknowledgedCount > before + 100);
    });

    expect(expectOutageAnswers(load)).toBeGreaterThan(50);
    expect(load.unanswered.filter((item) => item.answeredAt === 0)).toEqual([]);
    await expectEverythingStored(load, target, database, 'full');
    // Requests refused during that time are in the audit log too, once.
    await eventually(async () => {
      const rows = await dataSource.getRepository(Audit).findBy({ requestId: In(audited) });
      return rows.length === audited.length && new Set(rows.map((row) => row.requestId)).size === rows.length;
    });
    const errors = errorsIn(server.logs);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain('The database is not available');
  }, 60_000);
});

onSqlite.describe('a disk that fails under the embedded database', () => {
  let server: TestServer;
  beforeAll(async () => (server = await startTestServer()));
  afterAll(() => server.close());

  it('leaves outcomes unknown only while it fails, and stores nothing twice', async () => {
    const target = await makeTarget(server);
    const dataSource = server.app.get(DataSource);
    const say = () =>
      server.anonymous.post(
        `/hooks/${target.hookId}`,
        { text: 'asked twice' },
        { headers: { 'idempotency-key': 'asked twice' } },
      );
    const client = await LiveClient.connect(server.url, server.admin.token);
    const { run } = SqliteStatement.prototype;
    const commits = jest.spyOn(SqliteStatement.prototype, 'run').mockImplementation(function (
      this: SqliteStatement,
      ...parameters
    ) {
      const answer = run.apply(this, parameters);
      if (this['statement'].sourceSQL === 'COMMIT')
        throw new SqliteError('The disk is gone.', 'SQLITE_IOERR_FSYNC');
      return answer;
    });
    const failed = await say();
    expect([failed.status, failed.body.message]).toEqual([
      503,
      expect.stringContaining('It may be stored or not'),
    ]);
    expect((await server.anonymous.get('/health/live')).status).toBe(200);
    commits.mockRestore();
    expect((await client.end()).code).toBe(1013); // clients reconnect and reload what they may have missed
    expect(await eventually(async () => ((await say()).status === 200 ? true : undefined))).toBe(true);
    const [row] = await dataSource.query("SELECT COUNT(*) AS n FROM posts WHERE message = 'asked twice'");
    expect(Number(row.n)).toBe(1);
    expect(errorsIn(server.logs).every((line) => line.includes('The database is not available'))).toBe(true);
  });
});

const onMysql = onlyWhere(isMysql, 'SQLite has no server');
onMysql.describe('a database server outage', () => {
  let mysql: DatabaseServer;
  let place: TestDatabase;
  let server: TestServer;
  let target: Awaited<ReturnType<typeof makeTarget>>;

  beforeAll(async () => {
    mysql = await startDatabaseServer({
      isPrivate: true,
      flushLogAtTrxCommit: 1,
      serverArguments: ODD_DEFAULTS,
      say: () => undefined,
    });
    await ask('CREATE DATABASE outage CHARACTER SET utf8mb4');
    const { dataDir, drop } = await createTestDatabase();
    const databaseUrl = `${mysql.url}/outage`;
    place = { dataDir, databaseUrl, env: { DATA_DIR: dataDir, DATABASE_URL: databaseUrl }, drop };
    const env = { ALLOWED_INTERNAL_HOSTS: '127.0.0.1', TRUSTED_PROXIES: 'loopback' };
    server = await startTestServer(env, place);
    target = await makeTarget(server);
  }, 60_000);
  afterAll(async () => {
    await server?.close();
    await place?.drop();
    await mysql?.stop();
  });

  async function ask<T>(sql: string): Promise<T[]> {
    const connection = await createConnection({ uri: mysql.url });
    try {
      const [rows] = await connection.query(sql);
      return rows as T[];
    } finally {
      await connection.end();
    }
  }

  it('may truncate long values and misread escaped ones by default, but not in our sessions', async () => {
    const { admin, app } = server;
    const team = (await admin.get('/teams/name/main')).body;
    const channelId = (await admin.get(`/teams/${team.id}/channels/name/town-square`)).body.id;
    const message = `it's a "trap" \\' OR '1'='1' || 🚀 größer\n`;
    const post = (await admin.call('POST', '/posts', { channel_id: channelId, message })) as { id: string };
    expect((await admin.get(`/posts/${post.id}`)).body.message).toBe(message);
    const rename = (manager: EntityManager, nickname: string): Promise<unknown> =>
      manager.update(User, { username: 'admin' }, { nickname });
    const { manager } = app.get(DataSource);
    const before = (await manager.findOneByOrFail(User, { username: 'admin' })).nickname;
    await expect(rename(manager, 'n'.repeat(500))).rejects.toThrow(/too long/);
    expect((await manager.findOneByOrFail(User, { username: 'admin' })).nickname).toBe(before);
    const statements = [
      { sql: 'UPDATE users SET nickname = ? WHERE username = ?', parameters: ['n'.repeat(500), 'admin'] },
    ];
    await expect(app.get(CommitEngine).run(...statements)).rejects.toThrow(/too long/);
  });

  it('has a free connection for other addresses, no matter how many requests of one address wait', async () => {
    const { admin } = server;
    const holder = await createConnection({ uri: place.databaseUrl });
    await holder.query('LOCK TABLES posts WRITE');
    const lists = Array.from({ length: 40 }, () => admin.get(`/channels/${target.channelId}/posts`));
    const waiting = `SELECT COUNT(*) AS count FROM information_schema.processlist WHERE db = 'outage' AND state LIKE 'Waiting%lock'`;
    await eventually(async () => Number((await ask<{ count: number }>(waiting))[0]?.count) >= 10);
    const other = await admin.get('/users/stats', { headers: { 'x-forwarded-for': '192.0.2.7' } });
    await holder.end();
    expect(other.body).toEqual({ total_users_count: 1 });
    expect((await Promise.all(lists)).map(({ status }) => status)).toEqual(lists.map(() => 200));
  });

  it('causes 503 until it ends, then everything continues without a restart', async () => {
    const load = await underLoad(target, 'gone', async (load) => {
      await mysql.kill();
      await eventually(() => load.refused.length > 100);
      const ready = await server.anonymous.get('/health/ready');
      expect(ready.status).toBe(503);
      expect(ready.body).toMatchObject({ id: OUTAGE, status_code: 503 });
      expect((await server.anonymous.get('/health/live')).status).toBe(200);
      expect((await server.admin.get('/users/me/teams')).status).toBe(503);

      const before = load.acknowledgedCount;
      await mysql.restart();
      await eventually(() => load.acknowledgedCount > before + 100);
      await eventually(async () => (await server.anonymous.get('/health/ready')).status === 200);
    });

    expect(expectOutageAnswers(load)).toBeGreaterThan(100);
    expect(load.unanswered.filter((item) => item.answeredAt === 0)).toEqual([]);
    await expectEverythingStored(load, target, place, 'gone');
    const errors = errorsIn(server.logs);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain('The database is not available');
  }, 60_000);

  it('loses no delivery that was triggered before, during or after it', async () => {
    const receiver = await Receiver.start();
    const team = (await server.admin.get('/teams/name/main')).body;
    await buildOutgoingHook(server.admin, team.id, {
      channel_id: target.channelId,
      trigger_words: [],
      callback_urls: [receiver.url()],
      content_type: 'application/json',
    });
    const since = await ask<{ seq: string }>('SELECT MAX(seq) AS seq FROM outage.posts');
    await underLoad(target, 'call', async (load) => {
      await mysql.kill();
      await eventually(() => load.refused.length > 50);
      const before = load.acknowledgedCount;
      await mysql.restart();
      await eventually(() => load.acknowledgedCount > before + 100);
    });
    const open = "SELECT COUNT(*) AS n FROM outage.deliveries WHERE status IN ('pending', 'retrying')";
    await eventually(async () => Number((await ask<{ n: number }>(open))[0]?.n) === 0, 30_000);
    const posts = await ask<{ id: string }>(
      `SELECT id FROM outage.posts WHERE channel_id = '${target.channelId}' AND seq > ${since[0]?.seq}`,
    );
    const received = new Set(receiver.calls.map(({ body }) => JSON.parse(body).post_id as string));
    expect(posts.filter(({ id }) => !received.has(id))).toEqual([]);
    expect(posts.length).toBeGreaterThan(10);
    await receiver.close();
  }, 90_000);

  it('closes dead connections at both ends', async () => {
    const rows = await server.app.get(DataSource).query('SELECT @@SESSION.wait_timeout AS seconds');
    expect(rows).toEqual([{ seconds: 20 }]);
  });

  it('ends with the owner lock held again, so that a second process is still refused', async () => {
    await eventually(async () => {
      const [row] = await ask<{ owner: number | null }>("SELECT IS_USED_LOCK('hookline:outage') AS owner");
      return row?.owner;
    });
    await expect(startTestServer({}, place)).rejects.toThrow('Another Hookline process is already using');
    expect((await server.anonymous.get('/health/ready')).status).toBe(200);
  }, 30_000);

  it('may be a freeze: calls wait or are refused, and nothing is lost', async () => {
    const [file] = await ask<{ path: string }>('SELECT @@pid_file AS path');
    const pid = Number(readFileSync(file?.path ?? '', 'utf8'));
    const load = await underLoad(target, 'cold', async (load) => {
      process.kill(pid, 'SIGSTOP');
      const frozenAt = performance.now();
      try {
        // Readiness times out after two seconds, so by then posts have waited that long too.
        const ready = await server.anonymous.get('/health/ready');
        expect(ready.status).toBe(503);
        await eventually(() => performance.now() - frozenAt > 3_000);
      } finally {
        process.kill(pid, 'SIGCONT');
      }
      const before = load.acknowledgedCount;
      await eventually(() => load.acknowledgedCount > before + 100);
    });

    expectOutageAnswers(load);
    expect(load.unanswered.filter((item) => item.answeredAt === 0)).toEqual([]);
    await expectEverythingStored(load, target, place, 'cold');
    expect((await server.anonymous.get('/health/ready')).status).toBe(200);
  }, 60_000);
});

onMysql.describe('a broken connection to the database server', () => {
  let place: TestDatabase;
  let proxy: DatabaseProxy;
  let server: TestServer;
  let dataSource: DataSource;
  let target: Awaited<ReturnType<typeof makeTarget>>;

  beforeAll(async () => {
    shortenConnectionLimits();
    place = await createTestDatabase();
    proxy = await startDatabaseProxy(place.databaseUrl ?? '');
    const env = { ...place.env, DATABASE_URL: proxy.url };
    server = await startTestServer({ ALLOWED_INTERNAL_HOSTS: '127.0.0.1' }, { ...place, env });
    dataSource = server.app.get(DataSource);
    target = await makeTarget(server);
  }, 60_000);
  afterAll(async () => {
    jest.restoreAllMocks();
    await server?.close();
    await proxy?.close();
    await place?.drop();
  });

  const postOnce = (key: string) =>
    server.anonymous.post(`/hooks/${target.hookId}`, { text: key }, { headers: { 'Idempotency-Key': key } });

  it('stores the audit row of a request without changes once, if the row or its reply was lost', async () => {
    const path = `/channels/${target.channelId}/members`;
    const join = () => server.admin.post(path, { user_id: server.adminId });
    await join(); // later calls change nothing
    const make = async () => {
      const made = await join();
      expect(made.status).toBe(201);
      return String(made.headers['x-request-id']);
    };
    const rowsOf = (requestId: string) => dataSource.getRepository(Audit).countBy({ requestId });
    proxy.loseReplyTo('INSERT INTO `audits`');
    const stored = await make();
    proxy.lose('INSERT INTO `audits`');
    const missing = await make();
    expect(proxy.losses).toBe(2);
    expect(await rowsOf(stored)).toBe(1);
    await eventually(() => rowsOf(missing)); // rows are retried in order, so the first is done by then
    expect([await rowsOf(stored), await rowsOf(missing)]).toEqual([1, 1]);
    expect(errorsIn(server.logs).filter((line) => line.includes('audit row'))).toEqual([]);
  });

  it('stores no change whose audit row was lost', async () => {
    const body = { channel_id: target.channelId, display_name: 'not audited' };
    const { losses } = proxy;
    proxy.lose('INSERT INTO `audits`');
    const made = await server.admin.post('/hooks/incoming', body);
    expect([made.status, proxy.losses]).toEqual([503, losses + 1]);
    const hooks = await server.admin.call('GET', '/hooks/incoming?per_page=200');
    expect(hooks).not.toContainEqual(expect.objectContaining({ display_name: 'not audited' }));
    expect((await server.admin.post('/hooks/incoming', body)).status).toBe(201);
  });

  /** The holder of the owner lock, queried without the proxy. */
  const lockOwner = async (): Promise<number | null> => {
    const connection = await createConnection({ uri: place.databaseUrl ?? '' });
    try {
      const [rows] = await connection.query("SELECT IS_USED_LOCK(CONCAT('hookline:', DATABASE())) AS owner");
      return (rows as { owner: number | null }[])[0]?.owner ?? null;
    } finally {
      await connection.end();
    }
  };

  it('may silently drop all data: calls are refused, and everything continues after the recovery', async () => {
    const owner = await lockOwner();
    const load = await underLoad(target, 'mute', async (load) => {
      proxy.fallSilent();
      await eventually(() => load.refused.length > 50, 30_000);
      const before = load.acknowledgedCount;
      proxy.heal();
      // The database releases the locks of dead connections, including the owner lock, when it closes them.
      await eventually(() => load.acknowledgedCount > before + 100, 60_000);
    });
    expect(owner).toEqual(expect.any(Number));
    expect(await lockOwner()).not.toBe(owner);

    expectOutageAnswers(load);
    expect(load.unanswered.filter((item) => item.answeredAt === 0)).toEqual([]);
    await expectEverythingStored(load, target, place, 'mute');
    await eventually(async () => (await server.anonymous.get('/health/ready')).status === 200);
  }, 120_000);

  it('reports an unknown outcome if the reply to a commit was lost, and the idempotency key resolves it', async () => {
    proxy.loseReplyTo('INSERT INTO `posts`');
    const lost = await postOnce('asked twice');
    expect(lost.status).toBe(503);
    expect(lost.body.message).toContain('It may be stored or not');
    const again = await postOnce('asked twice');
    expect([again.status, again.text]).toEqual([200, 'ok']);
    const [row] = await dataSource.query("SELECT COUNT(*) AS n FROM posts WHERE message = 'asked twice'");
    expect(Number(row.n)).toBe(1);
  });

  it('reports a delivery whose reply was stored, if the reply to the commit was lost', async () => {
    const receiver = await Receiver.start(json({ text: 'stored with a lost reply' }));
    const team = (await server.admin.get('/teams/name/main')).body;
    const hook = await buildOutgoingHook(server.admin, team.id, {
      channel_id: target.channelId,
      callback_urls: [receiver.url()],
    });
    const succeeded = await announcedBy(server, [DeliverySucceeded], async () => {
      proxy.loseReplyTo('SET reply_post_id');
      await buildPost(server.admin, target.channelId, { message: 'deploy' });
      const log = `/api/v4/hooks/outgoing/${hook.id}/deliveries`;
      await eventually(
        async () => (await server.admin.get(log)).body.deliveries?.[0]?.status === 'delivered',
      );
      await eventually(async () =>
        /^hookline_delivery_attempts_total\{.*delivered.*\} 1$/m.test(await server.metrics()),
      );
    });
    expect(succeeded).toHaveLength(1);
    const replies = "SELECT COUNT(*) AS n FROM posts WHERE message = 'stored with a lost reply'";
    expect(Number((await dataSource.query(replies))[0].n)).toBe(1);
    await receiver.close();
  });

  it('handles a commit whose reply was lost: clients reconnect, and deliveries are made', async () => {
    const receiver = await Receiver.start();
    const team = (await server.admin.get('/teams/name/main')).body;
    const channel_id = target.channelId;
    await buildOutgoingHook(server.admin, team.id, { channel_id, callback_urls: [receiver.url()] });
    const client = await LiveClient.connect(server.url, server.admin.token);
    proxy.loseCommitOf('INSERT INTO `posts`');
    const lost = await server.admin.post('/posts', { channel_id, message: 'deploy' });
    expect([lost.status, lost.body.message]).toEqual([
      503,
      expect.stringContaining('It may be stored or not'),
    ]);
    expect((await client.end()).code).toBe(1013);
    await eventually(() => receiver.calls.length === 1);
    await receiver.close();
  });

  it('drops its caches if the reply to a commit was lost', async () => {
    const { username } = (await server.admin.get('/users/me')).body;
    const client = await server.login(username);
    expect((await client.get('/users/me')).status).toBe(200);
    proxy.loseCommitOf('DELETE FROM `sessions`');
    expect((await client.post('/users/logout')).status).toBe(503);
    await eventually(async () => (await client.get('/users/me')).status === 401);
    await eventually(() => !server.app.get(ChangeLog).isBehind); // clients are told to reconnect only after that
  });

  it('delays events whose data cannot be read, and loses none', async () => {
    const client = await LiveClient.connect(server.url, server.admin.token);
    const events = server.app.get(LiveEventsService);
    const publish = (text: string): void =>
      events.publish({
        event: 'told',
        broadcast: {},
        data: async () => (await dataSource.query(`SELECT '${text}' AS text`))[0],
      });
    proxy.lose("SELECT 'first'");
    for (const text of ['first', 'second']) publish(text);
    await client.event('told', ({ data }) => data['text'] === 'second');
    expect(client.named('told').map(({ data }) => data['text'])).toEqual(['first', 'second']);
    client.close();
  });

  it('closes idle connections properly, so that the database logs no aborted ones', async () => {
    const { aborted } = proxy;
    const posts = Array.from({ length: 8 }, (_, n) => postOnce(`busy ${n}`));
    const reads = Array.from({ length: 8 }, () => dataSource.query('SELECT SLEEP(0.2)')); // each uses a connection
    await Promise.all([...posts, ...reads]);
    expect(proxy.open).toBeGreaterThan(8);
    await eventually(() => proxy.open <= 5, 30_000); // the owner lock, and those of jobs that run at the same time
    expect(proxy.aborted - aborted).toBe(0);
  }, 60_000);
});
