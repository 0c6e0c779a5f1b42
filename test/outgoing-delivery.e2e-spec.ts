import { createHmac } from 'node:crypto';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { DataSource } from 'typeorm';
import { Clock } from '../src/platform/common/clock.js';
import { newId } from '../src/platform/common/ids.js';
import { buildChannel, buildDirect, joinChannel } from './factories/channels.js';
import { buildIncomingHook, buildMember } from './factories/incoming-hooks.js';
import { buildOutgoingHook } from './factories/outgoing-hooks.js';
import { json, Receiver, type ReceivedCall } from './fakes/receiver.js';
import { onlyWhere } from './support/only-where.js';
import { isMysql } from './support/test-database.js';
import { eventually, startTestServer, type TestServer } from './support/test-server.js';

let server: TestServer;
let receiver: Receiver;
let team: any;
let channel: any;

beforeAll(async () => {
  server = await startTestServer({
    ALLOWED_INTERNAL_HOSTS: '127.0.0.0/8, 0.0.0.0',
    OUTGOING_SCHEDULE: '0s,200ms,200ms',
  });
  receiver = await Receiver.start();
  team = (await server.admin.get('/teams/name/main')).body;
});
afterAll(async () => {
  await server.close();
  await receiver.close();
});
beforeEach(async () => {
  channel = await buildChannel(server.admin, team.id);
  receiver.answer = (_, response) => void response.end();
});

const path = (): string => `/${newId()}`;
const say = async (message: string, fields: Record<string, unknown> = {}): Promise<any> => {
  const answer = await server.admin.post('/posts', { channel_id: channel.id, message, ...fields });
  expect(answer.status).toBe(201);
  return answer.body;
};
const callTo = (where: string): Promise<ReceivedCall> => eventually(() => receiver.callsTo(where)[0]);
/** A hook in the channel of this test, and its URL. */
const hookFor = async (fields: Record<string, unknown> = {}): Promise<{ hook: any; where: string }> => {
  const where = path();
  const hook = await buildOutgoingHook(server.admin, team.id, {
    channel_id: channel.id,
    callback_urls: [receiver.url(where)],
    content_type: 'application/json',
    ...fields,
  });
  return { hook, where };
};
const postsIn = async (channelId: string): Promise<any[]> =>
  Object.values((await server.admin.get(`/channels/${channelId}/posts`)).body.posts);
const replyIn = (channelId: string): Promise<any> =>
  eventually(async () => (await postsIn(channelId)).find((post) => post.props.from_webhook === 'true'));
/** Waits until everything before it has been delivered, by a second hook that fires for every message. */
const settled = async (): Promise<void> => {
  const marker = newId();
  const { where } = await hookFor({ trigger_words: [marker] });
  await say(marker);
  await callTo(where);
};

it('is never sent to the server itself, even if every address is allowed', async () => {
  const { port } = new URL(server.url);
  const own = ['127.0.0.1', '127.0.0.9', '0.0.0.0'].map((host) => `http://${host}:${port}/hooks/any`);
  const { hook } = await hookFor({ callback_urls: own });
  for (const url of own) {
    const { status, body } = await server.first
      .as(server.admin.token)
      .post(`/hooks/outgoing/${hook.id}/test`, { callback_url: url });
    expect([status, body.response.error]).toEqual([200, 'refused_address']);
  }
});

it('does not wait for test calls to the same endpoint, which are limited per user', async () => {
  const { hook, where } = await hookFor();
  const waiting: (() => void)[] = [];
  receiver.answer = (call, response) => {
    if (JSON.parse(call.body).text === 'hang') waiting.push(() => response.end());
    else response.end();
  };
  const test = (text: string): Promise<any> =>
    server.first.as(server.admin.token).post(`/hooks/outgoing/${hook.id}/test`, { text });
  const calls = Array.from({ length: 4 }, () => test('hang'));
  await eventually(() => waiting.length === 4 || undefined);
  const refused = await test('hang');
  expect(refused).toMatchObject({
    status: 429,
    body: { id: 'api.context.rate_limit_exceeded.app_error', status_code: 429 },
  });
  expect(refused.body.message).toContain('4 test calls');
  expect(refused.headers['retry-after']).toBe('5');
  await say('please deploy');
  await eventually(() =>
    receiver.callsTo(where).find(({ body }) => JSON.parse(body).text === 'please deploy'),
  );
  for (const end of waiting) end();
  for (const { status } of await Promise.all(calls)) expect(status).toBe(200);
  expect((await test('again')).status).toBe(200);
});

