import { DataSource } from 'typeorm';
import { newId } from '../src/platform/common/ids.js';
import { MAX_TRIED_POSTS } from '../src/outgoing-hooks/dry-run/dry-run.service.js';
import { joinChannel } from './factories/channels.js';
import {
  buildChannel,
  buildIncomingHook,
  buildMember,
  buildTeam,
  type BuiltTeam,
  type BuiltUser,
  whileGranting,
} from './factories/incoming-hooks.js';
import { buildOutgoingHook } from './factories/outgoing-hooks.js';
import { buildPost } from './factories/posts.js';
import type { Answer, ApiClient } from './support/api-client.mjs';
import { expectError } from './support/expect-error.js';
import { storedRows } from './support/stored-rows.js';
import { startTestServer, type TestServer } from './support/test-server.js';

const BASE = 'manage_webhooks';
const OTHERS = 'manage_others_outgoing_webhooks';
const DENIED = 'api.context.permissions.app_error';
const BAD_BODY = 'api.context.invalid_body_param.app_error';

/** POST /api/v4/hooks/outgoing/{hook_id}/dry_run: docs/contract/outgoing-webhooks.md#dry-run */
describe('the dry run of an outgoing webhook', () => {
  let server: TestServer;
  let admin: ApiClient;
  let team: BuiltTeam;
  let member: BuiltUser;

  beforeAll(async () => {
    server = await startTestServer();
    ({ admin } = server);
  });
  beforeEach(async () => {
    team = await buildTeam(admin);
    member = await buildMember(server, [team.id]);
  });
  afterAll(() => server?.close());

  const hook = (fields: Record<string, unknown> = {}, client = admin): Promise<any> =>
    buildOutgoingHook(client, team.id, {
      callback_urls: [`http://127.0.0.1:9/${newId()}`],
      channel_id: team.channelId,
      ...fields,
    });
  const tryOn = (hookId: string, fields: object = {}, client = admin): Promise<Answer> =>
    client.post(`/api/v4/hooks/outgoing/${hookId}/dry_run`, fields);
  const tryNew = (fields: object = {}, client = admin): Promise<Answer> =>
    client.post('/api/v4/hooks/outgoing/dry_run', {
      team_id: team.id,
      trigger_words: ['deploy'],
      channel_id: team.channelId,
      ...fields,
    });
  const write = async (message: string, fields: object = {}, channelId = team.channelId): Promise<any> =>
    buildPost(admin, channelId, { message, ...fields });
  const asManager = <T>(action: () => Promise<T>, permissions = [BASE]): Promise<T> =>
    whileGranting(server, 'team_user', permissions, action);
  const ok = async (answer: Promise<Answer>): Promise<any> => {
    const { status, body, text } = await answer;
    expect({ status, ...(status === 200 ? {} : { text }) }).toEqual({ status: 200 });
    return body;
  };
  /** For each given message, whether it fires now and would fire. */
  const fires = ({ posts }: any): unknown[] =>
    posts.map((post: any) => [post.excerpt, post.fires_now, post.would_fire]);

  // First, because nothing is sent in the background yet.
  it('changes and calls nothing', async () => {
    await write('deploy');
    const { id } = await hook();
    const before = await storedRows(server);
    await ok(tryOn(id, { trigger_words: ['other'], trigger_when: 1 }));
    await ok(tryNew());
    expect(await storedRows(server)).toEqual(before);
  });

  it('reports the messages that fire now or would fire, and their words', async () => {
    const deploy = await write('please deploy: now');
    await write('redeploy');
    const release = await write('a release, then deploy');
    const { id } = await hook();
    const body = await ok(tryOn(id, { trigger_words: ['release', 'ship'] }));
    expect(body).toEqual({
      channel_id: team.channelId,
      post_count: expect.any(Number),
      exempt_count: expect.any(Number),
      firing_now_count: 2,
      would_fire_count: 1,
      silent_now_reason: '',
      would_be_silent_reason: '',
      posts: [
        {
          post_id: release.id,
          create_at: release.create_at,
          user_id: release.user_id,
          excerpt: 'a release, then deploy',
          fires_now: true,
          would_fire: true,
          trigger_word_now: 'deploy',
          would_be_trigger_word: 'release',
        },
        {
          post_id: deploy.id,
          create_at: deploy.create_at,
          user_id: deploy.user_id,
          excerpt: 'please deploy: now',
          fires_now: true,
          would_fire: false,
          trigger_word_now: 'deploy',
          would_be_trigger_word: '',
        },
      ],
    });
  });

  it('tries each trigger_when, as stored and as sent', async () => {
    for (const message of ['deploy', 'please deploy', 'deployment', '  deploy it']) await write(message);
    const { id } = await hook();
    expect(fires(await ok(tryOn(id, { trigger_when: 1 })))).toEqual([
      ['  deploy it', true, true],
      ['deployment', false, true],
      ['please deploy', true, false],
      ['deploy', true, true],
    ]);
    const { id: atStart } = await hook({ trigger_when: 1 });
    expect(fires(await ok(tryOn(atStart, { trigger_when: 0 })))).toEqual([
      ['  deploy it', true, true],
      ['deployment', true, false],
      ['please deploy', false, true],
      ['deploy', true, true],
    ]);
    expect(fires(await ok(tryOn(atStart)))).toEqual([
      ['  deploy it', true, true],
      ['deployment', true, true],
      ['deploy', true, true],
    ]);
  });

  it('fires for every message without words, with an empty one', async () => {
    await write('');
    await write('anything');
    const { id } = await hook();
    const body = await ok(tryOn(id, { trigger_words: [] }));
    expect(fires(body)).toEqual([
      ['anything', false, true],
      ['', false, true],
    ]);
    expect(body.posts[0].would_be_trigger_word).toBe('');
  });

  it('omits messages that fire no webhook, and includes replies, bots and edits', async () => {
    const root = await write('deploy the root');
    await write('deploy a reply', { root_id: root.id });
    const edited = await write('something else');
    await admin.put(`/posts/${edited.id}/patch`, { message: 'deploy, edited' });
    const deleted = await write('deploy, deleted');
    await admin.delete(`/posts/${deleted.id}`);
    const incoming = await buildIncomingHook(admin, team.channelId);
    const posted = await fetch(`${server.url}/hooks/${incoming.id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'deploy from a webhook' }),
    });
    expect(posted.status).toBe(200);
    const remote = await write('deploy from another server');
    await server.app
      .get(DataSource)
      .query('UPDATE posts SET remote_id = ? WHERE id = ?', [newId(), remote.id]);
    await joinChannel(admin, team.channelId, member.id); // a system message
    await admin.put(`/api/v4/channels/${team.channelId}/patch`, { header: 'deploy' });
    const { id } = await hook();
    const body = await ok(tryOn(id));
    expect(fires(body)).toEqual([
      ['deploy, edited', true, true],
      ['deploy a reply', true, true],
      ['deploy the root', true, true],
    ]);
    expect(body.exempt_count).toBe(body.post_count - 3);
    expect(body.exempt_count).toBeGreaterThan(2);
  });

  it('agrees with real posts', async () => {
    const stored = await hook({ trigger_words: ['deploy', 'ship it'] });
    const messages = ['deploy', 'redeploy', 'ship  it!', 'shipit', 'a deploy\nship it', 'Deploy'];
    for (const message of messages) await write(message);
    const { posts } = await ok(tryOn(stored.id));
    const { body } = await admin.get(`/api/v4/hooks/outgoing/${stored.id}/deliveries?per_page=200`);
    const called = body.deliveries.map(({ post_id }: any) => post_id);
    expect(posts.map(({ post_id }: any) => post_id)).toEqual(called);
    expect(called).toHaveLength(3);
    for (const { post_id, trigger_word_now } of posts) {
      const delivery = body.deliveries.find((each: any) => each.post_id === post_id);
      const { body: detail } = await admin.get(
        `/api/v4/hooks/outgoing/${stored.id}/deliveries/${delivery.id}`,
      );
      expect(trigger_word_now).toBe(detail.payload.trigger_word);
    }
  });

  it('checks only the last messages, and shows their beginnings', async () => {
    const first = await write('deploy first');
    for (let n = 1; n < MAX_TRIED_POSTS; n++) await write(n === 100 ? `deploy ${'👍'.repeat(300)}` : 'other');
    const { id } = await hook();
    const whole = await ok(tryOn(id));
    expect(whole).toMatchObject({ post_count: MAX_TRIED_POSTS, would_fire_count: 2 });
    expect(whole.posts[1].post_id).toBe(first.id);
    expect(whole.posts[0].excerpt).toBe(`deploy ${'👍'.repeat(193)}`);
    await write('other');
    expect(await ok(tryOn(id))).toMatchObject({ post_count: MAX_TRIED_POSTS, would_fire_count: 1 });
  }, 60_000);

  it('checks fewer of very long messages for many words', async () => {
    for (let n = 0; n < 10; n++) await write('x'.repeat(16_383));
    const { id } = await hook();
    expect((await ok(tryOn(id))).post_count).toBeGreaterThanOrEqual(10);
    const words = Array.from({ length: 511 }, () => 'a');
    const { post_count } = await ok(tryOn(id, { trigger_words: words }));
    expect(post_count).toBe(Math.floor(50_000_000 / (16_383 * 512)));
  }, 30_000);

  it('tries a webhook of a whole team on the given channel', async () => {
    await write('deploy');
    const elsewhere = await buildChannel(admin, team.id);
    await write('deploy elsewhere', {}, elsewhere);
    const secret = await buildChannel(admin, team.id, 'P');
    await write('deploy in secret', {}, secret);
    const { id } = await hook({ channel_id: '' });
    expectError(await tryOn(id), 400, BAD_BODY, 'in_channel_id');
    expect(fires(await ok(tryOn(id, { in_channel_id: team.channelId })))).toEqual([['deploy', true, true]]);
    expect(await ok(tryOn(id, { in_channel_id: secret }))).toMatchObject({
      posts: [],
      silent_now_reason: 'private_channel',
      would_be_silent_reason: 'private_channel',
    });
    const moved = await ok(tryOn(id, { channel_id: elsewhere }));
    expect(moved).toMatchObject({ channel_id: elsewhere, firing_now_count: 1, would_fire_count: 1 });
    expect(await ok(tryOn(id, { channel_id: elsewhere, in_channel_id: team.channelId }))).toMatchObject({
      firing_now_count: 1,
      would_fire_count: 0,
      silent_now_reason: '',
      would_be_silent_reason: 'other_channel',
    });
  });

  it('reports that a webhook of a private channel is paused, and who would become its last editor', async () => {
    const secret = await buildChannel(admin, team.id, 'P');
    await joinChannel(admin, secret, member.id);
    const { id } = await asManager(async () => {
      const made = await hook({}, member.client);
      await member.client.patch(`/api/v4/hooks/outgoing/${made.id}`, { channel_id: secret });
      return made;
    });
    await write('deploy', {}, secret);
    expect(await ok(tryOn(id))).toMatchObject({ firing_now_count: 1, would_fire_count: 1 });
    const boss = await buildMember(server, [team.id], true);
    await joinChannel(admin, secret, boss.id);
    await boss.client.patch(`/api/v4/hooks/outgoing/${id}`, { channel_id: secret });
    await admin.delete(`/api/v4/channels/${secret}/members/${boss.id}`);
    expect(await ok(tryOn(id))).toMatchObject({
      silent_now_reason: 'setter_cannot_read',
      would_be_silent_reason: 'setter_cannot_read',
    });
    expect(await ok(tryOn(id, { channel_id: secret }))).toMatchObject({
      firing_now_count: 0,
      would_fire_count: 1,
      silent_now_reason: 'setter_cannot_read',
      would_be_silent_reason: '',
    });
    await admin.delete(`/api/v4/channels/${secret}/members/${member.id}`);
    expect(await ok(tryOn(id))).toMatchObject({
      posts: [],
      silent_now_reason: 'creator_cannot_read',
      would_be_silent_reason: 'creator_cannot_read',
    });
  });

  it('tries an unsaved one', async () => {
    await write('deploy');
    await write('nothing');
    expect(await ok(tryNew())).toMatchObject({
      firing_now_count: 0,
      would_fire_count: 1,
      posts: [{ excerpt: 'deploy', fires_now: false, would_fire: true, would_be_trigger_word: 'deploy' }],
    });
    expect(fires(await ok(tryNew({ channel_id: '', in_channel_id: team.channelId })))).toHaveLength(1);
    expect(fires(await ok(tryNew({ trigger_words: [] })))).toHaveLength(2);
    expectError(await tryNew({ channel_id: '' }), 400, BAD_BODY, 'in_channel_id');
  });

  describe('refuses', () => {
    it('callers without a session, and those who cannot manage webhooks here', async () => {
      const { id } = await hook();
      const elsewhere = await buildTeam(admin);
      const other = await buildMember(server, [elsewhere.id], true);
      for (const send of [
        (client: ApiClient) => tryOn(id, {}, client),
        (client: ApiClient) => tryNew({}, client),
      ]) {
        expectError(await send(server.anonymous), 401, 'api.context.session_expired.app_error');
        expectError(await send(member.client), 403, DENIED);
        expectError(await send(other.client), 403, DENIED);
      }
    });

    it("a webhook of another user, without the permission for others' webhooks", async () => {
      const { id } = await hook();
      expectError(await asManager(() => tryOn(id, {}, member.client)), 403, DENIED);
      await ok(asManager(() => tryOn(id, {}, member.client), [BASE, OTHERS]));
    });

    it('a private channel that the caller is not in, wherever it is named', async () => {
      const secret = await buildChannel(admin, team.id, 'P');
      await write('deploy in secret', {}, secret);
      const bound = await hook();
      await admin.patch(`/api/v4/hooks/outgoing/${bound.id}`, { channel_id: secret });
      const mayEdit = [BASE, OTHERS];
      const own = await asManager(() => hook({ trigger_words: ['own'] }, member.client));
      await asManager(async () => {
        for (const answer of [
          await tryOn(bound.id, {}, member.client),
          await tryOn(bound.id, { channel_id: team.channelId }, member.client),
          await tryOn(own.id, { in_channel_id: secret }, member.client),
          await tryNew({ channel_id: '', in_channel_id: secret }, member.client),
          await tryOn(own.id, { in_channel_id: newId() }, member.client),
        ]) {
          expectError(answer, 403, DENIED);
          expect(answer.text).not.toContain('secret');
        }
        expectError(
          await tryOn(own.id, { channel_id: secret }, member.client),
          403,
          'api.webhook.create_outgoing.not_open.app_error',
        );
      }, mayEdit);
      await joinChannel(admin, secret, member.id);
      await asManager(async () => {
        expect(fires(await ok(tryOn(bound.id, {}, member.client)))).toEqual([
          ['deploy in secret', true, true],
        ]);
      }, mayEdit);
    });

    it('a channel of another team, a direct one, and an unknown one', async () => {
      const elsewhere = await buildTeam(admin);
      const direct = await admin.post('/channels/direct', [server.adminId, member.id]);
      const { id } = await hook();
      const otherTeam = 'api.webhook.create_outgoing.permissions.app_error';
      for (const channelId of [elsewhere.channelId, direct.body.id])
        expectError(await tryOn(id, { in_channel_id: channelId }), 403, otherTeam);
      expectError(await tryOn(id, { channel_id: elsewhere.channelId }), 403, otherTeam);
      expectError(await tryNew({ channel_id: elsewhere.channelId }), 403, otherTeam);
      const unknown = 'app.channel.get.existing.app_error';
      for (const channelId of [newId(), 'junk']) {
        expectError(await tryOn(id, { in_channel_id: channelId }), 404, unknown);
        expectError(await tryOn(id, { channel_id: channelId }), 404, unknown);
        expectError(await tryNew({ in_channel_id: channelId }), 404, unknown);
      }
    });

    it('what an edit refuses, with the same message', async () => {
      const { id } = await hook();
      const similar = await hook({ trigger_words: ['other'] });
      const same = await admin.get(`/api/v4/hooks/outgoing/${similar.id}`);
      await admin.patch(`/api/v4/hooks/outgoing/${id}`, { callback_urls: same.body.callback_urls });
      for (const change of [
        { trigger_words: ['other'] },
        { trigger_words: ['x'.repeat(1023)] },
        { trigger_words: ['a', ' '] },
        { trigger_words: 'deploy' },
        { trigger_words: [3] },
        { trigger_when: 2 },
        { trigger_when: 'start' },
        { channel_id: 3 },
        { channel_id: '', trigger_words: [] },
      ]) {
        const tried = await tryOn(id, change);
        const edited = await admin.patch(`/api/v4/hooks/outgoing/${id}`, change);
        expect(edited.status).toBe(400);
        const message = String(edited.body.message).replace('outgoing_webhook', 'dry_run');
        expect(tried.body).toMatchObject({ status_code: 400, id: edited.body.id, message });
      }
      expectError(await tryOn(id, { in_channel_id: 3 }), 400, BAD_BODY, 'in_channel_id');
      expectError(await tryOn(newId()), 404, 'app.webhooks.get_outgoing.app_error');
    });

    it('what the creation refuses, with the same message', async () => {
      for (const field of ['team_id', 'trigger_words'])
        expectError(await tryNew({ [field]: undefined }), 400, BAD_BODY, field);
      const is = (rule: string): string => `model.outgoing_hook.is_valid.${rule}.app_error`;
      expectError(await tryNew({ trigger_words: ['x'.repeat(1023)] }), 400, is('words'), 'trigger_words');
      expectError(await tryNew({ trigger_words: [''] }), 400, is('trigger_words'), 'trigger_words');
      expectError(await tryNew({ trigger_when: 2 }), 400, is('content_type'), 'trigger_when');
      expectError(
        await tryNew({ channel_id: '', trigger_words: [], in_channel_id: team.channelId }),
        400,
        'api.webhook.create_outgoing.triggers.app_error',
        'trigger_words',
      );
      expectError(await tryNew({ team_id: 'junk', channel_id: '' }), 400, is('team_id'), 'team_id');
      const unknown = { team_id: newId(), channel_id: '', in_channel_id: team.channelId };
      expectError(await tryNew(unknown), 404, 'app.team.get.find.app_error');
      const secret = await buildChannel(admin, team.id, 'P');
      expectError(await tryNew({ channel_id: secret }), 403, 'api.outgoing_webhook.disabled.app_error');
    });

    it('all callers while outgoing webhooks are switched off', async () => {
      const { id } = await hook();
      await server.withSettings({ enableOutgoingWebhooks: false }, async () => {
        expectError(await tryOn(id), 501, 'api.outgoing_webhook.disabled.app_error');
        expectError(await tryNew(), 501, 'api.outgoing_webhook.disabled.app_error');
        expectError(await tryNew({}, member.client), 403, DENIED);
      });
    });
  });
});
