import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { DataSource } from 'typeorm';
import { WebSocket } from 'ws';
import { Session } from '../src/messaging/auth/session.entity.js';
import { AuthenticationService } from '../src/messaging/auth/authentication.service.js';
import { Clock } from '../src/platform/common/clock.js';
import { MembershipsReadModel } from '../src/messaging/permissions/memberships.read-model.js';
import { newId } from '../src/platform/common/ids.js';
import { LiveGateway } from '../src/messaging/live/gateway/live-gateway.js';
import { LiveConnections } from '../src/messaging/live/connections/live-connections.js';
import { LiveEventsService } from '../src/messaging/live/live-events.service.js';
import { LiveLimits } from '../src/messaging/live/live-limits.js';
import {
  buildChannel,
  buildMember,
  buildTeam,
  type BuiltTeam,
  type BuiltUser,
} from './factories/incoming-hooks.js';
import { expectError } from './support/expect-error.js';
import type { ApiClient } from './support/api-client.mjs';
import { LiveClient } from './support/live-client.js';
import { isAlone } from './support/test-database.js';
import { eventually, startTestServer, type TestServer } from './support/test-server.js';
import { UnitOfWork } from '../src/platform/database/unit-of-work.js';
import { committed } from './support/unit-of-work.js';

let server: TestServer;
let team: BuiltTeam;
let member: BuiltUser;
let stranger: BuiltUser;
const open: LiveClient[] = [];

beforeAll(async () => {
  server = await startTestServer({ TRUSTED_PROXIES: 'loopback' });
  team = await buildTeam(server.admin);
  member = await buildMember(server, [team.id]);
  stranger = await buildMember(server);
  await join(member, team.channelId);
});
afterEach(() => {
  for (const client of open.splice(0)) client.close();
});
afterAll(() => server.close());

async function listen(user: { client: ApiClient }, query = ''): Promise<LiveClient> {
  const client = await LiveClient.connect(server.url, user.client.token, query);
  open.push(client);
  return client;
}

async function knock(query = '', headers: Record<string, string> = {}): Promise<LiveClient> {
  const client = await LiveClient.open(server.url, query, { headers });
  open.push(client);
  return client;
}

/** The status, the error id and `Retry-After` of a refused upgrade. */
async function upgradeRefusal(
  headers: Record<string, string>,
): Promise<[number, string, string | undefined]> {
  const socket = new WebSocket(`${server.url.replace(/^http/, 'ws')}/api/v4/websocket`, { headers });
  const [, answer] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
  const body = JSON.parse(Buffer.concat(await answer.toArray()).toString('utf8')) as { id: string };
  return [answer.statusCode ?? 0, body.id, answer.headers['retry-after']];
}

/** A connection that becomes a WebSocket and then stays silent, without closing. */
async function deafSocket(address: string): Promise<Socket> {
  const { hostname, port, host } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13';
  const key = `Sec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}\r\nX-Forwarded-For: ${address}`;
  socket.write(`GET /api/v4/websocket HTTP/1.1\r\nHost: ${host}\r\n${upgrade}\r\n${key}\r\n\r\n`);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString('latin1')).toMatch(/^HTTP\/1\.1 101 /);
  return socket;
}

const join = (user: BuiltUser, channelId: string): Promise<unknown> =>
  server.admin.call('POST', `/channels/${channelId}/members`, { user_id: user.id });

const post = (client: ApiClient, channelId: string, message: string, props = {}): Promise<any> =>
  client.call('POST', '/posts', { channel_id: channelId, message, props });

/** A member of the team and its channel. */
async function buildColleague(): Promise<BuiltUser> {
  const user = await buildMember(server, [team.id]);
  await join(user, team.channelId);
  return user;
}

const buildHook = async (): Promise<string> =>
  (await server.admin.call('POST', '/hooks/incoming', { channel_id: team.channelId })).id;

const messageOf = ({ data }: { readonly data: Record<string, any> }): string =>
  JSON.parse(data['post']).message as string;

const live = (): LiveEventsService => server.app.get(LiveEventsService);

/** An event for everyone, so that a test knows what did not arrive before it. */
async function fence(...clients: LiveClient[]): Promise<void> {
  const mark = newId();
  live().send('fence', {}, { mark });
  for (const client of clients) await client.event('fence', ({ data }) => data['mark'] === mark);
}

function expectGapless(client: LiveClient, first = 0): void {
  expect(client.events.map(({ seq }) => seq)).toEqual(client.events.map((_, index) => first + index));
}

async function withLimits(changed: Partial<LiveLimits>, action: () => Promise<void>): Promise<void> {
  const limits = server.app.get(LiveLimits);
  const before = Object.fromEntries(
    Object.keys(changed).map((key) => [key, limits[key as keyof LiveLimits]]),
  );
  Object.assign(limits, changed);
  try {
    await action();
  } finally {
    Object.assign(limits, before);
  }
}

describe('signing in', () => {
  it('by a challenge: OK, then hello with number 0', async () => {
    const client = await knock();
    expect(await client.ask('authentication_challenge', { token: member.client.token })).toEqual({
      status: 'OK',
      seq_reply: 1,
    });
    const hello = await client.event('hello');
    expect(hello).toEqual({
      event: 'hello',
      seq: 0,
      data: {
        server_version: expect.stringMatching(/^11\.6\.0\./),
        connection_id: expect.stringMatching(/^[a-z0-9]{26}$/),
        server_hostname: expect.any(String),
      },
      broadcast: {
        ...{ omit_users: null, user_id: member.id, channel_id: '', team_id: '' },
        ...{ connection_id: '', omit_connection_id: '' },
      },
    });
  });

  it('by the header', async () => {
    const client = await knock('', { authorization: `Bearer ${member.client.token}` });
    expect((await client.event('hello')).broadcast['user_id']).toBe(member.id);
    expect((await client.ask('authentication_challenge', { token: member.client.token })).status).toBe('OK');
  });

  it('by the cookie, from a page of the server itself', async () => {
    const client = await knock('', { cookie: `a=b; MMAUTHTOKEN=${member.client.token}`, origin: server.url });
    expect((await client.event('hello')).broadcast['user_id']).toBe(member.id);
  });

  it('not from a page of another site', async () => {
    const headers = { cookie: `MMAUTHTOKEN=${member.client.token}`, origin: 'https://evil.example' };
    await expect(knock('', headers)).rejects.toThrow('403');
  });

  it.each([[newId()], [''], [42], [undefined]])('a wrong challenge %s closes the socket', async (token) => {
    const client = await knock();
    client.socket.send(JSON.stringify({ seq: 1, action: 'authentication_challenge', data: { token } }));
    expect((await client.end()).code).toBe(1008);
    expect(client.replies).toEqual([]);
  });

  it('ignores an invalid token in the header; a challenge can still follow', async () => {
    const client = await knock('', { authorization: `Bearer ${newId()}` });
    expect((await client.ask('ping')).error).toMatchObject({
      id: 'api.web_socket_router.not_authenticated.app_error',
    });
    await client.ask('authentication_challenge', { token: member.client.token });
    await client.event('hello');
  });

  it('disconnects a client that does not authenticate in time, and no other', async () => {
    await withLimits({ authenticateWithinMs: 50 }, async () => {
      const client = await listen(member);
      expect((await (await knock()).end()).code).toBe(1008);
      expect((await client.ask('ping')).status).toBe('OK');
    });
  });

  it('finds no WebSocket on other paths and for plain requests', async () => {
    await expect(LiveClient.open(server.url.replace(/$/, '/elsewhere'))).rejects.toThrow('404');
    expectError(await member.client.get('/websocket'), 400, 'api.web_socket.connect.upgrade.app_error');
  });

  it('a path with empty segments is redirected', async () => {
    const socket = new WebSocket(`${server.url.replace(/^http/, 'ws')}//api/v4/websocket?a=1`);
    const [, answer] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
    expect([answer.statusCode, answer.headers.location]).toEqual([301, '/api/v4/websocket?a=1']);
    answer.resume();
  });
});