describe('the request', () => {
  it('as JSON: the keys of the contract in order, with milliseconds', async () => {
    const { hook, where } = await hookFor();
    const post = await say('please deploy "größe" 🚀');
    const call = await callTo(where);
    expect(call.method).toBe('POST');
    expect(call.body).toBe(
      JSON.stringify({
        token: hook.token,
        team_id: team.id,
        team_domain: 'main',
        channel_id: channel.id,
        channel_name: channel.name,
        timestamp: post.create_at,
        user_id: server.adminId,
        user_name: 'admin',
        post_id: post.id,
        text: 'please deploy "größe" 🚀',
        trigger_word: 'deploy',
        file_ids: '',
      }),
    );
    expect(call.headers).toMatchObject({
      'content-type': 'application/json',
      accept: 'application/json',
      'user-agent': expect.stringMatching(/^Hookline\/\d+\.\d+\.\d+\S* \(Mattermost-Bot\/1\.1 compatible\)$/),
    });
  });

  it('as a form: all twelve keys in order, with seconds', async () => {
    const { hook, where } = await hookFor({ content_type: '' });
    const post = await say('deploy a+b & c');
    const call = await callTo(where);
    expect(call.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(call.body).toBe(
      [
        `channel_id=${channel.id}`,
        `channel_name=${channel.name}`,
        'file_ids=',
        `post_id=${post.id}`,
        `team_domain=main`,
        `team_id=${team.id}`,
        'text=deploy+a%2Bb+%26+c',
        `timestamp=${Math.trunc(post.create_at / 1000)}`,
        `token=${hook.token}`,
        'trigger_word=deploy',
        `user_id=${server.adminId}`,
        'user_name=admin',
      ].join('&'),
    );
  });

  it('has the current token at the time of the call', async () => {
    const { hook, where } = await hookFor();
    let fail: (() => void) | undefined;
    receiver.answer = ({ path: called }, response) => {
      if (called === where && !fail) fail = () => void response.writeHead(500).end();
      else response.end();
    };
    await say('deploy');
    await callTo(where);
    const renewed = (await server.admin.post(`/api/v4/hooks/outgoing/${hook.id}/regen_token`)).body;
    await server.admin.get(`/api/v4/hooks/outgoing/${hook.id}`); // by then every process knows the new token
    fail?.();
    const again = await eventually(() => receiver.callsTo(where)[1]);
    expect(JSON.parse(again.body).token).toBe(renewed.token);
    expect(renewed.token).not.toBe(hook.token);
  });
});

describe('the signature', () => {
  it('is verified by the packages of its standard, on first attempts, retries and while secrets overlap', async () => {
    const { hook, where } = await hookFor();
    receiver.answer = ({ path: called }, response) => {
      response.statusCode = called === where && receiver.callsTo(where).length === 1 ? 500 : 200;
      response.end();
    };
    await say('deploy');
    const calls = await eventually(() =>
      receiver.callsTo(where).length === 2 ? receiver.callsTo(where) : undefined,
    );
    expect(calls[0]?.headers['webhook-id']).toBe(calls[1]?.headers['webhook-id']);
    const verify = (secret: string, { body, headers }: ReceivedCall): void => {
      new StandardWebhook(secret).verify(body, headers as Record<string, string>);
      new SvixWebhook(secret).verify(body, headers as Record<string, string>);
    };
    for (const call of calls) verify(hook.signing_secret, call);
    expect(() => verify(hook.signing_secret, { ...calls[0]!, body: `${calls[0]!.body} ` })).toThrow();

    const renewed = (await server.admin.post(`/api/v4/hooks/outgoing/${hook.id}/regen_token`)).body;
    expect(renewed.signing_secret).not.toBe(hook.signing_secret);
    await say('deploy again');
    const overlapping = await eventually(() => receiver.callsTo(where)[2]);
    verify(hook.signing_secret, overlapping);
    verify(renewed.signing_secret, overlapping);
  });

  it('is made with each secret until its own overlap ends, no matter how often it is replaced', async () => {
    const { hook, where } = await hookFor();
    const renew = async (): Promise<string> =>
      (await server.admin.post(`/api/v4/hooks/outgoing/${hook.id}/regen_token`)).body.signing_secret;
    const clock = jest.spyOn(server.app.get(Clock), 'now');
    const now = Date.now();
    const { signingOverlapMs } = server.settings;
    const secrets = [hook.signing_secret as string];
    clock.mockReturnValue(now);
    secrets.unshift(await renew());
    expect(await server.admin.call('GET', `/hooks/outgoing/${hook.id}`)).toMatchObject({
      previous_secret_until: now + signingOverlapMs,
    });
    clock.mockReturnValue(now + signingOverlapMs / 2);
    secrets.unshift(await renew());
    const signers = async (count: number): Promise<string[]> => {
      await say('deploy');
      const { body, headers } = await eventually(() => receiver.callsTo(where)[count - 1]);
      const bare = (secret: string): string =>
        `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
      const previous = String(headers['x-hookline-signature-256-previous'] ?? '').split(', ');
      const found = [headers['x-hookline-signature-256'], ...previous].filter((each) => each !== '');
      expect(String(headers['webhook-signature']).split(' ')).toHaveLength(found.length);
      return found.map((each) => secrets.find((secret) => bare(secret) === each) ?? 'unknown');
    };
    try {
      expect(await signers(1)).toEqual(secrets);
      clock.mockReturnValue(now + signingOverlapMs + 1);
      expect(await signers(2)).toEqual(secrets.slice(0, 2));
      clock.mockReturnValue(now + 2 * signingOverlapMs);
      expect(await signers(3)).toEqual(secrets.slice(0, 1));
    } finally {
      clock.mockRestore();
    }
  });
});

describe('triggers', () => {
  it('exclude posts of hooks, system messages and edits', async () => {
    const { where } = await hookFor({ trigger_words: [] });
    const incoming = await buildIncomingHook(server.admin, channel.id);
    await server.anonymous.post(`/hooks/${incoming.id}`, { text: 'by a hook' });
    const member = await buildMember(server, [team.id]);
    await joinChannel(server.admin, channel.id, member.id);
    const post = await say('by a user');
    await server.admin.put(`/posts/${post.id}/patch`, { message: 'deploy now' });
    await callTo(where);
    await settled();
    const said = receiver.callsTo(where).map(({ body }) => JSON.parse(body).text as string);
    expect(said.filter((text) => text.length < 26)).toEqual(['by a user']);
  });

  it('include every open channel for a hook of the whole team, but no private, direct or group channel', async () => {
    const word = newId();
    const { where } = await hookFor({ channel_id: '', trigger_words: [word] });
    const [one, two] = [await buildMember(server, [team.id]), await buildMember(server, [team.id])];
    const group = await server.admin.call('POST', '/channels/group', [server.adminId, one.id, two.id]);
    const direct = await buildDirect(server.admin, server.adminId, one.id);
    const hidden = await buildChannel(server.admin, team.id, { type: 'P' });
    for (const { id } of [group, direct, hidden]) await say(`${word} secret`, { channel_id: id });
    await say(`${word} open`);
    await callTo(where);
    await settled();
    expect(receiver.callsTo(where).map(({ body }) => JSON.parse(body).text)).toEqual([`${word} open`]);
  });

  it('compare whole first words with trigger_when 2', async () => {
    const { where } = await hookFor({ trigger_words: ['it', 'ship it', 'ship'], trigger_when: 2 });
    for (const message of ['shipping it', 'now ship it', ' ship\u00a0it now']) await say(message);
    await callTo(where);
    await settled();
    const [call, ...others] = receiver.callsTo(where);
    expect(others).toEqual([]);
    expect(JSON.parse(call!.body)).toMatchObject({ text: ' ship\u00a0it now', trigger_word: 'ship it' });
  });

  it('include a reply in a thread, even with a from_webhook prop of its client', async () => {
    const { where } = await hookFor();
    const root = await say('start');
    await say('deploy', { root_id: root.id, props: { from_webhook: 'true' } });
    expect(JSON.parse((await callTo(where)).body).text).toBe('deploy');
  });

  it('are off while outgoing webhooks are switched off', async () => {
    const { where } = await hookFor();
    await server.withSettings({ enableOutgoingWebhooks: false }, async () => {
      await say('deploy unheard');
    });
    await say('deploy heard');
    expect(JSON.parse((await callTo(where)).body).text).toBe('deploy heard');
    await settled();
    expect(receiver.callsTo(where)).toHaveLength(1);
  });
});

describe('replies', () => {
  const NAMED = {
    props: {
      from_webhook: 'true',
      webhook_display_name: 'Deployer',
      override_username: 'deployer',
      override_icon_url: 'https://example.com/a.png',
    },
  };
  const reply = (body: unknown): void => void (receiver.answer = json(body));

  const ATTACHED = { type: 'slack_attachment', props: { attachments: [expect.anything()] } };
  const block = { type: 'section', text: { type: 'mrkdwn', text: 'All *green*' } };
  const own = { username: 'other', icon_url: 'https://example.com/b.png' };
  const overridden = { override_username: 'other', override_icon_url: 'https://example.com/b.png' };
  it.each<[string, object, string, object]>([
    ['a text', { text: '<https://example.com|Done>' }, '[Done](https://example.com)', NAMED],
    ['an empty text', { text: '' }, '', NAMED],
    ['their own name and icon', { text: 'Done', ...own }, 'Done', { props: overridden }],
    ['blocks alone', { blocks: [block] }, 'All *green*', {}],
    ['attachments', { attachments: [{ text: 'All green' }] }, '', ATTACHED],
    [
      'a priority',
      { text: 'x', priority: { priority: 'urgent' } },
      'x',
      { metadata: { priority: { priority: 'urgent' } } },
    ],
  ])('with %s become a post of the creator in the channel', async (_, body, message, post) => {
    await hookFor({ username: 'deployer', icon_url: 'https://example.com/a.png' });
    receiver.answer = (__, response) => void response.end(`\ufeff${JSON.stringify(body)}`);
    await say('deploy');
    expect(await replyIn(channel.id)).toMatchObject({
      message,
      user_id: server.adminId,
      root_id: '',
      ...post,
    });
  });

  it('have no name and icon of their own while overrides are off', async () => {
    await hookFor({ username: 'deployer' });
    reply({ text: 'Done', ...own });
    const off = { enablePostUsernameOverride: false, enablePostIconOverride: false };
    await server.withSettings(off, async () => {
      await say('deploy');
      const { props } = await replyIn(channel.id);
      expect([props.override_username, props.override_icon_url]).toEqual([undefined, undefined]);
    });
  });

  onlyWhere(isMysql, 'SQLite has one writer at a time').it(
    'do not block other posts of their channel while their outcome waits',
    async () => {
      const { where } = await hookFor();
      const answers: (() => void)[] = [];
      receiver.answer = (call, response) =>
        void answers.push(() => void json({ text: 'Done' })(call, response));
      await say('deploy');
      await callTo(where);
      const { manager } = server.app.get(DataSource);
      await manager.transaction(async (transaction) => {
        await transaction.query('UPDATE deliveries SET attempts = attempts WHERE url = ?', [
          receiver.url(where),
        ]);
        answers.forEach((answer) => answer());
        const isWaiting = async (): Promise<boolean> => {
          const [row] = await manager.query(
            "SELECT COUNT(*) AS n FROM information_schema.processlist WHERE info LIKE 'UPDATE deliveries SET reply_post_id%' AND db = DATABASE()",
          );
          return Number(row.n) > 0;
        };
        await eventually(isWaiting);
        let isStored = false;
        void say('in between').then(() => (isStored = true));
        await eventually(async () => {
          const wasStored = isStored;
          expect(await isWaiting()).toBe(true); // it does not fail either
          return wasStored;
        });
        expect((await postsIn(channel.id)).some(({ message }) => message === 'Done')).toBe(false);
      });
      expect(await replyIn(channel.id)).toMatchObject({ message: 'Done' });
    },
  );

  it('are comments in the thread on request, even below a reply', async () => {
    await hookFor();
    reply({ text: 'Done', response_type: 'comment' });
    const post = await say('deploy');
    expect((await replyIn(channel.id)).root_id).toBe(post.id);
    channel = await buildChannel(server.admin, team.id);
    await hookFor();
    const root = await say('start');
    await say('deploy', { root_id: root.id });
    expect((await replyIn(channel.id)).root_id).toBe(root.id);
  });

  it.each([
    ['text/plain; charset=iso-8859-1', 'latin1'],
    ['application/json; charset=utf-16le', 'utf16le'],
  ] as const)('can be sent as %s', async (type, encoding) => {
    await hookFor();
    receiver.answer = (_, response) =>
      void response.setHeader('Content-Type', type).end(Buffer.from('{"text":"grün"}', encoding));
    await say('deploy');
    expect((await replyIn(channel.id)).message).toBe('grün');
  });

  it('never trigger', async () => {
    const { where } = await hookFor({ trigger_words: [] });
    reply({ text: 'deploy again' });
    await say('go');
    await replyIn(channel.id);
    reply({});
    await settled();
    const said = receiver.callsTo(where).map(({ body }) => JSON.parse(body).text as string);
    expect(said).not.toContain('deploy again');
  });

  it.each([
    ['nothing', '', undefined],
    ['null', 'null', undefined],
    ['an object without text', '{}', undefined],
    ['unknown blocks', '{"blocks":[{"type":"table"}]}', 'none of its blocks can be shown (table).'],
    ['no JSON', '<html>', 'it is not JSON.'],
    ['a list', '[1]', 'it must be a JSON object.'],
    ['a NUL character', '{"text":"a\\u0000b"}', 'text contains a NUL character, which is not allowed.'],
    ['an invalid text', '{"text":1}', 'text must be a string.'],
    ['a refused type', '{"text":"x","type":"system_x"}', 'type must not begin with system_.'],
    ['too large when expanded', `{"attachments":[{}${',{}'.repeat(60_000)}]}`, 'props are too large.'],
    ['too large', JSON.stringify({ text: 'x'.repeat(300_000) }), 'it is larger than 300000 bytes.'],
    ['a broken attachment', '{"attachments":[1]}', ''],
  ])('that are %s create no post, and the attempt says why', async (_, body, reason) => {
    const { hook } = await hookFor();
    receiver.answer = (__, response) => void response.end(body);
    await say('deploy');
    const log = `/hooks/outgoing/${hook.id}/deliveries`;
    const [{ id }] = await eventually(async () => {
      const { deliveries } = await server.admin.call('GET', `${log}?status=delivered`);
      return deliveries.length > 0 && deliveries;
    });
    const { attempt_list: attempts } = await server.admin.call('GET', `${log}/${id}`);
    const note = reason === undefined ? '' : expect.stringContaining(`The reply was not posted: ${reason}`);
    expect(attempts).toMatchObject([{ note }]);
    expect((await postsIn(channel.id)).filter((post) => post.props.from_webhook)).toEqual([]);
  });
});
