import { createServer, type Server } from 'node:http';
import { newId } from '../src/platform/common/ids.js';
import { buildChannel } from './factories/channels.js';
import { buildConnection } from './factories/remote-clusters.js';
import { connect, Site } from './support/site.js';
import { eventually } from './support/test-server.js';

/* Real server processes that are connected with each other, killed and restarted. */

let a: Site;
let b: Site;
let c: Site;
const connections: Record<'ab' | 'ac', string> = { ab: '', ac: '' };

const open = (name: string) => Site.open(name);
const share = (site: Site, remoteId: string, channelId: string) =>
  site.admin.post(`/remotecluster/${remoteId}/channels/${channelId}/invite`);
const seen = (site: Site, channelId: string) =>
  eventually(async () => (await site.admin.get(`/channels/${channelId}`)).status === 200);
const isShared = async (site: Site, channelId: string): Promise<boolean | null> =>
  (await site.admin.get(`/channels/${channelId}`)).body.shared;
const has = (site: Site, channelId: string, message: string) =>
  eventually(async () => (await site.messages(channelId)).includes(message), 20_000);
const channelOf = (site: Site, type = 'O', name = `shared-${newId()}`) =>
  buildChannel(site.admin, site.team.id, { type, name, display_name: 'Shared' });

beforeAll(async () => {
  [a, b, c] = await Promise.all([open('berlin'), open('paris'), open('rome')]);
  for (const [key, to] of [
    ['ab', b],
    ['ac', c],
  ] as const) {
    connections[key] = (await connect(a, to)).remoteId;
  }
}, 120_000);
afterAll(async () => {
  await Promise.all([a, b, c].map((site) => site.close()));
}, 60_000);