describe('requests', () => {
  it('ping', async () => {
    const client = await listen(member);
    expect(await client.ask('ping')).toEqual({
      status: 'OK',
      seq_reply: 1,
      data: { text: 'pong', version: '11.6.0', server_time: expect.any(Number), node_id: '' },
    });
    for (const action of ['presence', 'posted_notify_ack'])
      expect((await client.ask(action)).status).toBe('OK');
  });

  it('an unknown action fails with 500', async () => {
    const client = await listen(member);
    const error = { id: 'api.web_socket_router.bad_action.app_error', detailed_error: '', status_code: 500 };
    const answer = { status: 'FAIL', seq_reply: 1, error: { ...error, message: expect.any(String) } };
    expect(await client.ask('no_such_action')).toEqual(answer);
  });

  it('a frame requires an action, a number and a signed-in user', async () => {
    const client = await knock();
    const action = 'ping';
    for (const frame of [{ seq: 7 }, { seq: -1, action }, { action }, { seq: 8, action }])
      client.socket.send(JSON.stringify(frame));
    await eventually(() => client.replies.length === 4);
    expect(client.replies.map(({ seq_reply: seq, error }) => [seq, error?.id, error?.status_code])).toEqual([
      [7, 'api.web_socket_router.no_action.app_error', 400],
      [-1, 'api.web_socket_router.bad_seq.app_error', 400],
      [undefined, 'api.web_socket_router.bad_seq.app_error', 400],
      [8, 'api.web_socket_router.not_authenticated.app_error', 401],
    ]);
  });

  it('typing goes to the other members of the channel', async () => {
    const colleague = await buildColleague();
    const [typist, reader] = [await listen(member), await listen(colleague)];
    const outsider = await listen(stranger);
    const place = { channel_id: team.channelId, parent_id: '' };
    expect((await typist.ask('user_typing', place)).status).toBe('OK');
    const typing = await reader.event('typing');
    expect(typing.data).toEqual({ user_id: member.id, parent_id: '' });
    expect(typing.broadcast).toMatchObject({ channel_id: team.channelId, omit_users: { [member.id]: true } });
    await fence(typist, outsider);
    for (const client of [typist, outsider]) expect(client.named('typing')).toEqual([]);
  });

  it('typing is sent at limited intervals, no matter how often a client sends it', async () => {
    const colleague = await buildColleague();
    const [typist, reader] = [await listen(colleague), await listen(member)];
    const other = await buildChannel(server.admin, team.id);
    for (const user of [colleague, member]) await join(user, other);
    for (const parent_id of ['', newId(), newId()])
      await typist.ask('user_typing', { channel_id: team.channelId, parent_id });
    await typist.ask('user_typing', { channel_id: other, parent_id: '' });
    await reader.event('typing', ({ broadcast }) => broadcast['channel_id'] === other);
    expect(reader.named('typing')).toHaveLength(2);
  });

  it('typing requires permission to post in the channel', async () => {
    const client = await listen(stranger);
    for (const channelId of [team.channelId, newId(), 'junk', undefined, 1]) {
      const reply = await client.ask('user_typing', { channel_id: channelId, parent_id: '' });
      expect(reply.error?.id).toBe('api.websocket_handler.invalid_param.app_error');
    }
  });

  it('accepts typing over HTTP too', async () => {
    const colleague = await buildColleague();
    const reader = await listen(member);
    const type = (client: ApiClient, body: object, who = 'me') => client.post(`/users/${who}/typing`, body);
    const body = { channel_id: team.channelId, parent_id: '' };
    expect((await type(colleague.client, body)).body).toEqual({ status: 'OK' });
    const typing = await reader.event('typing', ({ data }) => data['user_id'] === colleague.id);
    expect(typing.data).toEqual({ user_id: colleague.id, parent_id: '' });
    expect((await type(server.admin, body, colleague.id)).status).toBe(200);
    expect((await type(colleague.client, { channel_id: newId() })).status).toBe(403);
    const nowhere = await type(colleague.client, {});
    expectError(nowhere, 400, 'api.context.invalid_body_param.app_error', 'channel_id');
  });

  it('statuses', async () => {
    const client = await listen(member);
    const unknown = newId();
    await eventually(async () => (await client.ask('get_statuses')).data?.[member.id] === 'online');
    expect((await client.ask('get_statuses_by_ids', { user_ids: [member.id, unknown] })).data).toEqual({
      [member.id]: 'online',
      [unknown]: 'offline',
    });
    for (const ids of [[], ['junk'], 'junk', undefined, [1]])
      expect((await client.ask('get_statuses_by_ids', { user_ids: ids })).error?.status_code).toBe(400);
    const setActive = (user_is_active: unknown) =>
      client.ask('user_update_active_status', { user_is_active, manual: true });
    expect((await setActive(false)).status).toBe('OK');
    const changed = await client.event('status_change', ({ data }) => data['status'] === 'away');
    expect(changed.data).toEqual({ user_id: member.id, status: 'away' });
    expect((await setActive(true)).status).toBe('OK');
    expect((await setActive('yes')).error?.status_code).toBe(400);
  });

  it.each([
    ['binary frames', Buffer.from([1, 2, 3]), 1003],
    ['broken JSON', '{"seq":', 1007],
    ['JSON that is no object', '[1]', 1007],
    ['frames over 8 KiB', JSON.stringify({ seq: 1, action: 'ping', data: { x: 'x'.repeat(8192) } }), 1009],
  ])('%s close the socket', async (_, frame, code) => {
    const client = await listen(member);
    client.socket.send(frame);
    expect((await client.end()).code).toBe(code);
    expect((await (await listen(member)).ask('ping')).status).toBe('OK');
  });

  it.each(['text', 'ping', 'pong'] as const)('disconnects a client that floods it with %s', async (kind) => {
    const client = await (kind === 'text' ? listen(member) : knock());
    const pongs: string[] = [];
    client.socket.on('pong', (data: Buffer) => pongs.push(data.toString()));
    client.socket.ping('a');
    await eventually(() => pongs.includes('a'));
    for (let seq = 1; seq <= 400; seq++)
      if (kind === 'text') client.socket.send(JSON.stringify({ seq, action: 'ping' }));
      else client.socket[kind](String(seq));
    expect((await client.end()).code).toBe(1008);
    expect(pongs.length).toBeLessThanOrEqual(300);
  });

  it('disconnects a user who floods it over many sockets', async () => {
    const flooder = await buildMember(server, [team.id]);
    await withLimits({ maxFramesPerUser: 50 }, async () => {
      const clients = [await listen(flooder), await listen(flooder)];
      for (let seq = 1; seq <= 26; seq++)
        for (const client of clients) client.socket.send(JSON.stringify({ seq, action: 'ping' }));
      expect(await Promise.race(clients.map(async (client) => (await client.end()).code))).toBe(1008);
    });
  });
});

