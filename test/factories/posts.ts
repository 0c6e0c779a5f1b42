import type { Answer, ApiClient } from '../support/api-client.mjs';
import type { TestServer } from '../support/test-server.js';
import { joinChannel } from './channels.js';
import { buildChannel, buildMember, buildTeam, type BuiltUser } from './incoming-hooks.js';

export { joinChannel };

/** A team with an open channel, and users inside and outside of both. */
export interface PostsScene {
  readonly teamId: string;
  /** An open channel with author and colleague as members. */
  readonly channelId: string;
  readonly author: BuiltUser;
  readonly colleague: BuiltUser;
  /** Administrator of the team and member of the channel. */
  readonly teamAdmin: BuiltUser;
  /** In the team, but not in the channel. */
  readonly reader: BuiltUser;
  /** In no team. */
  readonly stranger: BuiltUser;
}

export async function buildPostsScene(server: TestServer): Promise<PostsScene> {
  const { id: teamId, channelId } = await buildTeam(server.admin);
  const author = await buildMember(server, [teamId]);
  const colleague = await buildMember(server, [teamId]);
  const teamAdmin = await buildMember(server, [teamId], true);
  for (const { id } of [author, colleague, teamAdmin]) await joinChannel(server.admin, channelId, id);
  const reader = await buildMember(server, [teamId]);
  const stranger = await buildMember(server);
  return { teamId, channelId, author, colleague, teamAdmin, reader, stranger };
}

/** A separate channel for tests that count posts, with author and colleague as members. */
export async function buildQuietChannel(
  server: TestServer,
  scene: PostsScene,
  type: 'O' | 'P' = 'O',
): Promise<string> {
  const channelId = await buildChannel(server.admin, scene.teamId, type);
  for (const { id } of [scene.author, scene.colleague]) await joinChannel(server.admin, channelId, id);
  return channelId;
}

/** Like buildQuietChannel, but the colleague has viewed the channel, so only later posts count as unread. */
export async function buildSeenChannel(server: TestServer, scene: PostsScene): Promise<string> {
  const channelId = await buildQuietChannel(server, scene);
  const { status } = await scene.colleague.client.post('/channels/members/me/view', {
    channel_id: channelId,
  });
  if (status !== 200) throw new Error('Not viewed');
  return channelId;
}

/** Creates a post and returns the record of the answer. */
export async function buildPost(
  client: ApiClient,
  channelId: string,
  fields: Record<string, unknown> = {},
): Promise<any> {
  const post = { channel_id: channelId, message: 'Build 812 is green.', ...fields };
  const answer = await client.post('/posts', post);
  if (answer.status !== 201) throw new Error(`No post: ${answer.text}`);
  return answer.body;
}

/** Creates posts one after another and returns them, oldest first. */
export async function buildPosts(
  client: ApiClient,
  channelId: string,
  messages: readonly string[],
): Promise<any[]> {
  const posts = [];
  for (const message of messages) posts.push(await buildPost(client, channelId, { message }));
  return posts;
}

/** The ids in a list of posts, without system messages. */
export function ordinary({ body }: Answer): string[] {
  return body.order.filter((id: string) => !body.posts[id].type.startsWith('system_'));
}

/** The types and texts of the system messages in a channel, oldest first. */
export async function systemMessages(client: ApiClient, channelId: string): Promise<[string, string][]> {
  const { body } = await client.get(`/channels/${channelId}/posts?per_page=200`);
  return body.order
    .toReversed()
    .map((id: string) => body.posts[id])
    .filter((post: any) => post.type.startsWith('system_'))
    .map((post: any) => [post.type, post.message]);
}

/** The numbers of unread messages and mentions of a member. */
export async function counters(
  client: ApiClient,
  channelId: string,
): Promise<{ messages: number; mentions: number }> {
  const { body: member } = await client.get(`/channels/${channelId}/members/me`);
  const { body: channel } = await client.get(`/channels/${channelId}`);
  return { messages: channel.total_msg_count - member.msg_count, mentions: member.mention_count };
}
