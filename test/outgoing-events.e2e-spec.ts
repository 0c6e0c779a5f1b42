import { DataSource } from 'typeorm';
import { OutgoingHooksSettings } from '../src/outgoing-hooks/outgoing-hooks.settings.js';
import { permissionDenied } from '../src/platform/common/errors/common-errors.js';
import { newId } from '../src/platform/common/ids.js';
import { EventBus } from '../src/platform/events/event-bus.js';
import { ChannelMemberRemoved } from '../src/messaging/channels/channels.events.js';
import { PostDeleted, PostEdited } from '../src/messaging/posts/posts.events.js';
import { PeerPresence } from '../src/remote-cluster/pings/peer-presence.js';
import { EventDeliveries } from '../src/outgoing-hooks/events/event-deliveries.js';
import { OutgoingHook } from '../src/outgoing-hooks/outgoing-hook.entity.js';
import { RemoteCluster } from '../src/remote-cluster/remote-cluster.entity.js';
import { buildChannel, buildDirect, joinChannel } from './factories/channels.js';
import { buildIncomingHook, buildMember, type BuiltUser, whileGranting } from './factories/incoming-hooks.js';
import { buildOutgoingHook } from './factories/outgoing-hooks.js';
import { acceptedBy, announcedOnline, startPeeringServer } from './factories/peers.js';
import { buildTeam } from './factories/teams.js';
import { answers, ForeignPeer } from './fakes/foreign-peer.js';
import { json, Receiver } from './fakes/receiver.js';
import type { ApiClient } from './support/api-client.mjs';
import { expectError } from './support/expect-error.js';
import { eventually, type TestServer } from './support/test-server.js';

const HOOKS = '/api/v4/hooks/outgoing';
const INVALID = (field: string): string => `model.outgoing_hook.is_valid.${field}.app_error`;
const PAUSED = 'app.webhooks.outgoing_paused.app_error';
const ID = expect.stringMatching(/^[a-z0-9]{26}$/);

let server: TestServer;
let admin: ApiClient;
let receiver: Receiver;
let team: any;
let channel: any;
let user: BuiltUser;
let username: string;

beforeAll(async () => {
  server = await startPeeringServer({ OUTGOING_SCHEDULE: '0s,24h' });
  ({ admin } = server);
  receiver = await Receiver.start();
  team = await buildTeam(admin);
  user = await buildMember(server, [team.id], true);
  username = await nameOf(user);
});
afterAll(async () => {
  await server?.close();
  await receiver?.close();
});
beforeEach(async () => {
  receiver.answer = (_, response) => void response.end();
  channel = await buildChannel(admin, team.id);
  await joinChannel(admin, channel.id, user.id);
});

/** A hook in the channel of this test, and the payloads that it receives. */
const hookFor = async (
  events: readonly string[],
  fields: Record<string, unknown> = {},
  client = admin,
): Promise<{ hook: any; where: string; payloads: () => any[] }> => {
  const where = `/${newId()}`;
  const hook = await buildOutgoingHook(client, team.id, {
    ...{ channel_id: channel.id, trigger_words: [], callback_urls: [receiver.url(where)], events },
    ...fields,
  });
  return { hook, where, payloads: () => receiver.callsTo(where).map(({ body }) => JSON.parse(body)) };
};
const deliveriesOf = async ({ hook }: { readonly hook: any }): Promise<any[]> =>
  (await admin.get(`${HOOKS}/${hook.id}/deliveries`)).body.deliveries.toReversed();
const eventsOf = async (one: { readonly hook: any }): Promise<string[]> =>
  (await deliveriesOf(one)).map(({ event }) => event);
const nameOf = async ({ id }: { readonly id: string }): Promise<string> =>
  (await admin.get(`/users/${id}`)).body.username;
const say = (message: string, client = user.client, fields: object = {}): Promise<any> =>
  client.call('POST', '/posts', { channel_id: channel.id, message, ...fields });
const edit = (id: string, message: string): Promise<any> =>
  user.client.call('PUT', `/posts/${id}/patch`, { message });
const postsIn = async (channelId: string): Promise<any[]> =>
  Object.values((await admin.get(`/channels/${channelId}/posts`)).body.posts);
const botOf = async (client = admin): Promise<any> =>
  client.call('POST', '/bots', { username: `bot-${newId().slice(0, 12)}` });
