import { DataSource } from 'typeorm';
import { RecoveriesService } from '../src/delivery/dispatch/recoveries.service.js';
import { User } from '../src/messaging/users/user.entity.js';
import { newId } from '../src/platform/common/ids.js';
import { RemoteCluster } from '../src/remote-cluster/remote-cluster.entity.js';
import { AcceptanceService, ConfirmationService } from '../src/remote-cluster/handshake.service.js';
import { SyncedAccounts } from '../src/shared-channels/sync/synced-accounts.service.js';
import { buildIncomingHook, buildTeam, type BuiltTeam } from './factories/incoming-hooks.js';
import { buildOutgoingHook } from './factories/outgoing-hooks.js';
import { buildConnection } from './factories/remote-clusters.js';
import { buildPostsScene, buildQuietChannel, ordinary, type PostsScene } from './factories/posts.js';
import { buildUser, newAccount } from './factories/users.js';
import type { Answer, ApiClient } from './support/api-client.mjs';
import { useQuickKeys } from './support/invite-keys.js';
import { onlyWhere } from './support/only-where.js';
import { createTestDatabase, isMysql } from './support/test-database.js';
import { startTestServer, type TestServer } from './support/test-server.js';
import { startTwoServers, type TwoServers } from './support/two-servers.js';

const ROUNDS = 4;
const CALLS_EACH = 4;
const CAPS = {
  INCOMING_WEBHOOKS_PER_TEAM: '106',
  OUTGOING_WEBHOOKS_PER_TEAM: '6',
  USERS_PER_CONNECTION: '3',
};

const statuses = (answers: readonly Answer[]): number[] =>
  answers.map(({ status }) => status).sort((a, b) => a - b);