describe('delivery', () => {
  it('posted: to members, with all its keys, and not to others', async () => {
    const [reader, outsider] = [await listen(member), await listen(stranger)];
    const created = await post(member.client, team.channelId, 'Hello');
    const posted = await reader.event('posted');
    const channel = (await server.admin.get(`/channels/${team.channelId}`)).body;
    const sender = (await server.admin.get(`/users/${member.id}`)).body;
    const place = { channel_id: team.channelId };
    expect(posted.broadcast).toMatchObject({ ...place, omit_users: null, user_id: '', team_id: '' });
    expect({ ...posted.data, post: JSON.parse(posted.data['post']) }).toEqual({
      post: expect.objectContaining({ ...place, id: created.id, message: 'Hello', file_ids: [] }),
      channel_type: 'O',
      channel_name: channel.name,
      channel_display_name: channel.display_name,
      sender_name: `@${sender.username}`,
      team_id: team.id,
      set_online: true,
    });
    await fence(outsider);
    expect(outsider.named('posted')).toEqual([]);
    expectGapless(outsider);
  });

  it('500 posts in a burst arrive in order, numbered without gaps', async () => {
    const reader = await listen(member);
    const hook = await buildHook();
    const texts = Array.from({ length: 500 }, (_, i) => `burst ${i}`);
    for (let i = 0; i < texts.length; i += 50) {
      const answers = texts.slice(i, i + 50).map((text) => server.anonymous.post(`/hooks/${hook}`, { text }));
      for (const answer of await Promise.all(answers)) expect(answer.status).toBe(200);
    }
    await eventually(() => reader.named('posted').length === texts.length);
    expectGapless(reader);
    const heard = reader.named('posted').map(({ data }) => JSON.parse(data['post']));
    expect(new Set(heard.map(({ message }) => message))).toEqual(new Set(texts));
    const pages = [0, 1, 2].map((page) => `/channels/${team.channelId}/posts?page=${page}&per_page=200`);
    const listed: string[] = [];
    for (const page of pages) listed.push(...(await server.admin.get(page)).body.order);
    const ids = heard.map(({ id }) => id as string);
    const newest = listed.reverse().slice(-texts.length);
    if (isAlone) expect(ids).toEqual(newest);
    else expect(new Set(ids)).toEqual(new Set(newest)); // each instance announces its own at once
  });

  it('measures the delay of its events', async () => {
    const counted = async (): Promise<number> => {
      const { text } = await server.first.get('/metrics'); // of the instance that has the connection
      return Number(/^hookline_live_lag_seconds_count (\d+)$/m.exec(text)?.[1]);
    };
    const before = await counted();
    const client = await listen(member);
    await member.client.post('/posts', { channel_id: team.channelId, message: 'in time' });
    await client.event('posted', (frame) => messageOf(frame) === 'in time');
    expect(await counted()).toBeGreaterThan(before);
  });

  it('a member who leaves receives no more events, one who joins receives new ones', async () => {
    const channelId = await buildChannel(server.admin, team.id, 'P');
    const user = await buildMember(server, [team.id]);
    const [client, witness] = [await listen(user), await listen({ client: server.admin })];
    /** Posts, and waits until the post was sent to those who were members then. */
    const say = async (message: string): Promise<void> => {
      await post(server.admin, channelId, message);
      await witness.event('posted', (frame) => messageOf(frame) === message);
    };
    await say('before');
    await join(user, channelId);
    expect((await client.event('user_added')).data).toEqual({ user_id: user.id, team_id: team.id });
    await say('while there');
    await server.admin.delete(`/channels/${channelId}/members/${user.id}`);
    await say('after');
    await fence(client);
    const removed = { channel_id: channelId, remover_id: server.adminId };
    expect((await client.event('user_removed')).data).toEqual(removed);
    const seen = witness.events.filter(({ event }) => event === 'user_added' || event === 'user_removed');
    expect(seen.map(({ data, broadcast }) => [data, broadcast['channel_id']])).toEqual([
      [{ user_id: user.id, team_id: team.id }, channelId],
      [{ user_id: user.id, remover_id: server.adminId }, channelId],
    ]);
    const messages = client.named('posted').map(messageOf);
    expect(messages.filter((one) => /^(before|while there|after)$/.test(one))).toEqual(['while there']);
  });

  it('a user who leaves the team receives no more events of its channels', async () => {
    const user = await buildColleague();
    const [client, colleague] = [await listen(user), await listen(member)];
    await server.admin.delete(`/teams/${team.id}/members/${user.id}`);
    await post(server.admin, team.channelId, 'without you');
    await fence(client, colleague);
    const left = { team_id: team.id, user_id: user.id };
    for (const one of [client, colleague])
      expect(one.named('leave_team').map(({ data }) => data)).toEqual([left]);
    expect(client.named('posted').map(messageOf)).not.toContain('without you');
  });

  it('a mention is sent only to mentioned users', async () => {
    const colleague = await buildColleague();
    const [first, second] = [await listen(member), await listen(colleague)];
    const author = await listen({ client: server.admin });
    const mentionsIn = async (client: LiveClient, message: string): Promise<unknown> =>
      (await client.event('posted', (frame) => messageOf(frame) === message)).data['mentions'];
    const forOne = `for @${(await server.admin.get(`/users/${member.id}`)).body.username}.`;
    await post(server.admin, team.channelId, forOne);
    expect(await mentionsIn(first, forOne)).toBe(JSON.stringify([member.id]));
    expect(await mentionsIn(second, forOne)).toBeUndefined();
    const forAll = 'for @channel';
    await post(server.admin, team.channelId, forAll);
    expect(await mentionsIn(first, forAll)).toBe(JSON.stringify([member.id]));
    expect(await mentionsIn(second, forAll)).toBe(JSON.stringify([colleague.id]));
    expect(await mentionsIn(author, forAll)).toBeUndefined();
  });

  it('a webhook sends under its override name, except in a direct channel', async () => {
    const reader = await listen(member);
    const hook = await buildHook();
    const { username } = (await server.admin.get(`/users/${member.id}`)).body;
    const named = { username: 'Build bot' };
    const payloads = [
      { text: 'named', ...named },
      { text: 'unnamed' },
      { text: 'direct', ...named, channel: `@${username}` },
    ];
    for (const payload of payloads) await server.anonymous.post(`/hooks/${hook}`, payload);
    const of = async (text: string): Promise<unknown> =>
      (await reader.event('posted', (frame) => messageOf(frame) === text)).data;
    expect(await of('named')).toMatchObject({ sender_name: 'Build bot', set_online: false });
    expect(await of('unnamed')).toMatchObject({ sender_name: 'webhook' });
    const place = { channel_display_name: '@admin', channel_type: 'D', team_id: '' };
    const mentions = JSON.stringify([member.id]);
    expect(await of('direct')).toMatchObject({ ...place, sender_name: '@admin', mentions });
    const added = { creator_id: server.adminId, teammate_id: member.id };
    expect((await reader.event('direct_added')).data).toEqual(added);
  });

  it('a user sends under no other name', async () => {
    const reader = await listen(member);
    const props = { from_webhook: 'true', override_username: 'Build bot' };
    const created = await post(server.admin, team.channelId, 'forged', props);
    const { data } = await reader.event('posted');
    expect(data).toMatchObject({ sender_name: '@admin' });
    expect(JSON.parse(data['post'])).toMatchObject({ id: created.id, props: {} });
    await server.admin.put(`/posts/${created.id}/patch`, { props });
    expect(JSON.parse((await reader.event('post_edited')).data['post'])).toMatchObject({ props: {} });
  });

  it('post_edited and post_deleted; administrators receive who deleted', async () => {
    const [reader, admin] = [await listen(member), await listen({ client: server.admin })];
    const created = await post(member.client, team.channelId, 'first');
    await member.client.put(`/posts/${created.id}/patch`, { message: 'second' });
    const edited = await reader.event('post_edited');
    expect(JSON.parse(edited.data['post'])).toMatchObject({ id: created.id, message: 'second' });
    expect(Object.keys(edited.data)).toEqual(['post']);
    await server.admin.delete(`/posts/${created.id}`);
    const deleted = await reader.event('post_deleted');
    expect(JSON.parse(deleted.data['post'])).toMatchObject({ id: created.id });
    expect(deleted.data).not.toHaveProperty('delete_by');
    expect((await admin.event('post_deleted')).data).toMatchObject({ delete_by: server.adminId });
    expect(admin.named('post_deleted')).toHaveLength(1);
  });
});