describe('a channel that three servers share', () => {
  let channel: any;
  beforeAll(async () => {
    channel = await channelOf(a);
    await a.say(channel.id, 'before it was shared');
    for (const remoteId of Object.values(connections))
      expect((await share(a, remoteId, channel.id)).body).toEqual({ status: 'OK' });
    await Promise.all([seen(b, channel.id), seen(c, channel.id)]);
  }, 30_000);

  it('appears in the team of the connection, without earlier posts', async () => {
    const { body } = await b.admin.get(`/channels/${channel.id}`);
    expect(body).toMatchObject({
      id: channel.id,
      team_id: b.team.id,
      type: 'O',
      name: channel.name,
      display_name: 'Shared',
    });
    expect(await b.messages(channel.id)).toEqual([]);
  });

  it('is listed on both sides', async () => {
    const home = (await a.admin.get(`/sharedchannels/${a.team.id}`)).body;
    expect(home).toMatchObject([
      { id: channel.id, team_id: a.team.id, home: true, readonly: false, remote_id: '', type: 'O' },
    ]);
    const there = (await b.admin.get(`/sharedchannels/${b.team.id}`)).body;
    expect(there).toMatchObject([{ id: channel.id, home: false, remote_id: connections.ab }]);
    for (const site of [a, b]) expect(await isShared(site, channel.id)).toBe(true);
    const remotes = await eventually(async () => {
      const { body } = await a.admin.get(`/remotecluster/${connections.ab}/sharedchannelremotes`);
      return body[0]?.is_invite_confirmed && body;
    });
    expect(remotes).toMatchObject([
      { channel_id: channel.id, remote_id: connections.ab, delete_at: 0, is_invite_accepted: true },
    ]);
    const filtered = async (query: string) =>
      (await a.admin.get(`/remotecluster/${connections.ab}/sharedchannelremotes?${query}`)).body.length;
    expect(await filtered('exclude_home=true')).toBe(0);
    expect(await filtered('exclude_remote=true')).toBe(1);
    expect(await filtered('exclude_confirmed=true')).toBe(0);
    expect(await filtered('exclude_unconfirmed=true')).toBe(1);
    expect(await filtered('page=1&per_page=1')).toBe(0);
  });

  it('shows each post once everywhere, under names with their origin', async () => {
    const fromA = await a.say(channel.id, 'hello from berlin #news', {
      props: { attachments: [{ text: 'x' }] },
    });
    await Promise.all([has(b, channel.id, fromA.message), has(c, channel.id, fromA.message)]);
    const fromB = await b.say(channel.id, 'hello from paris');
    await Promise.all([has(a, channel.id, fromB.message), has(c, channel.id, fromB.message)]);
    const reply = await c.say(channel.id, 'a reply from rome', { root_id: fromB.id });
    await Promise.all([has(a, channel.id, reply.message), has(b, channel.id, reply.message)]);
    for (const site of [a, b, c]) {
      const posts = await site.posts(channel.id);
      const ours = posts.filter(({ id }) => [fromA.id, fromB.id, reply.id].includes(id));
      expect(ours.map(({ id }) => id)).toEqual([fromA.id, fromB.id, reply.id]);
      expect(ours[2].root_id).toBe(fromB.id);
      expect(ours[0].props.attachments).toHaveLength(1);
      expect(ours[0].hashtags).toBe('#news');
    }
    const [, atA] = (await a.posts(channel.id)).filter(({ id }) => [fromA.id, fromB.id].includes(id));
    expect(atA).toMatchObject({ remote_id: connections.ab, user_id: fromB.user_id });
    const author = (await a.admin.get(`/users/${fromB.user_id}`)).body;
    expect(author).toMatchObject({ username: 'admin:paris', remote_id: connections.ab });
    expect((await c.admin.get(`/users/${fromA.user_id}`)).body.username).toBe('admin:berlin');
    expect((await c.admin.get(`/users/${fromB.user_id}`)).body.remote_id).toBe(connections.ac);
  });

  it('fires no webhook where a post arrives', async () => {
    const calls: string[] = [];
    const receiver: Server = createServer((request, response) => {
      request.setEncoding('utf8').on('data', (text: string) => calls.push(text));
      request.on('end', () => response.end());
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const { port } = receiver.address() as { port: number };
    const hook = await b.admin.post('/hooks/outgoing', {
      team_id: b.team.id,
      channel_id: channel.id,
      display_name: 'All',
      trigger_words: [],
      callback_urls: [`http://127.0.0.1:${port}/`],
      content_type: 'application/json',
    });
    expect(hook.status).toBe(201);
    await a.say(channel.id, 'fires nothing in paris');
    await has(b, channel.id, 'fires nothing in paris');
    await b.say(channel.id, 'fires in paris');
    await eventually(() => calls.length > 0);
    await has(a, channel.id, 'fires in paris');
    expect(calls.map((text) => JSON.parse(text).text)).toEqual(['fires in paris']);
    await b.admin.delete(`/hooks/outgoing/${hook.body.id}`);
    await new Promise((resolve) => receiver.close(resolve));
  });

  it('delivers everything once while its server is killed repeatedly', async () => {
    const texts: string[] = [];
    for (let round = 0; round < 2; round++) {
      const writing = (async () => {
        for (let index = 0; index < 10; index++) {
          const text = `round ${round}, ${index}`;
          await a.say(channel.id, text);
          texts.push(text);
        }
      })();
      await b.kill();
      await writing;
      await b.start();
    }
    await has(b, channel.id, texts.at(-1)!);
    expect((await b.messages(channel.id)).filter((text) => text.startsWith('round '))).toEqual(texts);
    await has(c, channel.id, texts.at(-1)!);
    expect((await c.messages(channel.id)).filter((text) => text.startsWith('round '))).toEqual(texts);
  }, 120_000);

  it('ends on both sides when it is unshared, and can start again', async () => {
    const path = `/remotecluster/${connections.ac}/channels/${channel.id}`;
    expect((await a.admin.post(`${path}/uninvite`)).body).toEqual({ status: 'OK' });
    await eventually(async () => (await c.admin.get(`/sharedchannels/${c.team.id}`)).body.length === 0);
    expect(await isShared(c, channel.id)).toBe(null);
    expect(await isShared(a, channel.id)).toBe(true);
    const { id } = await a.say(channel.id, 'not for rome');
    await has(b, channel.id, 'not for rome');
    expect((await a.admin.post(`${path}/uninvite`)).status).toBe(404);
    expect((await a.admin.post(`${path}/invite`)).status).toBe(200);
    await eventually(async () => (await c.admin.get(`/sharedchannels/${c.team.id}`)).body.length === 1);
    expect(await isShared(c, channel.id)).toBe(true);
    expect((await a.admin.put(`/posts/${id}/patch`, { message: 'not for rome, edited' })).status).toBe(200);
    await a.say(channel.id, 'for rome again');
    await has(c, channel.id, 'for rome again');
    expect((await c.messages(channel.id)).join()).not.toContain('not for rome');
  });
});

describe('sharing', () => {
  it('can be private, and stays private', async () => {
    const channel = await channelOf(a, 'P');
    await share(a, connections.ab, channel.id);
    await seen(b, channel.id);
    expect((await b.admin.get(`/channels/${channel.id}`)).body.type).toBe('P');
  });

  it('gets another name when the name is taken', async () => {
    const channel = await channelOf(a);
    await channelOf(b, 'O', channel.name);
    await share(a, connections.ab, channel.id);
    await seen(b, channel.id);
    expect((await b.admin.get(`/channels/${channel.id}`)).body.name).toMatch(/^shared-.*-berlin$/);
  });

  it.each([
    ['a channel of another server', async () => [b, connections.ab, (await sharedFromA()).id], 400],
    ['an unknown channel', async () => [a, connections.ab, newId()], 404],
    ['an unknown connection', async () => [a, newId(), (await channelOf(a)).id], 404],
    [
      'a direct channel',
      async () => {
        const [one] = (await a.admin.get('/users?per_page=60')).body.filter((user: any) => user.remote_id);
        const me = (await a.admin.get('/users/me')).body;
        return [a, connections.ab, (await a.admin.post('/channels/direct', [me.id, one.id])).body.id];
      },
      400,
    ],
    [
      'a connection that is not confirmed',
      async () => {
        const { record } = await buildConnection(a.admin, a.team.id);
        return [a, record.remote_id, (await channelOf(a)).id];
      },
      400,
    ],
  ] as [string, () => Promise<[Site, string, string]>, number][])(
    'refuses %s',
    async (_what, place, status) => {
      const [site, remoteId, channelId] = await place();
      const answer = await share(site, remoteId, channelId);
      expect([answer.status, answer.body.status_code]).toEqual([status, status]);
    },
  );

  async function sharedFromA(): Promise<any> {
    const channel = await channelOf(a);
    await share(a, connections.ab, channel.id);
    await seen(b, channel.id);
    return channel;
  }
});

describe('a deleted connection', () => {
  it('shares nothing more, and the last one unshares the channel', async () => {
    const { id } = await channelOf(a);
    for (const remoteId of Object.values(connections)) await share(a, remoteId, id);
    await Promise.all([seen(b, id), seen(c, id)]);
    expect((await a.admin.delete(`/remotecluster/${connections.ab}`)).status).toBe(200);
    expect(await isShared(a, id)).toBe(true);
    await a.say(id, 'only for rome');
    await has(c, id, 'only for rome');
    expect(await b.messages(id)).toEqual([]);
    expect((await a.admin.delete(`/remotecluster/${connections.ac}`)).status).toBe(200);
    expect(await isShared(a, id)).toBe(null);
    expect((await a.admin.get(`/sharedchannels/${a.team.id}`)).body).toEqual([]);
  }, 60_000);
});