const onMysql = onlyWhere(isMysql, 'the embedded database belongs to one process');
onMysql.describe('simultaneous requests to two processes', () => {
  let servers: TwoServers;
  let scene: PostsScene;
  let team: BuiltTeam;

  beforeAll(async () => {
    servers = await startTwoServers(CAPS);
    servers.both.forEach(useQuickKeys);
    scene = await buildPostsScene(servers.one);
    team = await buildTeam(servers.one.admin);
  }, 60_000);
  afterAll(() => servers?.close());

  const at = (server: TestServer, client: ApiClient = servers.one.admin): ApiClient =>
    server.anonymous.as(client.token);
  /** Several calls to each server at once. */
  const flood = async (call: (client: ApiClient) => Promise<Answer>, as?: ApiClient): Promise<Answer[]> =>
    (
      await servers.race((server) =>
        Promise.all(Array.from({ length: CALLS_EACH }, () => call(at(server, as)))),
      )
    ).flat();
  const inRounds = async (round: () => Promise<void>): Promise<void> => {
    for (let count = 0; count < ROUNDS; count++) await round();
  };

  it('creates one post per pending_post_id, and per Idempotency-Key', () =>
    inRounds(async () => {
      const channel_id = await buildQuietChannel(servers.one, scene);
      const body = { channel_id, message: 'once', pending_post_id: newId() };
      const answers = await flood((client) => client.post('/posts', body), scene.author.client);
      expect(new Set(answers.map(({ status, body: { id } }) => `${status} ${id}`)).size).toBe(1);
      const hook = await buildIncomingHook(servers.one.admin, channel_id);
      const headers = { 'idempotency-key': newId() };
      const sent = await flood((client) =>
        client.as('').post(`/hooks/${hook.id}`, { text: 'once' }, { headers }),
      );
      expect(new Set(statuses(sent))).toEqual(new Set([200]));
      expect(ordinary(await servers.one.admin.get(`/channels/${channel_id}/posts`))).toHaveLength(2);
    }));

  it('creates one message per key, and changes it one call at a time', () =>
    inRounds(async () => {
      const channel_id = await buildQuietChannel(servers.one, scene);
      const hook = await buildIncomingHook(servers.one.admin, channel_id);
      for (const on_key of ['update', 'thread']) {
        let count = 0;
        const sent = await flood((client) =>
          client.as('').post(`/hooks/${hook.id}`, {
            text: `${count++} `.repeat(on_key === 'update' ? 9_000 : 1),
            key: on_key,
            on_key,
          }),
        );
        expect(new Set(statuses(sent))).toEqual(new Set([200]));
      }
      const { body } = await servers.one.admin.get(`/channels/${channel_id}/posts?per_page=200`);
      const posts = ordinary({ body } as Answer).map((id) => body.posts[id]);
      const roots = posts.filter(({ root_id }) => root_id === '');
      const answers = posts.filter(({ root_id, message }) => root_id !== '' && message.length < 9);
      expect(answers).toHaveLength(2 * CALLS_EACH - 1);
      const parts = posts.filter(({ message }) => message.length > 9);
      expect(new Set(parts.map(({ message }) => message.split(' ')[0])).size).toBe(1);
      expect(roots).toHaveLength(parts.filter(({ root_id }) => root_id === '').length + 1);
    }));

  it('keeps a reply that was written while its message was deleted', () =>
    inRounds(async () => {
      const channel_id = await buildQuietChannel(servers.one, scene);
      const hook = await buildIncomingHook(servers.one.admin, channel_id);
      const posted = await servers.one.anonymous.post(`/hooks/${hook.id}?wait=true`, { text: 'a' });
      const [root_id] = posted.body.post_ids;
      const replies = await Promise.all([
        ...[1, 2, 3].map(() =>
          at(servers.other, scene.author.client).post('/posts', { channel_id, root_id, message: 'reply' }),
        ),
        servers.one.anonymous.delete(`/hooks/${hook.id}/messages/${root_id}`),
      ]);
      expect(replies.at(-1)!.status).toBe(204);
      for (const { status, body } of replies.slice(0, 3)) {
        expect([201, 400]).toContain(status);
        if (status === 201) expect((await servers.one.admin.get(`/posts/${body.id}`)).status).toBe(200);
      }
    }));

  it('leaves one administrator when two remove the role from each other', () =>
    inRounds(async () => {
      const all = servers.one.app.get(DataSource).getRepository(User);
      const both = [];
      for (let count = 0; count < 2; count++)
        both.push(await buildUser(servers.one, { roles: 'system_admin system_user' }));
      const [one, other] = both as [(typeof both)[0], (typeof both)[0]];
      // As if the first administrator did not exist.
      await all.update({ id: servers.one.adminId }, { isBot: true });
      try {
        await Promise.all([
          at(servers.one, one.client).put(`/users/${one.id}/roles`, { roles: 'system_user' }),
          at(servers.other, other.client).put(`/users/${other.id}/roles`, { roles: 'system_user' }),
          at(servers.one, other.client).delete(`/users/${other.id}`),
          at(servers.other, one.client).delete(`/users/${one.id}`),
        ]);
        const left = (await all.findBy([{ id: one.id }, { id: other.id }])).filter(
          ({ roles, deleteAt }) => deleteAt === 0 && roles.includes('system_admin'),
        );
        expect(left).toHaveLength(1);
      } finally {
        await all.update({ id: servers.one.adminId }, { isBot: false });
        for (const { id } of both) await all.update({ id }, { roles: 'system_user' });
      }
    }));

  it('assigns each name once', () =>
    inRounds(async () => {
      const account = newAccount();
      const people = await flood((client) => client.post('/users', account));
      const name = `t${newId().slice(0, 12)}`;
      const teams = await flood((client) => client.post('/teams', { name, display_name: name, type: 'O' }));
      const inTeam = { team_id: scene.teamId, name, display_name: name, type: 'O' };
      const channels = await flood((client) => client.post('/channels', inTeam));
      for (const answers of [people, teams, channels])
        expect(statuses(answers).filter((status) => status === 201)).toHaveLength(1);
    }));

  it('creates one direct channel of two users, and one membership', () =>
    inRounds(async () => {
      const [one, other] = [await buildUser(servers.one), await buildUser(servers.one)];
      const direct = await flood((client) => client.post('/channels/direct', [one.id, other.id]));
      expect(new Set(direct.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
      const join = { team_id: scene.teamId, user_id: one.id };
      const joined = await flood((client) => client.post(`/teams/${scene.teamId}/members`, join));
      expect(new Set(statuses(joined))).toEqual(new Set([201]));
      const stats = await servers.other.admin.get(`/users/${one.id}/teams`);
      expect(stats.body).toHaveLength(1);
    }));

  it('enforces the maximum number of webhooks of a team', async () => {
    const { id, channelId } = await buildTeam(servers.one.admin);
    const create = (client: ApiClient): Promise<Answer> =>
      client.post('/hooks/incoming', { channel_id: channelId });
    expect((await create(at(servers.one))).status).toBe(201); // it knows the number, all of them its own
    for (let count = 0; count < 101; count++) expect((await create(at(servers.other))).status).toBe(201);
    expect(statuses(await flood(create))).toEqual([201, 201, 201, 201, 400, 400, 400, 400]);
    const outgoing = await flood((client) =>
      client.post('/hooks/outgoing', {
        team_id: id,
        display_name: 'One of many',
        trigger_words: [newId()],
        callback_urls: ['http://127.0.0.1:9/'],
      }),
    );
    expect(outgoing.filter(({ status }) => status === 201)).toHaveLength(6);
  });

  it('creates one of two webhooks that would fire alike', () =>
    inRounds(async () => {
      const { id } = await buildTeam(servers.one.admin);
      const hook = {
        team_id: id,
        display_name: 'Same',
        trigger_words: ['same'],
        callback_urls: ['http://127.0.0.1:9/'],
      };
      const answers = await flood((client) => client.post('/hooks/outgoing', hook));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    }));

  it('ends with the token that one of the calls returned', async () => {
    const hook = await buildOutgoingHook(servers.one.admin, team.id);
    const answers = await flood((client) => client.post(`/hooks/outgoing/${hook.id}/regen_token`));
    expect(new Set(statuses(answers))).toEqual(new Set([200]));
    const { body } = await servers.other.admin.get(`/hooks/outgoing/${hook.id}`);
    expect(answers.map((answer) => answer.body.token)).toContain(body.token);
  });

  it('enforces the maximum size of preferences', async () => {
    const person = await buildUser(servers.one);
    const value = 'x'.repeat(20_000);
    const put = (client: ApiClient): Promise<Answer> =>
      client.put(
        '/users/me/preferences',
        Array.from({ length: 14 }, () => ({ user_id: person.id, category: 'c', name: newId(), value })),
      );
    const answers = await flood(put, person.client);
    expect(statuses(answers)).toEqual([200, 200, 200, 200, 200, 200, 200, 400]);
  });

  it('starts one recovery of a webhook', () =>
    inRounds(async () => {
      const ownerId = newId();
      const row = {
        ownerId,
        createAt: 1,
        since: 0,
        until: 1,
        total: 1,
        waiting: 0,
        requeued: 0,
        cursorSeq: 0,
        finishAt: 0,
        isStopped: false,
        filter: '',
      };
      const repositories = servers.both.map(({ app }) => app.get(RecoveriesService)['recoveries']);
      const insert = (index: number): Promise<boolean> =>
        servers.both[index as 0].app.get(RecoveriesService)['unitOfWork'].run(async () => {
          const recovery = { ...row, id: newId() };
          await repositories[index]!.insert(recovery);
          if (await repositories[index]!.isAnotherRunning(recovery)) throw new Error('Another is running.');
          return true;
        });
      const made = await Promise.allSettled([insert(0), insert(1), insert(0), insert(1)]);
      expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const [running] = await repositories[0]!.list(ownerId, 10);
      await repositories[0]!.update(running!, { finishAt: 1 });
    }));

  it('accepts no more accounts from a connection than allowed', async () => {
    const { record } = await buildConnection(servers.one.admin, team.id);
    const source = {
      id: newId(),
      remoteId: record.remote_id as string,
      siteUrl: 'https://b.example',
      name: 'branch',
    };
    const names = { nickname: '', firstName: '', lastName: '', position: '', locale: 'en' };
    const saved = await servers.race(({ app }) =>
      Promise.all(
        Array.from({ length: CALLS_EACH }, () => {
          const id = newId();
          const account = { id, username: `r${id}`, email: `${id}@b.example`, ...names, deleteAt: 0 };
          return app.get(SyncedAccounts).save(source, account);
        }),
      ),
    );
    expect(saved.flat().filter((user) => user !== null)).toHaveLength(3);
  });

  it('confirms an invite once', () =>
    inRounds(async () => {
      const clusters = servers.one.app.get(DataSource).getRepository(RemoteCluster);
      const { record } = await buildConnection(servers.one.admin, team.id, { name: `c${newId()}` });
      const { remote_id: remoteId } = record;
      const cluster = await clusters.findOneByOrFail({ remoteId });
      const confirm = ({ app }: TestServer): Promise<void> => {
        const tokens = { token: newId(), refreshed_token: newId() };
        const payload = { remote_id: remoteId, site_url: 'https://b.example', ...tokens };
        return app
          .get(ConfirmationService)
          .confirm(cluster, { remoteId, id: newId(), topic: 'invitation', createAt: 1, payload });
      };
      const confirmed = await Promise.allSettled([...servers.both, ...servers.both].map(confirm));
      expect(confirmed.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect((await clusters.findOneByOrFail({ remoteId })).state).toBe('confirmed');
    }));

  it('leaves an acceptance in progress to its process, and removes an interrupted one', async () => {
    const clusters = servers.one.app.get(DataSource).getRepository(RemoteCluster);
    const { record } = await buildConnection(servers.one.admin, team.id, { name: 'rome' });
    const { remote_id: remoteId } = record;
    await clusters.update({ remoteId }, { state: 'confirming' });
    await servers.other.app.get(AcceptanceService).onApplicationBootstrap();
    expect(await clusters.countBy({ remoteId })).toBe(1);
    await clusters.update({ remoteId }, { createAt: Date.now() - 120_000 });
    await servers.other.app.get(AcceptanceService).onApplicationBootstrap();
    expect(await clusters.countBy({ remoteId })).toBe(0);
  });
});

onMysql.describe('two processes that start at once on an empty database', () => {
  const start = (env: Record<string, string>) =>
    createTestDatabase().then(async (database) => {
      const variables = { REDIS_URL: process.env['TEST_REDIS_URL'] ?? '', ...env };
      const servers = await Promise.all([
        startTestServer(variables, database),
        startTestServer(variables, database),
      ]);
      return {
        servers: servers,
        close: async () => {
          for (const server of servers) await server.close();
          await database.drop();
        },
      };
    });

  it('create the initial data once', async () => {
    const { servers, close } = await start({});
    const [one, other] = servers;
    const { body: teams } = await one.admin.get('/teams');
    const { body: hooks } = await other.admin.get('/hooks/incoming');
    expect([teams.length, hooks.length, one.adminId === other.adminId]).toEqual([1, 1, true]);
    await close();
  }, 60_000);

  it('make only the first account an administrator', async () => {
    const { servers, close } = await start({ BOOTSTRAP: 'none' });
    const answers = await Promise.all(
      servers.flatMap(({ anonymous }) =>
        Array.from({ length: 3 }, () => anonymous.post('/users', newAccount())),
      ),
    );
    const made = answers.filter(({ status }) => status === 201);
    expect(made.filter(({ body }) => body.roles.includes('system_admin'))).toHaveLength(1);
    const rows = await servers[0].app.get(DataSource).getRepository(User).findBy({ isBot: false });
    expect(rows.filter(({ roles }) => roles.includes('system_admin'))).toHaveLength(1);
    await close();
  }, 60_000);
});