describe('other events', () => {
  it('channels', async () => {
    const client = await listen({ client: server.admin });
    const watcher = await listen(member);
    const channelId = await buildChannel(server.admin, team.id);
    expect((await client.event('channel_created')).data).toEqual({ channel_id: channelId, team_id: team.id });
    await join(member, channelId);
    await server.admin.put(`/channels/${channelId}/patch`, { header: 'New header' });
    expect(JSON.parse((await watcher.event('channel_updated')).data['channel'])).toMatchObject({
      id: channelId,
      header: 'New header',
    });
    const roles = { scheme_user: true, scheme_admin: true };
    await server.admin.put(`/channels/${channelId}/members/${member.id}/schemeRoles`, roles);
    const changed = JSON.parse((await watcher.event('channel_member_updated')).data['channelMember']);
    expect(changed).toMatchObject({ channel_id: channelId, user_id: member.id, scheme_admin: true });
    await server.admin.put(`/channels/${channelId}/privacy`, { privacy: 'P' });
    const converted = await watcher.event('channel_converted');
    expect([converted.data, converted.broadcast['team_id']]).toEqual([{ channel_id: channelId }, team.id]);
    await member.client.post(`/channels/members/${member.id}/view`, { channel_id: channelId });
    const viewed = await watcher.event('multiple_channels_viewed');
    expect(viewed.data).toEqual({ channel_times: { [channelId]: expect.any(Number) } });
    await server.admin.delete(`/channels/${channelId}`);
    const archived = await watcher.event('channel_deleted');
    expect(archived.data).toEqual({ channel_id: channelId, delete_at: expect.any(Number) });
    expect(archived.broadcast).toMatchObject({ channel_id: channelId, team_id: '' });
    await server.admin.post(`/channels/${channelId}/restore`);
    expect((await watcher.event('channel_restored')).data).toEqual({ channel_id: channelId });
    expectGapless(watcher);
  });

  it('an archived open channel is announced to the whole team', async () => {
    const watcher = await listen(member);
    const channelId = await buildChannel(server.admin, team.id);
    await server.admin.delete(`/channels/${channelId}`);
    expect((await watcher.event('channel_deleted')).broadcast).toMatchObject({
      channel_id: '',
      team_id: team.id,
    });
  });

  it('group channels', async () => {
    const [watcher, third] = [await listen(member), await buildMember(server)];
    const group = (await server.admin.post('/channels/group', [server.adminId, member.id, third.id])).body;
    const added = await watcher.event('group_added');
    expect(added.broadcast['channel_id']).toBe(group.id);
    expect(added.data['creator_id']).toBe(server.adminId);
    expect(JSON.parse(added.data['teammate_ids'])).toEqual(expect.arrayContaining([member.id, third.id]));
  });

  it('teams', async () => {
    const other = await buildTeam(server.admin);
    const client = await listen(member);
    await server.admin.post(`/teams/${other.id}/members`, { team_id: other.id, user_id: member.id });
    expect((await client.event('added_to_team')).data).toEqual({ team_id: other.id, user_id: member.id });
    const roles = { scheme_user: true, scheme_admin: true };
    await server.admin.put(`/teams/${other.id}/members/${member.id}/schemeRoles`, roles);
    expect(JSON.parse((await client.event('memberrole_updated')).data['member'])).toMatchObject({
      team_id: other.id,
      roles: expect.stringContaining('team_admin'),
    });
    await server.admin.put(`/teams/${other.id}/patch`, { description: 'New' });
    const updated = await client.event('update_team');
    const shown = { id: other.id, description: 'New', email: '', invite_id: '' };
    expect(JSON.parse(updated.data['team'])).toMatchObject(shown);
    expect(updated.broadcast['team_id']).toBe(other.id);
    await server.admin.delete(`/teams/${other.id}`);
    expect(JSON.parse((await client.event('delete_team')).data['team']).delete_at).toBeGreaterThan(0);
    await server.admin.post(`/teams/${other.id}/restore`);
    expect(JSON.parse((await client.event('restore_team')).data['team']).delete_at).toBe(0);
  });

  it('users', async () => {
    const [self, other] = [await listen(member), await listen(stranger)];
    const admin = await listen({ client: server.admin });
    const fresh = await buildMember(server);
    const created = await other.event('new_user', ({ data }) => data['user_id'] === fresh.id);
    expect(created.broadcast['user_id']).toBe('');
    await server.admin.put(`/users/${member.id}/patch`, { nickname: 'Nick' });
    for (const client of [self, other, admin]) {
      const { user } = (await client.event('user_updated')).data;
      expect(user).toMatchObject({ id: member.id, nickname: 'Nick' });
      expect('notify_props' in user).toBe(client !== other);
    }
    const roles = 'system_user system_user_access_token';
    await server.admin.put(`/users/${member.id}/roles`, { roles });
    expect((await self.event('user_role_updated')).data).toEqual({ user_id: member.id, roles });
    await server.admin.put(`/users/${fresh.id}/active`, { active: false });
    expect((await other.event('user_activation_status_change')).data).toEqual({});
    await fence(self, other, admin);
    expect(self.named('user_updated').filter(({ data }) => data['user'].id === member.id)).toHaveLength(1);
  });

  it('preferences', async () => {
    const [client, other] = [await listen(member), await listen(stranger)];
    const preference = { user_id: member.id, category: 'display', name: 'clock', value: '24' };
    await member.client.put(`/users/${member.id}/preferences`, [preference]);
    expect(JSON.parse((await client.event('preferences_changed')).data['preferences'])).toEqual([preference]);
    await member.client.post(`/users/${member.id}/preferences/delete`, [preference]);
    expect(JSON.parse((await client.event('preferences_deleted')).data['preferences'])).toEqual([preference]);
    await fence(other);
    expect(other.named('preferences_changed')).toEqual([]);
  });

  it('roles', async () => {
    const client = await listen(stranger);
    const role = (await server.admin.get('/roles/name/system_post_all')).body;
    await server.admin.put(`/roles/${role.id}/patch`, { permissions: [...role.permissions, 'view_members'] });
    const updated = await client.event('role_updated');
    expect(JSON.parse(updated.data['role'])).toMatchObject({
      name: 'system_post_all',
      permissions: expect.arrayContaining(['view_members']),
    });
    await server.admin.put(`/roles/${role.id}/patch`, { permissions: role.permissions });
  });
});