const tokenOf = async (id: string): Promise<ApiClient> =>
  server.anonymous.as((await admin.call('POST', `/users/${id}/tokens`, { description: 'a' })).token);

const stored = ({ id }: any): Promise<OutgoingHook> =>
  server.app.get(DataSource).getRepository(OutgoingHook).findOneByOrFail({ id });
const expectPause = async ({ id }: any, reason: string, status: string): Promise<void> => {
  expect((await admin.get(`${HOOKS}/${id}`)).body.paused_reason).toBe(reason);
  expect((await admin.get(`${HOOKS}/${id}/health`)).body).toMatchObject({ status, reason });
};

/** docs/contract/outgoing-webhooks.md#webhook-events */
describe('the events of an outgoing webhook', () => {
  it('are triggers by default, with the stock payload', async () => {
    const { hook, payloads } = await hookFor(['message.triggered'], { content_type: 'application/json' });
    const plain = await buildOutgoingHook(admin, team.id, { channel_id: channel.id });
    expect(plain).toMatchObject({ events: ['message.triggered'], bot_user_id: '', include_bots: false });
    const post = await say('hello');
    const [payload] = await eventually(() => (payloads().length > 0 ? payloads() : undefined));
    expect(Object.keys(payload)).toEqual(
      'token team_id team_domain channel_id channel_name timestamp user_id user_name post_id text trigger_word file_ids'.split(
        ' ',
      ),
    );
    expect(await deliveriesOf({ hook })).toEqual([
      expect.objectContaining({ event: 'message.triggered', post_id: post.id }),
    ]);
  });

  it('are new, edited and deleted messages, as JSON', async () => {
    const events = ['message.created', 'message.edited', 'message.deleted'];
    const watched = await hookFor(events);
    expect(watched.hook.content_type).toBe('application/x-www-form-urlencoded');
    const post = await say('first');
    await edit(post.id, 'second');
    const [created, edited] = await eventually(() =>
      watched.payloads().length === 2 ? watched.payloads() : undefined,
    );
    const facts = {
      ...{ token: watched.hook.token, event_id: ID, timestamp: expect.any(Number) },
      ...{ team_id: team.id, team_domain: team.name },
      ...{ channel_id: channel.id, channel_name: channel.name },
      ...{ user_id: user.id, user_name: username, post_id: post.id, root_id: '' },
    };
    expect([created, edited].toSorted((one, other) => one.text.localeCompare(other.text))).toEqual([
      { ...facts, event: 'message.created', text: 'first', file_ids: '' },
      { ...facts, event: 'message.edited', text: 'second', file_ids: '' },
    ]);
    expect(receiver.callsTo(watched.where)[0]?.headers['content-type']).toBe('application/json');
    await user.client.call('DELETE', `/posts/${post.id}`);
    const deleted = await eventually(() => watched.payloads()[2]);
    expect(deleted).toEqual({ ...facts, event: 'message.deleted', deleted_by: user.id, reply_count: 0 });
    const log = await deliveriesOf(watched);
    expect(log.map(({ event, reason, post_id }) => [event, reason, post_id])).toEqual([
      ['', 'post_deleted', post.id],
      ['', 'post_deleted', post.id],
      ['message.deleted', '', post.id],
    ]);
    const { body } = await admin.get(`${HOOKS}/${watched.hook.id}/deliveries/${log[2].id}`);
    const { token: _token, ...sent } = deleted;
    expect([body.payload, body.content_type]).toEqual([sent, 'application/json']);
    expect((await admin.post(`${HOOKS}/${watched.hook.id}/deliveries/${log[2].id}/retry`)).status).toBe(200);
    expect(JSON.stringify(await eventually(() => watched.payloads()[3]))).not.toContain('second');
  });

  it('are not the pins of messages, other channels, private channels, and other events', async () => {
    const whole = await hookFor(['message.edited', 'message.deleted'], { channel_id: '' });
    const edits = await hookFor(['message.edited']);
    const post = await say('first');
    await user.client.call('POST', `/posts/${post.id}/pin`);
    await edit(post.id, 'first');
    channel = await buildChannel(admin, team.id, { type: 'P' });
    await joinChannel(admin, channel.id, user.id);
    await edit((await say('private')).id, 'still private');
    expect([await eventsOf(whole), await eventsOf(edits)]).toEqual([[], []]);
    await user.client.call('DELETE', `/posts/${post.id}`);
    expect([await eventsOf(whole), await eventsOf(edits)]).toEqual([['message.deleted'], []]);
    await admin.call('DELETE', `${HOOKS}/${whole.hook.id}`);
  });

  it('follow the rights of the creator and are stored with the change', async () => {
    const watched = await hookFor(['message.created', 'message.edited'], {}, user.client);
    await admin.call('PUT', `/channels/${channel.id}/privacy`, { privacy: 'P' });
    const post = await say('first');
    expect(await eventsOf(watched)).toEqual(['message.created']);
    await admin.call('DELETE', `/channels/${channel.id}/members/${user.id}`);
    await admin.call('PUT', `/posts/${post.id}/patch`, { message: 'second' });
    expect(await eventsOf(watched)).toEqual(['message.created']);
  });

  it('do not exist if the change fails', async () => {
    const watched = await hookFor(['message.edited', 'message.deleted', 'member.left']);
    const post = await say('first');
    const failures = server
      .everywhere(EventBus)
      .flatMap((bus) =>
        [PostEdited, PostDeleted, ChannelMemberRemoved].map((event: any) =>
          bus.listen('in transaction', event, () => Promise.reject(permissionDenied('refused' as never))),
        ),
      );
    const statuses = [
      (await user.client.put(`/posts/${post.id}/patch`, { message: 'second' })).status,
      (await user.client.delete(`/posts/${post.id}`)).status,
      (await admin.delete(`/channels/${channel.id}/members/${user.id}`)).status,
    ];
    for (const stop of failures) stop();
    expect([statuses, await eventsOf(watched)]).toEqual([[403, 403, 403], []]);
  });

  it('are limited to the calls of one message', async () => {
    const everywhere = server.everywhere(OutgoingHooksSettings);
    const before = everywhere[0]!.outgoingPerMessage;
    const set = (outgoingPerMessage: number): void =>
      everywhere.forEach((settings) => Object.assign(settings, { outgoingPerMessage }));
    set(1);
    try {
      const urls = [receiver.url(`/${newId()}`), receiver.url(`/${newId()}`)];
      const watched = await hookFor(['message.created', 'message.edited'], { callback_urls: urls });
      await edit((await say('first')).id, 'second');
      const log = await deliveriesOf(watched);
      expect(log.map(({ event, reason }) => [event, reason])).toEqual([
        ...[['message.created', ''] as const, ['message.created', 'message_limit'] as const],
        ...[['message.edited', ''] as const, ['message.edited', 'message_limit'] as const],
      ]);
      const limit = `${HOOKS}/${watched.hook.id}/deliveries/${log[3].id}/retry`;
      expectError(await admin.post(limit), 409, 'app.deliveries.message_limit.app_error');
    } finally {
      set(before);
    }
  });

  it('include messages of bots and webhooks only on request', async () => {
    const people = await hookFor(['message.created', 'message.edited']);
    const everyone = await hookFor(['message.created', 'message.edited'], { include_bots: true });
    const incoming = await buildIncomingHook(admin, channel.id);
    expect((await server.anonymous.post(`/hooks/${incoming.id}`, { text: 'of a hook' })).status).toBe(200);
    const bot = await botOf();
    await admin.call('POST', `/teams/${team.id}/members`, { team_id: team.id, user_id: bot.user_id });
    await joinChannel(admin, channel.id, bot.user_id);
    const client = await tokenOf(bot.user_id);
    const { id } = await say('of a bot', client);
    await client.call('PUT', `/posts/${id}/patch`, { message: 'of the bot' });
    expect(await eventsOf(people)).toEqual([]);
    expect(await eventsOf(everyone)).toEqual(['message.created', 'message.created', 'message.edited']);
  });

  it('end a loop after three replies', async () => {
    receiver.answer = json({ text: 'again' });
    const loop = await hookFor(['message.created'], { include_bots: true });
    await say('begin');
    const log = await eventually(async () => {
      const deliveries = await deliveriesOf(loop);
      return deliveries.length === 4 ? deliveries : undefined;
    });
    await eventually(() => loop.payloads().length === 3);
    expect(log.map(({ status, reason }: any) => [status, reason]).at(-1)).toEqual(['cancelled', 'hop_limit']);
    expect(JSON.stringify(await postsIn(channel.id))).not.toContain('hops');
    const { body } = await admin.get(`${HOOKS}/${loop.hook.id}/deliveries/${log[1].id}`);
    expect(body.payload).not.toHaveProperty('hops');
  });

  it('are members who join and leave, also by leaving the team', async () => {
    const watched = await hookFor(['member.joined', 'member.left']);
    const other = await buildMember(server, [team.id], false);
    await joinChannel(admin, channel.id, other.id);
    await other.client.call('DELETE', `/channels/${channel.id}/members/${other.id}`);
    await joinChannel(admin, channel.id, other.id);
    await admin.call('DELETE', `/teams/${team.id}/members/${other.id}`);
    await eventually(() => watched.payloads().length === 4);
    expect(await eventsOf(watched)).toEqual(['member.joined', 'member.left', 'member.joined', 'member.left']);
    const joined = watched.payloads().find(({ event }) => event === 'member.joined');
    expect(joined).toEqual({
      ...{ token: watched.hook.token, event: 'member.joined', event_id: ID, timestamp: expect.any(Number) },
      ...{ team_id: team.id, team_domain: team.name },
      ...{ channel_id: channel.id, channel_name: channel.name },
      ...{ user_id: other.id, user_name: await nameOf(other), actor_id: server.adminId },
    });
    const bot = await botOf();
    await admin.call('POST', `/teams/${team.id}/members`, { team_id: team.id, user_id: bot.user_id });
    await joinChannel(admin, channel.id, bot.user_id);
    expect(await deliveriesOf(watched)).toHaveLength(4);
  });

  it('are limited when a user leaves all channels of a team', async () => {
    const place = await buildTeam(admin);
    const other = await buildMember(server, [place.id], false);
    for (let index = 0; index < 3; index++)
      await joinChannel(admin, (await buildChannel(admin, place.id)).id, other.id);
    const urls = [receiver.url(`/${newId()}`), receiver.url(`/${newId()}`)];
    const hook = await buildOutgoingHook(admin, place.id, {
      ...{ trigger_words: [], callback_urls: urls, events: ['member.left'] },
    });
    const all = server.everywhere(EventDeliveries).map(({ limits }) => limits);
    try {
      for (const limits of all) limits.callsOfChange = 3;
      await admin.call('DELETE', `/teams/${place.id}/members/${other.id}`);
    } finally {
      for (const limits of all) limits.callsOfChange = 1_000;
    }
    const log = await deliveriesOf({ hook });
    const channels = 5; // with the default channels
    const cut = log.filter(({ reason }) => reason === 'message_limit');
    expect(log.length - cut.length).toBe(3);
    expect(cut.reduce((sum, { left_out_calls: calls }) => sum + calls, 0)).toBe(2 * channels - 3);
    expect(new Set(log.map(({ event }) => event))).toEqual(new Set(['member.left']));
  });

  it.each([
    [{ events: [] }, 'events'],
    [{ events: ['message.created', 'message.moved'] }, 'events'],
    [{ events: ['message.edited', 'message.edited'] }, 'events'],
    [{ events: ['message.created'], channel_id: '' }, 'events'],
    [{ events: ['bot.mentioned'] }, 'bot_user_id'],
    [{ events: ['bot.mentioned'], bot_user_id: 'nobody' }, 'bot_user_id'],
    [{ events: ['bot.mentioned'], bot_user_id: newId() }, 'bot_user_id'],
  ])('are refused as %j', async (fields, field) => {
    const body = { ...{ team_id: team.id, display_name: '', trigger_words: [] }, channel_id: channel.id };
    const sent = { ...body, callback_urls: [receiver.url(`/${newId()}`)], ...fields };
    expectError(await admin.post(HOOKS, sent), 400, INVALID(field), field);
    const { hook } = await hookFor(['message.edited']);
    expectError(await admin.patch(`${HOOKS}/${hook.id}`, fields), 400, INVALID(field), field);
    expect((await admin.get(`${HOOKS}/${hook.id}`)).body).toEqual(hook);
  });

  it.each([
    [{ events: 'message.edited' }, 'events'],
    [{ include_bots: 'yes' }, 'include_bots'],
    [{ bot_user_id: 7 }, 'bot_user_id'],
  ])('must have the right type, unlike %j', async (fields, field) => {
    const { hook } = await hookFor(['message.edited']);
    const id = 'api.context.invalid_body_param.app_error';
    expectError(await admin.patch(`${HOOKS}/${hook.id}`, fields), 400, id, field);
  });

  it('are explained, tried on past messages and tested', async () => {
    const created = await hookFor(['message.created']);
    const edited = await hookFor(['message.edited', 'message.deleted']);
    const post = await say('hello');
    const { body } = await admin.post(`${HOOKS}/explain`, { channel_id: channel.id, message: 'hello' });
    const reasonOf = ({ hook }: { readonly hook: any }): string =>
      body.hooks.find(({ hook_id }: any) => hook_id === hook.id).reason;
    expect([reasonOf(created), reasonOf(edited)]).toEqual(['every_post', 'other_events']);
    const tried = await Promise.all(
      [created, edited].map(({ hook }) => admin.call('POST', `${HOOKS}/${hook.id}/dry_run`, {})),
    );
    expect(tried.map(({ posts }) => posts.map(({ post_id }: any) => post_id))).toEqual([[post.id], []]);
    expect((await admin.post(`${HOOKS}/${edited.hook.id}/test`, { text: 'sample' })).status).toBe(200);
    expect(edited.payloads()).toEqual([
      expect.objectContaining({ event: 'message.edited', text: 'sample', channel_id: channel.id }),
    ]);
  });

  it('take replies in their channel, if they have one', async () => {
    receiver.answer = json({ text: 'Welcome' });
    await hookFor(['member.joined']);
    const other = await buildMember(server, [team.id], false);
    await joinChannel(admin, channel.id, other.id);
    const welcome = await eventually(async () =>
      (await postsIn(channel.id)).find(({ message }) => message === 'Welcome'),
    );
    expect(welcome).toMatchObject({ user_id: server.adminId, root_id: '' });
    receiver.answer = json({ text: 'Welcome', response_type: 'comment' });
    const { hook } = await hookFor(['member.left']);
    await admin.call('DELETE', `/channels/${channel.id}/members/${other.id}`);
    const [{ id }] = await deliveriesOf({ hook });
    const [attempt] = await eventually(async () => {
      const { attempt_list: attempts } = (await admin.get(`${HOOKS}/${hook.id}/deliveries/${id}`)).body;
      return attempts.length > 0 ? attempts : undefined;
    });
    expect(attempt.note).toBe('The reply was not posted: the event has no message to comment on.');
  });

  it('change with PATCH, and not with PUT', async () => {
    const watched = await hookFor(['message.edited']);
    const url = `${HOOKS}/${watched.hook.id}`;
    const record = { ...watched.hook, display_name: 'Renamed' };
    expect(await admin.call('PUT', url, record)).toMatchObject({ events: ['message.edited'] });
    for (const change of [{ events: ['message.created'] }, { include_bots: true }, { bot_user_id: newId() }])
      expectError(
        await admin.put(url, { ...record, ...change }),
        400,
        'api.context.invalid_body_param.app_error',
        Object.keys(change)[0],
      );
    await admin.call('PATCH', url, { events: ['message.created'], include_bots: true });
    await say('first');
    expect(await eventsOf(watched)).toEqual(['message.created']);
  });
});

