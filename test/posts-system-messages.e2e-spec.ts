import { buildChannel, buildMember } from './factories/incoming-hooks.js';
import {
  buildPostsScene,
  counters,
  joinChannel,
  type PostsScene,
  systemMessages,
} from './factories/posts.js';
import type { ApiClient } from './support/api-client.mjs';
import { startTestServer, type TestServer } from './support/test-server.js';

/** Messages created by the server: docs/contract/messaging.md#system-messages */
describe('system messages', () => {
  let server: TestServer;
  let admin: ApiClient;
  let scene: PostsScene;
  let author: ApiClient;
  let name: string;

  beforeAll(async () => {
    server = await startTestServer();
    ({ admin } = server);
    scene = await buildPostsScene(server);
    author = scene.author.client;
    name = (await author.get('/users/me')).body.username;
  });
  afterAll(() => server?.close());

  const defaultChannel = async (teamId: string, channel: string): Promise<string> =>
    (await admin.get(`/teams/${teamId}/channels/name/${channel}`)).body.id;

  it('name who created, joined, was added, left and was removed', async () => {
    const channelId = await buildChannel(author, scene.teamId);
    const other = await buildMember(server, [scene.teamId]);
    const { username } = (await other.client.get('/users/me')).body;
    await joinChannel(author, channelId, other.id);
    expect((await other.client.delete(`/channels/${channelId}/members/${other.id}`)).status).toBe(200);
    await joinChannel(other.client, channelId, other.id);
    expect((await author.delete(`/channels/${channelId}/members/${other.id}`)).status).toBe(200);
    expect(await systemMessages(author, channelId)).toEqual([
      ['system_join_channel', `${name} joined the channel.`],
      ['system_add_to_channel', `${username} added to the channel by ${name}.`],
      ['system_leave_channel', `${username} left the channel.`],
      ['system_join_channel', `${username} joined the channel.`],
      ['system_remove_from_channel', `${username} was removed from the channel.`],
    ]);
  });

  it('contain the names that clients need, and do not count as messages', async () => {
    const channelId = await buildChannel(author, scene.teamId);
    await joinChannel(author, channelId, scene.colleague.id);
    const { username } = (await scene.colleague.client.get('/users/me')).body;
    const { body } = await author.get(`/channels/${channelId}/posts`);
    expect(body.posts[body.order[0]]).toMatchObject({
      user_id: scene.author.id,
      props: {
        userId: scene.author.id,
        username: name,
        addedUserId: scene.colleague.id,
        addedUsername: username,
      },
    });
    expect(body.posts[body.order[1]]).toMatchObject({ user_id: scene.author.id, props: { username: name } });
    expect(await counters(scene.colleague.client, channelId)).toEqual({ messages: 0, mentions: 1 });
    expect((await author.get(`/channels/${channelId}`)).body.total_msg_count).toBe(0);
  });

  it('report that a channel was archived, restored, and made private', async () => {
    const channelId = await buildChannel(author, scene.teamId);
    expect((await author.delete(`/channels/${channelId}`)).status).toBe(200);
    expect((await admin.post(`/channels/${channelId}/restore`)).status).toBe(200);
    for (const privacy of ['P', 'O']) {
      expect((await admin.put(`/channels/${channelId}/privacy`, { privacy })).status).toBe(200);
    }
    expect((await systemMessages(admin, channelId)).slice(1)).toEqual([
      ['system_channel_deleted', `${name} archived the channel.`],
      ['system_channel_restored', 'admin unarchived the channel.'],
      ['system_change_chan_privacy', 'This channel has been converted to a Private Channel.'],
      [
        'system_change_chan_privacy',
        'This channel has been converted to a Public Channel and can be joined by any team member.',
      ],
    ]);
  });

  it('report in the default channel who joined and left the team', async () => {
    const { body: team } = await author.post('/teams', {
      name: `t${scene.author.id.slice(0, 12)}`,
      display_name: 'A team',
      type: 'O',
    });
    const members = `/teams/${team.id}/members`;
    const { username } = (await scene.colleague.client.get('/users/me')).body;
    const channelId = await defaultChannel(team.id, 'town-square');
    const own = await buildChannel(author, team.id);
    expect((await author.post(members, { team_id: team.id, user_id: scene.colleague.id })).status).toBe(201);
    await joinChannel(author, own, scene.colleague.id);
    expect((await scene.colleague.client.delete(`${members}/${scene.colleague.id}`)).status).toBe(200);
    expect((await author.post(members, { team_id: team.id, user_id: scene.colleague.id })).status).toBe(201);
    expect((await author.delete(`${members}/${scene.colleague.id}`)).status).toBe(200);
    expect(await systemMessages(author, channelId)).toEqual([
      ['system_join_team', `${name} joined the team.`],
      ['system_add_to_team', `${username} added to the team by ${name}.`],
      ['system_leave_team', `${username} left the team.`],
      ['system_add_to_team', `${username} added to the team by ${name}.`],
      ['system_remove_from_team', `${username} was removed from the team.`],
    ]);
    expect((await systemMessages(author, await defaultChannel(team.id, 'off-topic')))[0]).toEqual([
      'system_join_channel',
      `${name} joined the channel.`,
    ]);
    expect(await systemMessages(author, own)).toEqual([
      ['system_join_channel', `${name} joined the channel.`],
      ['system_add_to_channel', `${username} added to the channel by ${name}.`],
    ]);
  });
});
