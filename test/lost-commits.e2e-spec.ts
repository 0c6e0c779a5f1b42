import { buildMember, buildTeam } from './factories/incoming-hooks.js';
import { startDatabaseProxy, type DatabaseProxy } from './fakes/database-proxy.js';
import { LiveClient } from './support/live-client.js';
import { onlyWhere } from './support/only-where.js';
import { createTestDatabase, isMysql, type TestDatabase } from './support/test-database.js';
import { startTestServer, type TestServer } from './support/test-server.js';

const onMysql = onlyWhere(isMysql, 'an embedded database belongs to one process');
onMysql.describe('a commit with an unknown outcome in one process', () => {
  let database: TestDatabase;
  let proxy: DatabaseProxy;
  let here: TestServer;
  let there: TestServer;

  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = await startDatabaseProxy(database.databaseUrl ?? '');
    const variables = { REDIS_URL: process.env['TEST_REDIS_URL'] ?? '' };
    const env = { ...database.env, DATABASE_URL: proxy.url };
    here = await startTestServer(variables, { ...database, env });
    there = await startTestServer(variables, database);
  }, 60_000);
  afterAll(async () => {
    await here?.close();
    await there?.close();
    await proxy?.close();
    await database?.drop();
  });

  it('makes the clients of all processes reconnect and catch up', async () => {
    const team = await buildTeam(here.admin);
    const author = await buildMember(here, [team.id]);
    const fields = { channel_id: team.channelId, message: 'nobody knew' };
    await here.admin.call('POST', `/channels/${team.channelId}/members`, { user_id: author.id });
    const clients = await Promise.all(
      [here, there].map((server) => LiveClient.connect(server.url, author.client.token)),
    );
    proxy.loseCommitOf('INSERT INTO `posts`');
    expect((await author.client.post('/posts', fields)).status).toBe(503);
    for (const client of clients) expect((await client.end()).code).toBe(1013);
    const { posts } = await there.admin.call('GET', `/channels/${team.channelId}/posts`);
    expect(Object.values(posts)).toContainEqual(expect.objectContaining(fields));
  });
});