describe('resuming a lost connection', () => {
  const resumeQuery = (client: LiveClient, seq = client.expectedSeq): string =>
    `?connection_id=${client.connectionId}&sequence_number=${seq}`;

  it('sends missed events with the same numbers, without a hello', async () => {
    const lost = await listen(member);
    await post(server.admin, team.channelId, 'heard');
    await lost.event('posted');
    lost.close();
    await post(server.admin, team.channelId, 'missed');
    const next = await listen(member, resumeQuery(lost));
    await next.event('posted', ({ data }) => String(data['post']).includes('missed'));
    await post(server.admin, team.channelId, 'after');
    await next.event('posted', ({ data }) => String(data['post']).includes('after'));
    expectGapless(next, lost.expectedSeq);
    expect(next.named('hello')).toEqual([]);
  });

  it('also by a challenge, and while the old socket still looks alive', async () => {
    const old = await listen(member);
    const next = await knock(resumeQuery(old, 0));
    await next.ask('authentication_challenge', { token: member.client.token });
    await old.end();
    expect((await next.event('hello')).data['connection_id']).toBe(old.connectionId);
    await fence(next);
    expectGapless(next);
  });

  it.each([
    ['an unknown connection', () => `?connection_id=${newId()}&sequence_number=1`],
    ['a number from the future', (old: LiveClient) => resumeQuery(old, 99)],
    ['incomplete parameters', (old: LiveClient) => `?connection_id=${old.connectionId}`],
    ['nonsense', (old: LiveClient) => `?connection_id=${old.connectionId}&sequence_number=-1`],
  ])('%s makes a new connection', async (_, query) => {
    const old = await listen(member);
    const next = await listen(member, query(old));
    const hello = await next.event('hello');
    expect(hello.seq).toBe(0);
    expect(hello.data['connection_id']).not.toBe(old.connectionId);
  });

  it('cannot resume the connection of another user', async () => {
    const old = await listen(member);
    const next = await listen(stranger, resumeQuery(old));
    expect((await next.event('hello')).data['connection_id']).not.toBe(old.connectionId);
    expect((await old.ask('ping')).status).toBe('OK');
  });

  it('cannot resume a session that has ended', async () => {
    const user = await buildMember(server);
    const lost = await listen(user);
    lost.close();
    await user.client.post('/users/logout');
    const next = await knock(resumeQuery(lost), { authorization: `Bearer ${user.client.token}` });
    expect((await next.ask('ping')).error?.status_code).toBe(401);
    expect(next.events).toEqual([]);
  });
});