describe('a chat bot without a websocket', () => {
  let bot: any;
  const answering = (): Promise<{ hook: any; where: string; payloads: () => any[] }> =>
    hookFor(['bot.mentioned', 'bot.direct_message'], { channel_id: '', bot_user_id: bot.user_id });

  beforeEach(async () => {
    bot = await botOf();
    receiver.answer = json({ text: 'At your service' });
  });

  it('is called when it is mentioned and answers in the thread, once per message', async () => {
    const watched = await answering();
    await say('nobody');
    const root = await say('@all');
    const key = newId();
    const posts = await Promise.all(
      Array.from({ length: 5 }, () =>
        say(`hello @${bot.username}`, user.client, { root_id: root.id, pending_post_id: key }),
      ),
    );
    expect(new Set(posts.map(({ id }) => id)).size).toBe(1);
    const answer = await eventually(async () =>
      (await postsIn(channel.id)).find(({ message }) => message === 'At your service'),
    );
    expect(answer).toMatchObject({ user_id: bot.user_id, root_id: root.id });
    expect(answer.props).toMatchObject({ from_bot: 'true', override_username: bot.username });
    expect(watched.payloads()).toEqual([
      {
        ...{ token: watched.hook.token, event: 'bot.mentioned', event_id: ID, timestamp: expect.any(Number) },
        ...{ team_id: team.id, team_domain: team.name, bot_user_id: bot.user_id },
        ...{ channel_id: channel.id, channel_name: channel.name },
        ...{ user_id: user.id, user_name: username, post_id: posts[0].id, root_id: root.id },
        ...{ text: `hello @${bot.username}`, file_ids: '' },
      },
    ]);
    expect(await deliveriesOf(watched)).toHaveLength(1);
  });

  it('is called for direct messages and answers there, but not to itself', async () => {
    const watched = await answering();
    channel = await buildDirect(user.client, user.id, bot.user_id);
    const post = await say('hello');
    const read = async (): Promise<any[]> =>
      Object.values((await user.client.get(`/channels/${channel.id}/posts`)).body.posts);
    const answer = await eventually(async () =>
      (await read()).find(({ message }) => message === 'At your service'),
    );
    expect(answer).toMatchObject({ user_id: bot.user_id, root_id: '' });
    const [delivery, ...others] = await deliveriesOf(watched);
    expect(delivery).toMatchObject({ event: 'bot.direct_message', post_id: post.id });
    expect(others).toEqual([]);
    const url = `${HOOKS}/${watched.hook.id}/deliveries/${delivery.id}`;
    await eventually(async () => (await admin.get(url)).body.status === 'delivered');
    expect((await admin.get(url)).body.payload).toMatchObject({ text: 'hello', team_id: '' });
    expect((await admin.post(`${url}/retry`)).status).toBe(200);
    await eventually(() => watched.payloads().length === 2);
    expect(await read()).toHaveLength(2);
  });

  it('receives events of private channels only as a member, and none when it is disabled', async () => {
    const watched = await answering();
    channel = await buildChannel(admin, team.id, { type: 'P' });
    await joinChannel(admin, channel.id, user.id);
    await say(`@${bot.username}`);
    expect(await deliveriesOf(watched)).toEqual([]);
    await admin.call('POST', `/teams/${team.id}/members`, { team_id: team.id, user_id: bot.user_id });
    await joinChannel(admin, channel.id, bot.user_id);
    await say(`@${bot.username}`);
    expect(await eventsOf(watched)).toEqual(['bot.mentioned']);
    await admin.call('POST', `/bots/${bot.user_id}/disable`);
    await say(`@${bot.username}`);
    expect(await deliveriesOf(watched)).toHaveLength(1);
  });

  it('is paused while the bot is disabled', async () => {
    const { hook, where } = await hookFor(['bot.mentioned'], {
      ...{ channel_id: '', bot_user_id: bot.user_id },
      ...{ callback_urls: [], delivery: 'pull' },
    });
    const mixed = await hookFor(['message.created', 'bot.mentioned'], { bot_user_id: bot.user_id });
    await say(`@${bot.username}`);
    await expectPause(hook, '', 'ok');
    await admin.call('POST', `/bots/${bot.user_id}/disable`);
    await expectPause(hook, 'bot_disabled', 'paused');
    await expectPause(mixed.hook, 'bot_disabled', 'degraded');
    await eventually(async () => (await stored(hook)).announcedPause === 'bot_disabled');
    const url = `${HOOKS}/${hook.id}`;
    expect((await admin.post(`${url}/pull`, {})).body.deliveries).toEqual([]);
    const [delivery] = await deliveriesOf({ hook });
    expect([delivery.status, delivery.reason]).toEqual(['cancelled', 'hook_paused']);
    expectError(await admin.post(`${url}/deliveries/${delivery.id}/retry`), 409, PAUSED);
    expectError(await admin.post(`${url}/recover`, { since: 0 }), 409, PAUSED);
    await admin.call('POST', `/bots/${bot.user_id}/enable`);
    await eventually(async () => (await stored(hook)).announcedPause === '');
    await expectPause(hook, '', 'ok');
    expect((await admin.post(`${url}/deliveries/${delivery.id}/retry`)).status).toBe(200);
    expect((await admin.post(`${url}/pull`, {})).body.deliveries).toMatchObject([{ id: delivery.id }]);
    expect(receiver.callsTo(where)).toEqual([]);
  });

  it('is paused while the bot cannot read the private channel of the webhook', async () => {
    await admin.call('POST', `/teams/${team.id}/members`, { team_id: team.id, user_id: bot.user_id });
    await joinChannel(admin, channel.id, bot.user_id);
    const { hook } = await hookFor(['bot.mentioned'], { bot_user_id: bot.user_id });
    await admin.call('PUT', `/channels/${channel.id}/privacy`, { privacy: 'P' });
    await expectPause(hook, '', 'ok');
    await admin.call('DELETE', `/channels/${channel.id}/members/${bot.user_id}`);
    await expectPause(hook, 'bot_cannot_read', 'paused');
    await eventually(async () => (await stored(hook)).announcedPause === 'bot_cannot_read');
  });

  it('keeps secrets and deliveries from others who manage the webhooks of the team', async () => {
    receiver.answer = (_, response) => void response.writeHead(500).end();
    const other = await buildMember(server, [team.id], true);
    const { hook, where } = await answering();
    await say(`@${bot.username} secret`);
    await eventually(() => receiver.callsTo(where).length === 1);
    const [{ id }] = await deliveriesOf({ hook });
    await admin.call('POST', `/bots/${bot.user_id}/disable`); // its secrets stay secret
    const url = `${HOOKS}/${hook.id}`;
    const record = (await other.client.get(url)).body;
    const listed = (await other.client.get(`${HOOKS}?team_id=${team.id}`)).body;
    for (const shown of [record, listed.find((one: any) => one.id === hook.id)])
      expect(shown).toMatchObject({ token: '', signing_secret: '', callback_urls: [receiver.origin] });
    expect((await other.client.get(`${url}/health`)).body.urls[0].url).toBe(receiver.origin);
    const routes: readonly (readonly [string, string, object?])[] = [
      ...(['regen_token', 'enable', 'pull', 'test', 'dry_run'] as const).map(
        (name) => ['POST', name] as const,
      ),
      ...[['POST', 'ack', { lease_ids: [id] }] as const, ['POST', 'nack', { lease_ids: [id] }] as const],
      ...[['PUT', '', record] as const, ['PATCH', '', { channel_id: '' }] as const],
      ...['', `/${id}`].map((one) => ['GET', `deliveries${one}`] as const),
      ...['retry', 'skip', 'request'].map((name) => ['POST', `deliveries/${id}/${name}`] as const),
      ...[['POST', 'deliveries/retry', { ids: [id] }] as const, ['POST', 'recover', { since: 0 }] as const],
      ...[['GET', 'recover'] as const, ['POST', `recover/${id}/stop`] as const, ['GET', 'stats'] as const],
    ];
    for (const [method, route, body = {}] of routes) {
      const answer = await other.client.send(method, `${url}${route && `/${route}`}`, body);
      expectError(answer, 403, 'api.context.permissions.app_error');
    }
    expect((await other.client.post(`${HOOKS}/stats`, { hook_ids: [hook.id] })).body.hooks).toEqual([]);
    expect((await admin.get(url)).body).toMatchObject({ token: hook.token, set_by: hook.set_by });
    expect((await other.client.delete(url)).status).toBe(200);
  });

  it('must be a bot that the caller, and later the creator, may manage', async () => {
    const fields = { events: ['bot.mentioned'], bot_user_id: bot.user_id, trigger_words: ['x'] };
    const body = { team_id: team.id, display_name: '', callback_urls: [receiver.url('/')], ...fields };
    expectError(await user.client.post(HOOKS, body), 400, INVALID('bot_user_id'), 'bot_user_id');
    expectError(await admin.post(HOOKS, { ...body, bot_user_id: user.id }), 400, INVALID('bot_user_id'));
    const permissions = ['read_bots', 'manage_bots'];
    await admin.call('POST', `/bots/${bot.user_id}/assign/${user.id}`);
    const watched = await whileGranting(server, 'system_user', permissions, async () => {
      const made = await hookFor(['bot.mentioned'], { bot_user_id: bot.user_id }, user.client);
      await say(`@${bot.username}`, admin);
      expect(await eventsOf(made)).toEqual(['bot.mentioned']);
      await expectPause(made.hook, '', 'ok');
      return made;
    });
    await expectPause(watched.hook, 'creator_not_permitted', 'paused');
    await eventually(async () => (await stored(watched.hook)).announcedPause === 'creator_not_permitted');
    await say(`@${bot.username}`, admin);
    expect(await deliveriesOf(watched)).toHaveLength(1);
  });
});

