import { DataSource } from 'typeorm';
import { newId } from '../src/platform/common/ids.js';
import { FailuresService } from '../src/failure-messages/failures.service.js';
import { ServerBot } from '../src/messaging/posts/server-bot.js';
import { PeerWatch } from '../src/failure-messages/missed-failures.js';
import { RemoteCluster } from '../src/remote-cluster/remote-cluster.entity.js';
import { buildChannel } from './factories/channels.js';
import { buildOutgoingHook } from './factories/outgoing-hooks.js';
import { buildTeam, buildTeamMember } from './factories/teams.js';
import type { BuiltUser } from './factories/users.js';
import { Receiver } from './fakes/receiver.js';
import { expectError } from './support/expect-error.js';
import { createTestDatabase, type TestDatabase } from './support/test-database.js';
import { eventually, startTestServer, type TestServer } from './support/test-server.js';

const ENV = { ALLOWED_INTERNAL_HOSTS: '127.0.0.1', OUTGOING_SCHEDULE: '0s,20ms' };
const DAY_MS = 86_400_000;

describe('owners of failing webhooks and connections', () => {
  let database: TestDatabase;
  let server: TestServer;
  let receiver: Receiver;
  let status: number;
  let team: any;
  let channel: any;
  let owner: BuiltUser;

  beforeAll(async () => {
    database = await createTestDatabase();
    server = await startTestServer(ENV, database);
    receiver = await Receiver.start(({ path }, response) => {
      response.statusCode = path.startsWith('/fine') ? 200 : status;
      if (status === 299) response.setHeader('webhook-delivery', 'disable');
      response.end();
    });
  });
  beforeEach(async () => {
    status = 500;
    team = await buildTeam(server.admin);
    channel = await buildChannel(server.admin, team.id);
    owner = await buildTeamMember(server, team.id);
  });
  afterAll(async () => {
    await server.close();
    await receiver.close();
    await database.drop();
  });

  const hookOf = (creatorId: string, ...otherUrls: readonly string[]): Promise<any> =>
    buildOutgoingHook(server.admin, team.id, {
      channel_id: channel.id,
      display_name: 'Deploys',
      creator_id: creatorId,
      trigger_words: ['go'],
      callback_urls: [receiver.url(`/${newId()}`), ...otherUrls],
    });
  const say = (): Promise<any> =>
    server.admin.call('POST', '/posts', { channel_id: channel.id, message: 'go' });
  const restart = async (): Promise<void> => {
    await server.close();
    server = await startTestServer(ENV, database);
  };
  /** The messages of the server to a user, oldest first. */
  const told = async ({ id }: Pick<BuiltUser, 'id'>): Promise<string[]> => {
    for (const failures of server.everywhere(FailuresService)) await failures['last'];
    const { status: found, body } = await server.admin.get('/users/username/hookline');
    if (found !== 200) return [];
    const rows = await server.app
      .get(DataSource)
      .query(
        'SELECT p.message FROM posts p JOIN channels c ON c.id = p.channel_id WHERE p.user_id = ? AND c.name LIKE ? ORDER BY p.seq',
        [body.id, `%${id}%`],
      );
    return rows.map(({ message }: { message: string }) => message);
  };
  const settled = async (hook: any, count: number): Promise<void> => {
    await eventually(async () => {
      const { deliveries } = await server.admin.call('GET', `/hooks/outgoing/${hook.id}/deliveries`);
      return deliveries.filter((one: any) => ['delivered', 'failed'].includes(one.status)).length === count;
    });
  };
  /** Each process receives within a second what another one has announced. */
  const allKnow = (): boolean => {
    const known = server
      .everywhere(FailuresService)
      .map((failures) => [...failures['open'].keys()].sort().join());
    return new Set(known).size === 1;
  };
  const messagesTo = (user: Pick<BuiltUser, 'id'>, count: number): Promise<string[]> =>
    eventually(async () => {
      const messages = await told(user);
      return messages.length === count && allKnow() ? messages : undefined;
    });

  it('are notified once about abandoned deliveries and once about the recovery, even across a restart', async () => {
    const hook = await hookOf(owner.id);
    const origin = new URL(receiver.url('')).origin;
    await say();
    const [first] = await messagesTo(owner, 1);
    expect(first).toContain(
      `Your outgoing webhook "Deploys" could not deliver a message to ${origin} (HTTP 500)`,
    );
    await say();
    await settled(hook, 2);
    await restart();
    await say();
    await settled(hook, 3);
    expect(await told(owner)).toHaveLength(1);
    status = 200;
    await say();
    expect((await messagesTo(owner, 2))[1]).toBe(`Your outgoing webhook "Deploys" reaches ${origin} again.`);
    await say();
    await settled(hook, 5);
    await restart();
    expect(await told(owner)).toHaveLength(2); // nothing about the earlier recovery
    status = 500;
    await say();
    expect((await messagesTo(owner, 3))[2]).toBe(first);
  });

  it('are not notified that a URL works again because another one at the same endpoint does', async () => {
    const origin = new URL(receiver.url('')).origin;
    status = 410;
    const hook = await hookOf(owner.id, receiver.url('/fine'));
    await say();
    const disabled = `has disabled a URL at ${origin}: it responded with 410 Gone.`;
    expect((await messagesTo(owner, 1))[0]).toContain(disabled);
    await say();
    await settled(hook, 3);
    expect(await told(owner)).toHaveLength(1);
    status = 200;
    await server.admin.call('POST', `/hooks/outgoing/${hook.id}/enable`);
    await say();
    expect((await messagesTo(owner, 2))[1]).toBe(`Your outgoing webhook "Deploys" reaches ${origin} again.`);
  });

  it.each([
    ['about abandoned deliveries', 500, 'could not deliver a message'],
    ['about a disabled URL', 410, ': it responded with 410 Gone.'],
    ['that the receiver wants no more calls', 299, ': its receiver wants no more calls.'],
  ])('are told %s, although the process ended after the outcome was stored', async (_what, code, text) => {
    const killed = server
      .everywhere(FailuresService)
      .map((failures) => jest.spyOn(failures, 'begin').mockReturnValue());
    status = code;
    const hook = await hookOf(owner.id);
    await say();
    await settled(hook, 1);
    await eventually(() => killed.some(({ mock }) => mock.calls.length > 0));
    await restart();
    expect((await messagesTo(owner, 1))[0]).toContain(text);
    await restart();
    expect(await told(owner)).toHaveLength(1);
  });

  it('are notified by a bot of the server, with unread messages', async () => {
    await hookOf(owner.id);
    await say();
    await messagesTo(owner, 1);
    const { body: account } = await server.admin.get('/users/username/hookline');
    expect(account).toMatchObject({ is_bot: true, roles: 'system_user' });
    const { body: channels } = await owner.client.get(`/users/me/channels`);
    const direct = channels.find(({ type }: any) => type === 'D');
    const { body: member } = await owner.client.get(`/channels/${direct.id}/members/me`);
    expect(member.mention_count).toBe(1);
    const { body: posts } = await owner.client.get(`/channels/${direct.id}/posts`);
    expect(posts.posts[posts.order[0]]).toMatchObject({
      user_id: account.id,
      type: '',
      props: { from_bot: 'true' },
    });
    // Another name is used if this one is taken.
    const taken = await server.admin.post('/bots', { username: 'hookline' });
    expectError(taken, 400, 'model.user.is_valid.username.app_error');
    const freeName = (): Promise<string> => server.app.get(ServerBot, { strict: false })['freeName']();
    const second = await freeName();
    expect(second).toMatch(/^hookline-[a-z0-9]{8}$/);
    await server.admin.call('POST', '/bots', { username: second });
    expect(await freeName()).toMatch(/^hookline-[a-z0-9]{26}$/);
  });

  it('are notified about the webhooks of their bots', async () => {
    const { user_id: id } = await server.admin.call('POST', '/bots', { username: `bot-${newId()}` });
    await server.admin.call('POST', `/bots/${id}/assign/${owner.id}`);
    await server.admin.call('POST', `/teams/${team.id}/members`, { team_id: team.id, user_id: id });
    await hookOf(id);
    await say();
    await messagesTo(owner, 1);
  });

  it('receive nothing when FAILURE_MESSAGES is off', async () => {
    const hook = await hookOf(owner.id);
    await server.withSettings({ failureMessages: false }, async () => {
      await say();
      await settled(hook, 1);
      expect(await told(owner)).toEqual([]);
    });
  });

  it('are notified when a peer has been offline for a day, and when it is back', async () => {
    const peer: RemoteCluster = {
      id: newId(),
      ...{ remoteId: newId(), liveId: newId(), state: 'confirmed', name: 'branch', displayName: 'Branch' },
      ...{ siteUrl: 'http://127.0.0.1:9', defaultTeamId: team.id, createAt: 1, deleteAt: 0 },
      ...{ lastPingAt: Date.now() - DAY_MS - 1, topics: '', creatorId: owner.id, pluginId: '', options: 0 },
      ...{ inviteIssuedAt: 0, tokenHash: '', sealedToken: '', sealedRemoteToken: '' },
      ...{ lastHeardAt: 0, presenceSince: 0, ownSiteUrl: '', pingedUntil: 0, isAnnouncedOnline: false },
    };
    const rows = server.app.get(DataSource).getRepository(RemoteCluster);
    await rows.insert(peer);
    const watch = server.app.get(PeerWatch, { strict: false });
    await watch['check']();
    expect(await told(owner)).toEqual([]); // the server has only just started
    watch['startedAt'] = 0;
    for (let round = 0; round < 2; round++) await watch['check']();
    const [away] = await messagesTo(owner, 1);
    expect(away).toContain('The peer of your secure connection "Branch" has not responded for a day.');
    await rows.update({ id: peer.id }, { lastPingAt: Date.now() });
    await watch['check']();
    expect((await messagesTo(owner, 2))[1]).toContain('"Branch" responds again.');
    await rows.delete({ id: peer.id });
  });
});