describe('a connection that stays open while permissions change', () => {
  /** Whether a client receives an event with this mark by the time another client has received it. */
  const heard = async (client: LiveClient, name: string, mark: string): Promise<boolean> => {
    if (!isAlone) await catchUpWithOthers();
    await fence(client);
    return client.named(name).some(({ data }) => JSON.stringify(data).includes(mark));
  };
  /** Earlier events at other instances have reached this one when a post of each has. */
  const catchUpWithOthers = async (): Promise<void> => {
    const witness = await listen({ client: server.admin });
    for (const mark of [newId(), newId(), newId()]) {
      await post(server.admin, team.channelId, mark);
      await witness.event('posted', ({ data }) => String(data['post']).includes(mark));
    }
    witness.close();
  };
  const receivesPosts = async (client: LiveClient, channelId: string): Promise<boolean> => {
    const mark = newId();
    await post(server.admin, channelId, mark);
    return heard(client, 'posted', mark);
  };
  const setRoles = (userId: string, roles: string) => server.admin.put(`/users/${userId}/roles`, { roles });

  it('an administrator receives more, from the promotion to the demotion', async () => {
    const user = await buildColleague();
    const client = await listen(user);
    const receivesDeleter = async (): Promise<boolean> => {
      const { id } = await post(server.admin, team.channelId, 'to be deleted');
      await server.admin.delete(`/posts/${id}`);
      const { data } = await client.event('post_deleted', (frame) => String(frame.data['post']).includes(id));
      return 'delete_by' in data;
    };
    expect(await receivesDeleter()).toBe(false);
    await setRoles(user.id, 'system_user system_admin');
    expect(await receivesDeleter()).toBe(true);
    await setRoles(user.id, 'system_user');
    expect(await receivesDeleter()).toBe(false);
    expectGapless(client);
  });

  it('follows a changed notification setting for @channel', async () => {
    const user = await buildColleague();
    const client = await listen(user);
    const isMentioned = async (): Promise<boolean> => {
      const mark = newId();
      await post(server.admin, team.channelId, `@channel ${mark}`);
      const { data } = await client.event('posted', (frame) => String(frame.data['post']).includes(mark));
      return 'mentions' in data;
    };
    expect(await isMentioned()).toBe(true);
    for (const channel of ['false', 'true']) {
      await user.client.put(`/users/${user.id}/patch`, { notify_props: { channel } });
      expect(await isMentioned()).toBe(channel === 'true');
    }
  });

  it.each(['creator', 'teammate'])('the %s receives events of a new channel at once', async (who) => {
    const [user, other] = [await buildMember(server, [team.id]), await buildMember(server, [team.id])];
    const client = await listen(user);
    const [maker, ids] = who === 'creator' ? [user, [user.id, other.id]] : [other, [other.id, user.id]];
    const direct = (await maker.client.post('/channels/direct', ids)).body;
    expect(await receivesPosts(client, direct.id)).toBe(true);
    const group = (await maker.client.post('/channels/group', [user.id, other.id, stranger.id])).body;
    expect(await receivesPosts(client, group.id)).toBe(true);
    if (who === 'creator')
      expect(await receivesPosts(client, await buildChannel(user.client, team.id, 'P'))).toBe(true);
  });

  it('a user receives events of a team from creating or joining it until leaving it', async () => {
    const user = await buildMember(server);
    const client = await listen(user);
    const receivesTeamEvents = async (teamId: string): Promise<boolean> => {
      const description = newId();
      await server.admin.put(`/teams/${teamId}/patch`, { description });
      return heard(client, 'update_team', description);
    };
    const own = await buildTeam(user.client);
    expect(await receivesTeamEvents(own.id)).toBe(true);
    expect(await receivesTeamEvents(team.id)).toBe(false);
    await server.admin.post(`/teams/${team.id}/members`, { team_id: team.id, user_id: user.id });
    expect(await receivesTeamEvents(team.id)).toBe(true);
    await server.admin.delete(`/teams/${team.id}/members/${user.id}`);
    expect(await receivesTeamEvents(team.id)).toBe(false);
  });

  it('the rest of the team receives no events of a channel while it is private', async () => {
    const user = await buildMember(server, [team.id]);
    const client = await listen(user);
    const channelId = await buildChannel(server.admin, team.id);
    const hears = async (): Promise<boolean> => {
      const before = client.named('channel_deleted').length;
      await server.admin.delete(`/channels/${channelId}`);
      await fence(client);
      await server.admin.post(`/channels/${channelId}/restore`);
      return client.named('channel_deleted').length > before;
    };
    expect(await hears()).toBe(true);
    await server.admin.put(`/channels/${channelId}/privacy`, { privacy: 'P' });
    expect(await hears()).toBe(false);
    await server.admin.put(`/channels/${channelId}/privacy`, { privacy: 'O' });
    expect(await hears()).toBe(true);
  });

  describe('receives what it can read by HTTP', () => {
    const CONTENT = ['posted', 'post_edited', 'post_deleted', 'typing'];
    let roles: any[];
    let places: Record<'open' | 'closed' | 'direct' | 'group', string>;
    let listeners: Record<'member' | 'colleague', { user: BuiltUser; client: LiveClient }>;

    const permit = async (name: string, permissions: string[]): Promise<void> => {
      const { id } = roles.find((role) => role.name === name);
      await server.admin.call('PUT', `/roles/${id}/patch`, { permissions });
    };
    const without = (name: string, ...lost: string[]): Promise<void> =>
      permit(
        name,
        roles.find((role) => role.name === name).permissions.filter((one: string) => !lost.includes(one)),
      );

    beforeAll(async () => {
      roles = await server.admin.call('GET', '/roles');
      const member = await buildMember(server, [team.id]);
      const colleague = await buildMember(server, [team.id]);
      const talk = async (kind: string, ids: string[]): Promise<string> =>
        (await member.client.call('POST', `/channels/${kind}`, ids)).id;
      places = {
        open: await buildChannel(server.admin, team.id),
        closed: await buildChannel(server.admin, team.id, 'P'),
        direct: await talk('direct', [member.id, colleague.id]),
        group: await talk('group', [member.id, colleague.id, server.adminId]),
      };
      for (const id of [places.open, places.closed])
        for (const user of [member, colleague]) await join(user, id);
      const connect = async (user: BuiltUser) => ({
        user,
        client: await LiveClient.connect(server.url, user.client.token),
      });
      listeners = { member: await connect(member), colleague: await connect(colleague) };
    });
    afterEach(async () => {
      for (const { name, permissions } of roles) if (name !== 'system_admin') await permit(name, permissions);
    });
    afterAll(() => {
      for (const { client } of Object.values(listeners)) client.close();
    });

    /** Triggers every channel event, and compares its recipients with the users who can read it. */
    async function compare(): Promise<Record<string, boolean>> {
      const heard: Record<string, boolean> = {};
      const clients = Object.values(listeners).map(({ client }) => client);
      const root = await listen({ client: server.admin });
      for (const [place, id] of Object.entries(places)) {
        for (const client of clients) client.events.length = 0;
        const mark = newId();
        const readers: LiveClient[] = [];
        for (const { user, client } of Object.values(listeners))
          if ((await user.client.get(`/channels/${id}/posts`)).status === 200) readers.push(client);
        const written = await post(server.admin, id, mark);
        await server.admin.call('PUT', `/posts/${written.id}/patch`, { message: `${mark}!` });
        for (const reader of readers) await reader.event('post_edited'); // after the deletion, its text is no longer sent
        await server.admin.call('DELETE', `/posts/${written.id}`);
        for (const reader of readers) await reader.event('post_deleted');
        await withLimits({ typingEveryMs: 0 }, async () => {
          await root.ask('user_typing', { channel_id: id, parent_id: '' });
        });
        if (place === 'open' || place === 'closed')
          await server.admin.call('PUT', `/channels/${id}/patch`, { header: mark });
        await fence(...clients);
        for (const [who, { user, client }] of Object.entries(listeners)) {
          const isRead = (await user.client.get(`/channels/${id}/posts`)).status === 200;
          const isSeen = (await user.client.get(`/channels/${id}`)).status === 200;
          for (const name of CONTENT)
            expect([who, place, name, client.named(name).length > 0]).toEqual([who, place, name, isRead]);
          if (place === 'open' || place === 'closed')
            expect([who, place, client.named('channel_updated').length > 0]).toEqual([who, place, isSeen]);
          heard[`${who} ${place}`] = isRead;
        }
      }
      return heard;
    }

    const ALL = ['member', 'colleague'].flatMap((who) =>
      ['open', 'closed', 'direct', 'group'].map((place) => `${who} ${place}`),
    );
    const OPEN = ['member open', 'colleague open'];
    it.each<[string, () => Promise<void>, string[]]>([
      ['everything', async () => undefined, ALL],
      ['public channels, and no private posts', () => without('channel_user', 'read_channel_content'), OPEN],
      ['no private channels', () => without('channel_user', 'read_channel', 'read_channel_content'), OPEN],
      [
        'nothing',
        async () => {
          await without('channel_user', 'read_channel_content');
          await without('team_user', 'read_public_channel');
        },
        [],
      ],
      [
        'what a team role grants',
        async () => {
          await without('channel_user', 'read_channel_content');
          await permit('team_user', ['view_team', 'read_channel_content', 'read_public_channel']);
        },
        ALL.filter((one) => /open|closed/.test(one)),
      ],
    ])('%s', async (_what, change, expected) => {
      await change();
      const heard = await compare();
      expect(ALL.filter((one) => heard[one])).toEqual(expected);
    });

    it('nothing of a channel that becomes private', async () => {
      await without('channel_user', 'read_channel_content');
      const { client } = listeners.member;
      expect(await receivesPosts(client, places.open)).toBe(true);
      await server.admin.call('PUT', `/channels/${places.open}/privacy`, { privacy: 'P' });
      expect(await receivesPosts(client, places.open)).toBe(false);
      await server.admin.call('PUT', `/channels/${places.open}/privacy`, { privacy: 'O' });
      expect(await receivesPosts(client, places.open)).toBe(true);
    });

    it('without a statement per event', async () => {
      const { client } = listeners.member;
      expect(await receivesPosts(client, places.closed)).toBe(true);
      const reads = jest.spyOn(server.app.get(MembershipsReadModel), 'listRolesOf');
      for (let i = 0; i < 3; i++) expect(await receivesPosts(client, places.closed)).toBe(true);
      expect(reads).not.toHaveBeenCalled();
      reads.mockRestore();
    });
  });
});

