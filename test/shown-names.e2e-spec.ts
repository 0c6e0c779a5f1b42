import { newId } from '../src/platform/common/ids.js';
import { buildTeam, type BuiltTeam } from './factories/incoming-hooks.js';
import { buildOutgoingHook } from './factories/outgoing-hooks.js';
import { buildUser, newAccount } from './factories/users.js';
import { Receiver } from './fakes/receiver.js';
import { eventually, startTestServer, type TestServer } from './support/test-server.js';

/** A name with line breaks, a direction override, zero-width characters and a byte order mark. */
const HIDDEN = '\u202eAnna\r\n\u200b\u2066Ber\u200dta\ufeff\u0007 ';
const SHOWN = 'Anna Berta';

let server: TestServer;
let receiver: Receiver;
let team: BuiltTeam;

beforeAll(async () => {
  server = await startTestServer({ ALLOWED_INTERNAL_HOSTS: '127.0.0.1' });
  receiver = await Receiver.start();
  team = await buildTeam(server.admin);
});
afterAll(async () => {
  await server.close();
  await receiver.close();
});

const name = (): string => `n${newId().slice(0, 14)}`;
const call = (method: string, path: string, body?: unknown): Promise<any> =>
  server.admin.call(method, path, body);

describe('invisible characters are removed from', () => {
  it('the names of users', async () => {
    const names = { nickname: HIDDEN, first_name: HIDDEN, last_name: HIDDEN, position: HIDDEN };
    const shown = { nickname: SHOWN, first_name: SHOWN, last_name: SHOWN, position: SHOWN };
    expect(await call('POST', '/users', newAccount(names))).toMatchObject(shown);
    const { id } = await buildUser(server);
    expect(await call('PUT', `/users/${id}/patch`, names)).toMatchObject(shown);
    expect(await call('PUT', `/users/${id}`, await call('GET', `/users/${id}`))).toMatchObject(shown);
  });

  it('the names of teams, channels, bots and connections', async () => {
    const display_name = HIDDEN;
    const shown = { display_name: SHOWN };
    expect(await call('POST', '/teams', { name: name(), display_name, type: 'O' })).toMatchObject(shown);
    expect(await call('PUT', `/teams/${team.id}/patch`, { display_name })).toMatchObject(shown);
    const channel = { team_id: team.id, name: name(), display_name, type: 'O' };
    expect(await call('POST', '/channels', channel)).toMatchObject(shown);
    expect(await call('PUT', `/channels/${team.channelId}/patch`, { display_name })).toMatchObject(shown);
    const bot = await call('POST', '/bots', { username: name(), display_name });
    expect(bot).toMatchObject(shown);
    const { username } = bot;
    expect(await call('PUT', `/bots/${bot.user_id}`, { username, display_name })).toMatchObject(shown);
    const password = 'long enough words';
    const peer = { name: name(), display_name, default_team_id: team.id, password };
    const { remote_cluster: cluster } = await call('POST', '/remotecluster', peer);
    expect(cluster).toMatchObject(shown);
    expect(await call('PATCH', `/remotecluster/${cluster.remote_id}`, { display_name })).toMatchObject(shown);
  });

  it('the names of webhooks', async () => {
    const names = { display_name: HIDDEN, username: 'an\u200bna\r\n' };
    const shown = { display_name: SHOWN, username: 'anna' };
    const incoming = await call('POST', '/hooks/incoming', { channel_id: team.channelId, ...names });
    expect(incoming).toMatchObject(shown);
    const changed = await call('PUT', `/hooks/incoming/${incoming.id}`, { ...incoming, ...names });
    expect(changed).toMatchObject(shown);
    const outgoing = await buildOutgoingHook(server.admin, team.id, { trigger_words: [name()], ...names });
    expect(outgoing).toMatchObject(shown);
    expect(await call('PATCH', `/hooks/outgoing/${outgoing.id}`, names)).toMatchObject(shown);
    expect(await call('PUT', `/hooks/outgoing/${outgoing.id}`, { ...outgoing, ...names })).toMatchObject(
      shown,
    );
  });

  const newest = async (): Promise<any> => {
    const { order, posts } = await call('GET', `/channels/${team.channelId}/posts`);
    return posts[order[0]];
  };

  it('payloads of incoming webhooks', async () => {
    const hook = await call('POST', '/hooks/incoming', { channel_id: team.channelId, username: 'stored' });
    const post = async (fields: object): Promise<any> => {
      const answer = await server.anonymous.post(`/hooks/${hook.id}`, { text: 'hello', ...fields });
      expect([answer.status, answer.text]).toEqual([200, 'ok']);
      return (await newest()).props;
    };
    const icon_url = 'https://example.com/\u202ebot\r\n.png\u200b';
    expect(await post({ username: HIDDEN, icon_url })).toMatchObject({
      override_username: SHOWN,
      override_icon_url: expect.not.stringMatching(/[\r\n\u200b\u202e]/),
    });
    expect(await post({ username: '\u200b\u202e\r\n' })).toMatchObject({ override_username: 'stored' });
    const form = `payload=${encodeURIComponent(JSON.stringify({ text: 'x', username: HIDDEN }))}`;
    await server.anonymous.send('POST', `/hooks/${hook.id}`, undefined, {
      raw: form,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect((await newest()).props).toMatchObject({ override_username: SHOWN });
  });

  it('replies to outgoing webhooks', async () => {
    const word = name();
    receiver.answer = (_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ text: `reply to ${word}`, username: HIDDEN }));
    };
    await buildOutgoingHook(server.admin, team.id, {
      ...{ channel_id: team.channelId, trigger_words: [word], callback_urls: [receiver.url('/')] },
    });
    await call('POST', '/posts', { channel_id: team.channelId, message: `${word} now` });
    await eventually(async () => (await newest()).message === `reply to ${word}`);
    expect((await newest()).props).toMatchObject({ override_username: SHOWN });
  });
});
