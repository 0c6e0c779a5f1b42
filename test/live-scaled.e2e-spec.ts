import { type RedisServer, startRedisServer } from '../scripts/redis-server.mjs';
import { LivePresence } from '../src/messaging/live/connections/live-presence.js';
import { StatusesService } from '../src/messaging/users/statuses/statuses.service.js';
import { Bus } from '../src/platform/scaling/bus.js';
import { RedisCheck } from '../src/platform/scaling/redis-check.js';
import type { RedisBus } from '../src/platform/scaling/redis-bus.js';
import { buildMember, buildTeam, type BuiltTeam, type BuiltUser } from './factories/incoming-hooks.js';
import { startDatabaseProxy } from './fakes/database-proxy.js';
import { LiveClient } from './support/live-client.js';
import { onlyWhere } from './support/only-where.js';
import { createTestDatabase, isMysql, type TestDatabase } from './support/test-database.js';
import { eventually, startTestServer, type TestServer } from './support/test-server.js';

const onMysql = onlyWhere(isMysql, 'an embedded database belongs to one process');
onMysql.describe('live events of two processes', () => {
  let redis: RedisServer;
  let database: TestDatabase;
  /** The process where events happen, and the one with the connection. */
  let here: TestServer;
  let there: TestServer;
  let team: BuiltTeam;
  let author: BuiltUser;
  let reader: BuiltUser;
  const open: LiveClient[] = [];

  beforeAll(async () => {
    redis = await startRedisServer({ isPrivate: true });
    database = await createTestDatabase();
    const start = (): Promise<TestServer> => startTestServer({ REDIS_URL: redis.url }, database);
    here = await start();
    there = await start();
    await connected();
    team = await buildTeam(here.admin);
    author = await buildMember(here, [team.id]);
    reader = await buildMember(here, [team.id]);
    for (const { id } of [author, reader])
      await here.admin.call('POST', `/channels/${team.channelId}/members`, { user_id: id });
  }, 60_000);
  afterEach(() => {
    for (const client of open.splice(0)) client.close();
  });
  afterAll(async () => {
    await here?.close();
    await there?.close();
    await database?.drop();
    await redis?.stop();
  });

  const connected = (): Promise<boolean> =>
    eventually(() => [here, there].every(({ app }) => app.get(Bus).isConnected));

  async function listen(server: TestServer, user: BuiltUser, query = ''): Promise<LiveClient> {
    const client = await LiveClient.connect(server.url, user.client.token, query);
    open.push(client);
    return client;
  }

  const postOf = ({ data }: { data: Record<string, any> }) =>
    JSON.parse(data['post']) as { id: string; message: string; channel_id: string };

  async function post(message: string): Promise<string> {
    const answer = await author.client.post('/posts', { channel_id: team.channelId, message });
    expect(answer.status).toBe(201);
    return answer.body.id as string;
  }

  it('include posts, edits and deletions, as in the process where they happen', async () => {
    const near = await listen(here, reader);
    const far = await listen(there, reader);
    const { username } = (await reader.client.get('/users/me')).body;
    const id = await post(`@${username} look`);
    expect(JSON.parse((await near.event('posted')).data['mentions'])).toEqual([reader.id]);
    await author.client.put(`/posts/${id}/patch`, { message: 'second' });
    await far.event('post_edited');
    await author.client.delete(`/posts/${id}`);
    for (const client of [near, far]) await client.event('post_deleted');
    const told = (client: LiveClient) =>
      client.events
        .filter(({ event }) => event.startsWith('post'))
        .map(({ seq: _, ...frame }) => ({ ...frame, data: { ...frame.data, post: postOf(frame) } }));
    expect(told(far)).toEqual(told(near));
    expect(told(far).map(({ event }) => event)).toEqual(['posted', 'post_edited', 'post_deleted']);
    expect(far.events.map(({ seq }) => seq)).toEqual(far.events.map((_, index) => index));
  });

  it('arrive soon after the response, in the order of the channel, to members only', async () => {
    const far = await listen(there, reader);
    const stranger = await listen(there, await buildMember(here, [team.id]));
    const times: number[] = [];
    for (let i = 0; i < 20; i++) {
      const message = `soon ${i}`;
      await post(message);
      const startedAt = performance.now();
      while (!far.named('posted').some((frame) => postOf(frame).message === message))
        await new Promise(setImmediate);
      times.push(performance.now() - startedAt);
    }
    await Promise.all(Array.from({ length: 20 }, (_, i) => post(`together ${i}`)));
    const told = (): string[] =>
      far
        .named('posted')
        .map((frame) => postOf(frame))
        .filter(({ channel_id }) => channel_id === team.channelId)
        .map(({ id }) => id);
    await eventually(() => told().length === 40);
    const listed = (await here.admin.get(`/channels/${team.channelId}/posts?per_page=40`)).body;
    expect(told()).toEqual([...listed.order].reverse());
    expect(stranger.named('posted')).toEqual([]);
    times.sort((a, b) => a - b);
    console.info(
      `posts reach the other process: median ${times[10]?.toFixed(1)} ms, slowest ${times.at(-1)?.toFixed(1)} ms`,
    );
    expect(times.at(-1)).toBeLessThan(1_000);
  });

  it('include typing, viewed channels and new members', async () => {
    const near = await listen(here, author);
    const far = await listen(there, reader);
    await near.ask('user_typing', { channel_id: team.channelId });
    expect((await far.event('typing')).data).toEqual({ user_id: author.id, parent_id: '' });
    await reader.client.post('/channels/members/me/view', { channel_id: team.channelId });
    expect(Object.keys((await far.event('multiple_channels_viewed')).data['channel_times'])).toEqual([
      team.channelId,
    ]);
    const late = await buildMember(here, [team.id]);
    const client = await listen(there, late);
    await here.admin.call('POST', `/channels/${team.channelId}/members`, { user_id: late.id });
    await post('for the new one as well');
    await client.event('posted');
  });

  it('show one status of a user everywhere', async () => {
    const user = await buildMember(here, [team.id]);
    const status = async (server: TestServer): Promise<string> =>
      (await server.admin.get(`/users/${user.id}/status`)).body.status as string;
    const onBoth = (wanted: string): Promise<boolean> =>
      eventually(async () => (await status(here)) === wanted && (await status(there)) === wanted);
    const near = await listen(here, user);
    await onBoth('online');
    const far = await listen(there, user);
    near.close();
    await eventually(() => !here.app.get(LivePresence)['here'].has(user.id));
    await eventually(
      () => !there.app.get(LivePresence)['elsewhere'].get(here.app.get(Bus).processId)?.has(user.id),
    );
    expect([await status(here), await status(there)]).toEqual(['online', 'online']);
    await user.client.put(`/users/${user.id}/status`, { user_id: user.id, status: 'dnd' });
    await onBoth('dnd');
    expect((await far.event('status_change')).data).toEqual({ user_id: user.id, status: 'dnd' });
    await user.client.put(`/users/${user.id}/status`, { user_id: user.id, status: 'online' });
    await onBoth('online');
    far.close();
    await onBoth('offline');
  });

  it('start a new connection for a client that comes from the other process', async () => {
    const near = await listen(here, reader);
    const { connectionId, expectedSeq } = near;
    near.close();
    const far = await listen(there, reader, `?connection_id=${connectionId}&sequence_number=${expectedSeq}`);
    const hello = await far.event('hello');
    expect(hello.seq).toBe(0);
    expect(hello.data['connection_id']).not.toBe(connectionId);
  });

  it('count wrong passwords in both', async () => {
    const { id } = await buildMember(here);
    const { username } = (await here.admin.get(`/users/${id}`)).body;
    const attempt = async (server: TestServer) =>
      (await server.anonymous.post('/users/login', { login_id: username, password: 'wrong one' })).status;
    for (let i = 0; i < 5; i++) for (const server of [here, there]) expect(await attempt(server)).toBe(401);
    await eventually(async () => (await attempt(here)) === 429);
    await eventually(async () => (await attempt(there)) === 429);
  });

  it('are requested by a starting process, and end with a stopping one', async () => {
    const user = await buildMember(here, [team.id]);
    await listen(here, user);
    const late = await startTestServer({ REDIS_URL: redis.url }, database);
    try {
      const statusAt = (server: TestServer): string => server.app.get(StatusesService).get(user.id).status;
      await eventually(() => statusAt(late) === 'online');
      const other = await buildMember(here, [team.id]);
      await listen(late, other);
      await eventually(() => there.app.get(StatusesService).get(other.id).status === 'online');
      await late.close();
      await eventually(() => there.app.get(StatusesService).get(other.id).status === 'offline');
      expect(statusAt(there)).toBe('online');
    } finally {
      await late.close();
    }
  }, 60_000);

  it('forget the clients of a silent process, and let the others read its last messages', async () => {
    const user = await buildMember(here, [team.id]);
    const far = await listen(there, reader);
    const late = await startTestServer({ REDIS_URL: redis.url }, database);
    try {
      await listen(late, user);
      const status = (): string => there.app.get(StatusesService).get(user.id).status;
      await eventually(() => status() === 'online');
      late.app.get<RedisBus>(Bus)['publisher']?.disconnect(); // it can send nothing more
      await eventually(() => status() === 'offline');
      expect((await far.end()).code).toBe(1013);
    } finally {
      await late.close();
    }
  }, 60_000);

  it('end when the session does, even without Redis', async () => {
    const user = await buildMember(here, [team.id]);
    const far = await listen(there, user);
    await redis.kill();
    try {
      await eventually(() => !here.app.get(Bus).isConnected);
      const startedAt = performance.now();
      await user.client.post('/users/logout');
      expect((await far.end()).code).toBe(1008);
      console.info(
        `without Redis, the socket of an ended session closes after ${Math.round(performance.now() - startedAt)} ms`,
      );
    } finally {
      await redis.restart();
    }
    await connected();
  }, 60_000);

  it('disconnect clients that may have missed events, and these catch up', async () => {
    const far = await listen(there, reader);
    await redis.kill();
    await eventually(() => !here.app.get(Bus).isConnected && !there.app.get(Bus).isConnected);
    const id = await post('while Redis is away');
    expect(far.named('posted')).toEqual([]);
    await redis.restart();
    expect((await far.end()).code).toBe(1013);
    await connected();
    const again = await listen(
      there,
      reader,
      `?connection_id=${far.connectionId}&sequence_number=${far.expectedSeq}`,
    );
    expect((await again.event('hello')).data['connection_id']).not.toBe(far.connectionId);
    const read = (await reader.client.get(`/channels/${team.channelId}/posts`)).body;
    expect(read.order).toContain(id);
    await post('and after');
    await again.event('posted', (frame) => postOf(frame).message === 'and after');
  }, 60_000);

  it('keeps connections if nothing was missed while Redis was away', async () => {
    const far = await listen(there, reader);
    await redis.kill();
    await eventually(() => !there.app.get(Bus).isConnected);
    await redis.restart();
    await connected();
    await post('nobody had to reconnect');
    await far.event('posted');
    expect(far.closed).toBeUndefined();
  }, 60_000);

  it('continue after Redis connections were cut silently', async () => {
    const proxy = await startDatabaseProxy(redis.url);
    const late = await startTestServer({ REDIS_URL: proxy.url }, database);
    const bus = late.app.get(Bus);
    const check = late.app.get(RedisCheck);
    try {
      await eventually(() => bus.isConnected);
      proxy.fallSilent();
      await eventually(() => !bus.isConnected);
      await check['checks'].run();
      expect(check.faults).toEqual([expect.stringContaining('does not respond')]);
      proxy.heal();
      await eventually(() => bus.isConnected);
      await eventually(() => check.faults.length === 0);
      const far = await listen(late, reader);
      await post('over new connections');
      await far.event('posted', (frame) => postOf(frame).message === 'over new connections');
    } finally {
      await late.close();
      await proxy.close();
    }
  }, 60_000);
});