describe('the end of a session', () => {
  it('closes its connections, and not those of another session', async () => {
    const user = await buildMember(server);
    const username = (await user.client.get('/users/me')).body.username as string;
    const second = await server.login(username, 'a password of a member');
    const [ended, kept] = [await listen(user), await listen({ client: second })];
    await user.client.post('/users/logout');
    expect((await ended.end()).code).toBe(1008);
    expect((await kept.ask('ping')).status).toBe('OK');
  });

  it.each<[string, (user: BuiltUser) => Promise<unknown>]>([
    ['revoking all sessions', ({ id }) => server.admin.call('POST', `/users/${id}/sessions/revoke/all`)],
    [
      'revoking that session alone',
      async ({ id, client }) => {
        const [session] = (await client.get(`/users/${id}/sessions`)).body;
        const body = { session_id: session.id };
        return server.admin.call('POST', `/users/${id}/sessions/revoke`, body);
      },
    ],
    [
      'a new password',
      ({ id }) =>
        server.admin.call('PUT', `/users/${id}/password`, { new_password: 'another long password' }),
    ],
  ])('by %s', async (_, end) => {
    const user = await buildMember(server);
    const client = await listen(user);
    await end(user);
    expect((await client.end()).code).toBe(1008);
  });

  /** Runs `action` when the sessions of all users but this one have expired. */
  async function whenExpired({ id }: BuiltUser, action: () => Promise<void>): Promise<void> {
    const later = Date.now() + 721 * 3_600_000;
    const sessions = server.app.get(DataSource).getRepository(Session);
    await sessions.update({ userId: id }, { expiresAt: later + 3_600_000 });
    await committed(server.app.get(UnitOfWork), () => server.app.get(AuthenticationService).forgetUser(id));
    const clock = jest.spyOn(server.app.get(Clock), 'now').mockReturnValue(later);
    try {
      await action();
    } finally {
      clock.mockRestore();
    }
  }

  it.each(['pinged', 'heard', 'answered'])('by its expiry, before anything more is %s', async (what) => {
    const [user, other] = [await buildColleague(), await buildColleague()];
    const [client, prolonged] = [await listen(user), await listen(other)];
    await whenExpired(other, async () => {
      if (what === 'heard') live().send('later', { channelId: team.channelId }, {});
      else if (what === 'answered') client.socket.send(JSON.stringify({ seq: 1, action: 'ping' }));
      else await withLimits({ pingEveryMs: 0 }, async () => server.app.get(LiveGateway)['checkPulses']());
      expect((await client.end()).code).toBe(1008);
      expect([client.named('later'), client.replies]).toEqual([[], []]);
      expect((await prolonged.ask('ping')).status).toBe('OK');
    });
  });

  it.each(['disable', 'revoke'])('by a call to %s a personal access token', async (action) => {
    const user = await buildMember(server);
    await server.admin.put(`/users/${user.id}/roles`, { roles: 'system_user system_user_access_token' });
    const token = await user.client.call('POST', `/users/${user.id}/tokens`, { description: 'live' });
    const client = await listen({ client: server.anonymous.as(token.token) });
    const session = await listen(user);
    await user.client.post(`/users/tokens/${action}`, { token_id: token.id });
    expect((await client.end()).code).toBe(1008);
    expect((await session.ask('ping')).status).toBe('OK');
  });

  it('by deactivating the account', async () => {
    const user = await buildColleague();
    const client = await listen(user);
    await server.admin.put(`/users/${user.id}/active`, { active: false });
    await post(server.admin, team.channelId, 'not for you');
    expect((await client.end()).code).toBe(1008);
    expect(client.named('posted').map(messageOf)).not.toContain('not for you');
  });
});