describe('operator events', () => {
  it('are other webhooks of the team that fail and recover', async () => {
    const watching = await hookFor(['webhook.failing', 'webhook.recovered'], { channel_id: '' });
    const stranger = await buildMember(server, [team.id], true);
    const others = await hookFor(['webhook.failing'], { channel_id: '' }, stranger.client);
    await expectPause(others.hook, '', 'ok');
    await admin.call('PUT', `/teams/${team.id}/members/${stranger.id}/roles`, { roles: 'team_user' });
    await expectPause(others.hook, 'creator_not_permitted', 'paused');
    const failing = await hookFor(['message.created', 'webhook.failing']);
    receiver.answer = (call, response) => {
      response.statusCode = call.path === failing.where && failing.payloads().length < 2 ? 500 : 200;
      response.end(JSON.stringify({ text: 'I know' }));
    };
    await say('first');
    await eventually(() => watching.payloads().length === 1);
    await say('second');
    const payloads = await eventually(() =>
      watching.payloads().length === 2 ? watching.payloads() : undefined,
    );
    const facts = {
      ...{ token: watching.hook.token, event_id: ID, timestamp: expect.any(Number) },
      ...{ team_id: team.id, team_domain: team.name },
      ...{ webhook_id: failing.hook.id, webhook_name: 'Deployer', endpoint: receiver.origin },
    };
    expect(payloads).toEqual([
      { ...facts, event: 'webhook.failing' },
      { ...facts, event: 'webhook.recovered' },
    ]);
    expect(await eventsOf(failing)).toEqual(['message.created', 'message.created']);
    const [delivery] = await deliveriesOf(watching);
    const { attempt_list: attempts } = await eventually(async () => {
      const { body } = await admin.get(`${HOOKS}/${watching.hook.id}/deliveries/${delivery.id}`);
      return body.attempt_list.length > 0 ? body : undefined;
    });
    expect(attempts[0].note).toBe('The reply was not posted: the event has no channel.');
    expect(await eventsOf(others)).toEqual([]);
  });

  it('are secure connections, for creators who may manage them', async () => {
    const watching = await hookFor(['connection.offline', 'connection.online'], { channel_id: '' });
    const others = await hookFor(['connection.offline'], { channel_id: '' }, user.client);
    const redirected = await hookFor(['connection.offline'], { channel_id: '' });
    const hooks = server.app.get(DataSource).getRepository(OutgoingHook);
    await hooks.update({ id: redirected.hook.id }, { setBy: user.id });
    await expectPause(watching.hook, '', 'ok');
    await expectPause(others.hook, 'creator_not_permitted', 'paused');
    await expectPause(redirected.hook, 'setter_not_permitted', 'paused');
    const peer = await ForeignPeer.start();
    try {
      const { remoteId } = await announcedOnline(server, () => acceptedBy(peer, server));
      peer.misbehave('ping', answers(500));
      const clusters = server.app.get(DataSource).getRepository(RemoteCluster);
      await clusters.update({ liveId: remoteId }, { lastPingAt: 1 });
      const cluster = await clusters.findOneByOrFail({ liveId: remoteId });
      await Promise.all(server.everywhere(PeerPresence).map((one) => one.notHeardOf(cluster)));
      await eventually(() => watching.payloads().length === 2);
      const facts = {
        ...{ token: watching.hook.token, event_id: ID, timestamp: expect.any(Number) },
        ...{ team_id: team.id, team_domain: team.name },
        ...{ connection_id: remoteId, connection_name: cluster.displayName },
      };
      const [online, offline] = await deliveriesOf(watching);
      expect([online, offline].map(({ event, post_id }) => [event, post_id])).toEqual([
        ['connection.online', ''],
        ['connection.offline', ''],
      ]);
      expect(watching.payloads().find(({ event }) => event === 'connection.offline')).toEqual({
        ...facts,
        event: 'connection.offline',
      });
      for (const one of [others, redirected]) expect(await eventsOf(one)).toEqual([]);
      const { payload } = (await admin.get(`${HOOKS}/${watching.hook.id}/deliveries/${offline.id}`)).body;
      expect(payload).toEqual({ ...facts, token: undefined, event: 'connection.offline' });
    } finally {
      await peer.close();
    }
  });
});