async function openSockets(): Promise<number> {
  const { text } = await server.anonymous.get('/metrics');
  return Number(/^hookline_live_connections (\d+)$/m.exec(text)?.[1]);
}

describe('bounds', () => {
  it('connections up to the limit of a user', async () => {
    const user = await buildMember(server);
    await withLimits({ maxSocketsPerUser: 2 }, async () => {
      await listen(user);
      const second = await listen(user);
      const again = (): Promise<LiveClient> => knock('', { authorization: `Bearer ${user.client.token}` });
      await expect(again()).rejects.toThrow('429');
      second.close();
      await eventually(async () => {
        const client = await again().catch(() => undefined);
        await client?.event('hello');
        return client !== undefined;
      });
    });
  });

  it('new sockets of a user, which count as frames, also before authenticating', async () => {
    const [early, late] = [await buildMember(server), await buildMember(server)];
    const signIn = async (): Promise<LiveClient> => {
      const client = await knock();
      await client.ask('authentication_challenge', { token: late.client.token });
      return client;
    };
    await withLimits({ maxFramesPerUser: 50, framesPerSocket: 20 }, async () => {
      for (let n = 0; n < 3; n++) await listen(early);
      await expect(knock('', { authorization: `Bearer ${early.client.token}` })).rejects.toThrow('429');
      for (let n = 0; n < 3; n++) await (await signIn()).event('hello');
      expect((await (await signIn()).end()).code).toBe(1013);
    });
  });

  it('a limited number of sockets, and fewer silent ones', async () => {
    await withLimits({ maxSockets: 0 }, async () => {
      await expect(knock('', { authorization: `Bearer ${member.client.token}` })).rejects.toThrow('503');
    });
    await withLimits({ maxAnonymousSockets: 0 }, async () => {
      await expect(knock()).rejects.toThrow('503');
      await listen(member);
    });
  });

  it('new sockets by closing one of the address with the most', async () => {
    const from = (address: string, user: { client: ApiClient }): Promise<LiveClient> =>
      knock('', { 'x-forwarded-for': address, authorization: `Bearer ${user.client.token}` });
    const taken = await openSockets();
    const many = await buildMember(server);
    const clients: LiveClient[] = [];
    for (let i = 0; i < taken + 3; i++) clients.push(await from('203.0.113.1', many));
    await withLimits({ maxSockets: await openSockets() }, async () => {
      const late = await from('203.0.113.2', member);
      expect((await late.ask('ping')).status).toBe('OK');
      expect((await clients.at(-1)!.end()).code).toBe(1013);
      expect((await clients[0]!.ask('ping')).status).toBe('OK');
      await expect(from('203.0.113.1', many)).rejects.toThrow('503');
    });
  });

  it('a few silent sockets per address, so that one address cannot take all places', async () => {
    const from = (address: string): Record<string, string> => ({ 'x-forwarded-for': address });
    await withLimits({ maxAnonymousPerAddress: 2 }, async () => {
      const silent = [await knock('', from('2001:db8::1')), await knock('', from('2001:db8::2'))];
      const refused = await upgradeRefusal(from('2001:db8::3'));
      expect(refused).toEqual([429, 'api.web_socket.connect.too_many_from_address.app_error', '5']);
      await knock('', from('10.7.7.7'));
      await knock('', { ...from('2001:db8::3'), authorization: `Bearer ${member.client.token}` });
      await silent[0]!.ask('authentication_challenge', { token: member.client.token });
      await knock('', from('2001:db8::4'));
      silent[1]!.close();
      await eventually(() => knock('', from('2001:db8::5')).catch(() => undefined));
    });
  });

  it('a closing handshake only for a moment', async () => {
    const sockets = server.app.get(LiveConnections, { strict: false });
    await withLimits({ authenticateWithinMs: 50, closeWithinMs: 50, maxAnonymousPerAddress: 1 }, async () => {
      const deaf = await deafSocket('10.7.7.8');
      await eventually(() => !sockets.isFullOf('10.7.7.8'));
      deaf.destroy();
    });
  });

  it('disconnects a client that reads nothing, and lets it resume later', async () => {
    const client = await listen(member);
    await withLimits({ maxBufferedBytes: 256 * 1024 }, async () => {
      (client.socket as unknown as { _socket: Socket })._socket.pause();
      const other = await listen(stranger);
      const text = 'x'.repeat(256 * 1024);
      await eventually(async () => {
        live().send('large', { userId: member.id }, { text });
        await fence(other);
        return client.named('large').length > 0 || (await openSockets()) === 1;
      });
      expect(client.named('large')).toEqual([]);
    });
    client.close();
    await listen(member);
  });

  it('disconnects all clients when events cannot be read', async () => {
    const client = await listen(member);
    await withLimits({ maxQueuedEvents: 3 }, async () => {
      for (let i = 0; i < 5; i++) live().send('flood', {}, {});
    });
    expect((await client.end()).code).toBe(1013);
    const next = await listen(member, `?connection_id=${client.connectionId}&sequence_number=1`);
    expect((await next.event('hello')).data['connection_id']).not.toBe(client.connectionId);
  });

  it('builds no event without recipients', async () => {
    const build = jest.fn(() => ({}));
    const client = await listen(member);
    live().send('unheard', { channelId: newId() }, build);
    live().send('unheard', { userId: newId() }, build);
    await fence(client);
    expect(build).not.toHaveBeenCalled();
  });

  it('skips only the event that cannot be built', async () => {
    const client = await listen(member);
    live().send('broken', {}, () => {
      throw new Error('broken for the test');
    });
    await fence(client);
    expect(client.named('broken')).toEqual([]);
    expectGapless(client);
  });
});

describe('the end of the server', () => {
  it('sends a close frame and does not wait for its clients', async () => {
    const brief = await startTestServer();
    const client = await LiveClient.connect(brief.url, brief.admin.token);
    const silent = await LiveClient.open(brief.url);
    await brief.close();
    expect((await client.end()).code).toBe(1001);
    expect((await silent.end()).code).toBe(1001);
  });
});
