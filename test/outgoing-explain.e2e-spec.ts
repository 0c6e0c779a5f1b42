import { DataSource } from 'typeorm';
import { ChannelsService } from '../src/messaging/channels/channels.service.js';
import { newId } from '../src/platform/common/ids.js';
import { MAX_TRIED_POSTS } from '../src/outgoing-hooks/dry-run/dry-run.service.js';
import { TriggerIndex } from '../src/outgoing-hooks/matching/trigger-index.js';
import { OutgoingHookRecords } from '../src/outgoing-hooks/outgoing-hook-records.js';
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

const HOOKS = '/api/v4/hooks/outgoing';
const BASE = 'manage_webhooks';
const OTHERS = 'manage_others_outgoing_webhooks';
const DENIED = 'api.context.permissions.app_error';
const BAD_BODY = 'api.context.invalid_body_param.app_error';
const NO_CHANNEL = 'app.channel.get.existing.app_error';

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
const patch = (id: string, fields: object, client = admin): Promise<any> =>
  client.call('PATCH', `${HOOKS}/${id}`, fields);
const leave = (channelId: string, userId: string): Promise<unknown> =>
  admin.call('DELETE', `/channels/${channelId}/members/${userId}`);
const asManager = <T>(action: () => Promise<T>, permissions = [BASE]): Promise<T> =>
  whileGranting(server, 'team_user', permissions, action);
const refused = async (answer: Promise<Answer>, status: number, id?: string, named?: string): Promise<void> =>
  expectError(await answer, status, id, named);
const ok = async (answer: Promise<Answer>): Promise<any> => {
  const { status, body, text } = await answer;
  expect({ status, ...(status === 200 ? {} : { text }) }).toEqual({ status: 200 });
  return body;
};
/** A private channel that the member has joined, and their webhook of it. */
const ofSecret = async (): Promise<{ secret: string; id: string }> => {
  const secret = await buildChannel(admin, team.id, 'P');
  await joinChannel(admin, secret, member.id);
  return asManager(async () => {
    const { id } = await hook({}, member.client);
    await patch(id, { channel_id: secret }, member.client);
    return { secret, id };
  });
};

/** POST /api/v4/hooks/outgoing/{hook_id}/dry_run: docs/contract/outgoing-webhooks.md#dry-run */
describe('the dry run of an outgoing webhook', () => {
  const tryOn = (hookId: string, fields: object = {}, client = admin): Promise<Answer> =>
    client.post(`${HOOKS}/${hookId}/dry_run`, fields);
  const tryNew = (fields: object = {}, client = admin): Promise<Answer> =>
    client.post(`${HOOKS}/dry_run`, {
      team_id: team.id,
      trigger_words: ['deploy'],
      channel_id: team.channelId,
      ...fields,
    });
  const write = (message: string, fields: object = {}, channelId = team.channelId): Promise<any> =>
    buildPost(admin, channelId, { message, ...fields });
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
    const shown = ({ id: post_id, create_at, user_id, message: excerpt }: any): object => ({
      ...{ post_id, create_at, user_id, excerpt },
      ...{ fires_now: true, trigger_word_now: 'deploy' },
    });
    expect(await ok(tryOn(id, { trigger_words: ['release', 'ship'] }))).toEqual({
      channel_id: team.channelId,
      post_count: expect.any(Number),
      exempt_count: expect.any(Number),
      firing_now_count: 2,
      would_fire_count: 1,
      silent_now_reason: '',
      would_be_silent_reason: '',
      posts: [
        { ...shown(release), would_fire: true, would_be_trigger_word: 'release' },
        { ...shown(deploy), would_fire: false, would_be_trigger_word: '' },
      ],
    });
  });

  it('tries each trigger_when, as stored and as sent', async () => {
    for (const message of ['deploy', 'please deploy', 'deployment', '  deploy it']) await write(message);
    const [anywhere, atStart] = [await hook(), await hook({ trigger_when: 1 })];
    expect(fires(await ok(tryOn(anywhere.id, { trigger_when: 1 })))).toEqual([
      ['  deploy it', true, true],
      ['deployment', false, true],
      ['please deploy', true, false],
      ['deploy', true, true],
    ]);
    expect(fires(await ok(tryOn(atStart.id, { trigger_when: 0 })))).toEqual([
      ['  deploy it', true, true],
      ['deployment', true, false],
      ['please deploy', false, true],
      ['deploy', true, true],
    ]);
    const firstWord = await hook({ trigger_when: 2 });
    expect(fires(await ok(tryOn(firstWord.id, { trigger_when: 1 })))).toEqual([
      ['  deploy it', true, true],
      ['deployment', false, true],
      ['deploy', true, true],
    ]);
    expect(fires(await ok(tryOn(atStart.id, { trigger_when: 2 })))).toEqual([
      ['  deploy it', true, true],
      ['deployment', true, false],
      ['deploy', true, true],
    ]);
    expect((await ok(tryNew({ trigger_when: 2 }))).would_fire_count).toBe(2);
    const always = await ok(tryOn(anywhere.id, { trigger_words: [] })); // fires for every message
    expect(fires(always).map((post: any) => post[2])).toEqual([true, true, true, true]);
    expect(always.posts[0].would_be_trigger_word).toBe('');
  });

  it('omits messages that fire no webhook, and includes replies, bots and edits', async () => {
    const root = await write('deploy the root');
    await write('deploy a reply', { root_id: root.id });
    const edited = await write('something else');
    await admin.put(`/posts/${edited.id}/patch`, { message: 'deploy, edited' });
    await admin.delete(`/posts/${(await write('deploy, deleted')).id}`);
    const incoming = await buildIncomingHook(admin, team.channelId);
    const posted = await server.anonymous.post(`/hooks/${incoming.id}`, { text: 'deploy from a webhook' });
    expect(posted.status).toBe(200);
    const remote = await write('deploy from another server');
    const { manager } = server.app.get(DataSource);
    await manager.query('UPDATE posts SET remote_id = ? WHERE id = ?', [newId(), remote.id]);
    await joinChannel(admin, team.channelId, member.id); // a system message
    const body = await ok(tryOn((await hook()).id));
    expect(fires(body)).toEqual([
      ['deploy, edited', true, true],
      ['deploy a reply', true, true],
      ['deploy the root', true, true],
    ]);
    expect(body.exempt_count).toBe(body.post_count - 3);
    expect(body.exempt_count).toBeGreaterThan(2);
  });

  it('agrees with real posts', async () => {
    const { id } = await hook({ trigger_words: ['deploy', 'ship it'] });
    for (const message of ['deploy', 'redeploy', 'ship  it!', 'shipit', 'a deploy\nship it', 'Deploy'])
      await write(message);
    const { posts } = await ok(tryOn(id));
    const { deliveries } = await admin.call('GET', `${HOOKS}/${id}/deliveries?per_page=200`);
    expect(posts).toHaveLength(3);
    expect(posts.map(({ post_id }: any) => post_id)).toEqual(deliveries.map(({ post_id }: any) => post_id));
    for (const [index, { trigger_word_now }] of posts.entries()) {
      const detail = await admin.call('GET', `${HOOKS}/${id}/deliveries/${deliveries[index].id}`);
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
    const elsewhere = await buildChannel(admin, team.id);
    const secret = await buildChannel(admin, team.id, 'P');
    for (const channelId of [team.channelId, elsewhere, secret]) await write('deploy', {}, channelId);
    const { id } = await hook({ channel_id: '' });
    for (const answer of [tryOn(id), tryNew({ channel_id: '' })])
      await refused(answer, 400, BAD_BODY, 'in_channel_id');
    expect(fires(await ok(tryOn(id, { in_channel_id: team.channelId })))).toEqual([['deploy', true, true]]);
    const isPrivate = { silent_now_reason: 'private_channel', would_be_silent_reason: 'private_channel' };
    expect(await ok(tryOn(id, { in_channel_id: secret }))).toMatchObject({ posts: [], ...isPrivate });
    const moved = { channel_id: elsewhere, firing_now_count: 1, would_fire_count: 1 };
    expect(await ok(tryOn(id, { channel_id: elsewhere }))).toMatchObject(moved);
    expect(await ok(tryOn(id, { channel_id: elsewhere, in_channel_id: team.channelId }))).toMatchObject({
      ...{ firing_now_count: 1, would_fire_count: 0 },
      ...{ silent_now_reason: '', would_be_silent_reason: 'other_channel' },
    });
  });

  it('reports that a webhook of a private channel is paused, and who would become its last editor', async () => {
    const { secret, id } = await ofSecret();
    await write('deploy', {}, secret);
    expect(await ok(tryOn(id))).toMatchObject({ firing_now_count: 1, would_fire_count: 1 });
    const boss = await buildMember(server, [team.id], true);
    await joinChannel(admin, secret, boss.id);
    await patch(id, { channel_id: secret }, boss.client);
    await leave(secret, boss.id);
    const because = (now: string, then: string): object => ({
      ...{ silent_now_reason: now, would_be_silent_reason: then },
    });
    expect(await ok(tryOn(id))).toMatchObject(because('setter_cannot_read', 'setter_cannot_read'));
    expect(await ok(tryOn(id, { channel_id: secret }))).toMatchObject({
      ...{ firing_now_count: 0, would_fire_count: 1 },
      ...because('setter_cannot_read', ''),
    });
    await leave(secret, member.id);
    expect(await ok(tryOn(id))).toMatchObject(because('creator_cannot_read', 'creator_cannot_read'));
  });

  it('tries an unsaved one', async () => {
    for (const message of ['deploy', 'nothing']) await write(message);
    expect(await ok(tryNew())).toMatchObject({
      ...{ firing_now_count: 0, would_fire_count: 1 },
      posts: [{ excerpt: 'deploy', fires_now: false, would_fire: true, would_be_trigger_word: 'deploy' }],
    });
    expect(fires(await ok(tryNew({ channel_id: '', in_channel_id: team.channelId })))).toHaveLength(1);
    expect(fires(await ok(tryNew({ trigger_words: [] })))).toHaveLength(2);
  });

  it('refuses a private channel that the caller is not in, wherever it is named', async () => {
    const secret = await buildChannel(admin, team.id, 'P');
    await write('deploy in secret', {}, secret);
    const bound = await hook();
    await patch(bound.id, { channel_id: secret });
    const { id } = await asManager(() => hook({ trigger_words: ['own'] }, member.client));
    await refused(
      asManager(() => tryOn(bound.id, {}, member.client)),
      403,
      DENIED,
    );
    await asManager(async () => {
      for (const answer of [
        await tryOn(bound.id, {}, member.client),
        await tryOn(bound.id, { channel_id: team.channelId }, member.client),
        await tryOn(id, { in_channel_id: secret }, member.client),
        await tryNew({ channel_id: '', in_channel_id: secret }, member.client),
        await tryOn(id, { in_channel_id: newId() }, member.client),
      ]) {
        expectError(answer, 403, DENIED);
        expect(answer.text).not.toContain('secret');
      }
      const notOpen = 'api.webhook.create_outgoing.not_open.app_error';
      await refused(tryOn(id, { channel_id: secret }, member.client), 403, notOpen);
      await joinChannel(admin, secret, member.id);
      const found = await ok(tryOn(bound.id, {}, member.client));
      expect(fires(found)).toEqual([['deploy in secret', true, true]]);
    }, [BASE, OTHERS]);
  });

  it('refuses a channel of another team, a direct one, and an unknown one', async () => {
    const elsewhere = await buildTeam(admin);
    const direct = await admin.post('/channels/direct', [server.adminId, member.id]);
    const { id } = await hook();
    const otherTeam = 'api.webhook.create_outgoing.permissions.app_error';
    for (const answer of [
      tryOn(id, { in_channel_id: elsewhere.channelId }),
      tryOn(id, { in_channel_id: direct.body.id }),
      tryOn(id, { channel_id: elsewhere.channelId }),
      tryNew({ channel_id: elsewhere.channelId }),
    ])
      await refused(answer, 403, otherTeam);
    for (const channelId of [newId(), 'junk']) {
      await refused(tryOn(id, { in_channel_id: channelId }), 404, NO_CHANNEL);
      await refused(tryOn(id, { channel_id: channelId }), 404, NO_CHANNEL);
      await refused(tryNew({ in_channel_id: channelId }), 404, NO_CHANNEL);
    }
  });

  it('refuses what an edit refuses, with the same message', async () => {
    const { id } = await hook();
    const similar = await hook({ trigger_words: ['other'] });
    await patch(id, { callback_urls: similar.callback_urls });
    for (const change of [
      { trigger_words: ['other'] },
      { trigger_words: ['x'.repeat(1023)] },
      { trigger_words: ['a', ' '] },
      { trigger_words: [3] },
      { trigger_when: 3 },
      { trigger_when: 'start' },
      { channel_id: 3 },
      { channel_id: '', trigger_words: [] },
    ]) {
      const { status, body } = await admin.patch(`${HOOKS}/${id}`, change);
      expect(status).toBe(400);
      const message = String(body.message).replace('outgoing_webhook', 'dry_run');
      expect((await tryOn(id, change)).body).toMatchObject({ status_code: 400, id: body.id, message });
    }
    await refused(tryOn(id, { in_channel_id: 3 }), 400, BAD_BODY, 'in_channel_id');
  });

  it('refuses what the creation refuses, with the same message', async () => {
    const secret = await buildChannel(admin, team.id, 'P');
    for (const change of [
      { trigger_words: ['x'.repeat(1023)] },
      { trigger_words: [''] },
      { trigger_when: 3 },
      { channel_id: '', trigger_words: [] },
      { team_id: newId(), channel_id: '', creator_id: member.id },
      { channel_id: secret },
      { team_id: undefined },
      { trigger_words: undefined },
    ]) {
      const { status, body } = await admin.post(HOOKS, {
        ...{ team_id: team.id, display_name: '', callback_urls: ['http://nowhere.example/'] },
        ...{ channel_id: team.channelId, trigger_words: ['deploy'], ...change },
      });
      expect(status).toBeGreaterThanOrEqual(400);
      const message = String(body.message).replace('outgoing_webhook', 'dry_run');
      const tried = await tryNew({ in_channel_id: team.channelId, ...change });
      expect(tried.body).toMatchObject({ status_code: status, id: body.id, message });
    }
  });
});

/** POST /api/v4/hooks/outgoing/explain: docs/contract/outgoing-webhooks.md#explain */
describe('explaining outgoing webhooks', () => {
  const explain = (client: ApiClient, fields: Record<string, unknown> = {}, query = ''): Promise<Answer> =>
    client.post(`${HOOKS}/explain${query}`, {
      channel_id: team.channelId,
      message: 'please deploy: now',
      ...fields,
    });
  /** The result for one hook. */
  const told = async (id: string, fields: Record<string, unknown> = {}): Promise<any> =>
    (await ok(explain(admin, fields))).hooks.find((each: any) => each.hook_id === id);
  const wideHook = (fields: Record<string, unknown> = {}, client = admin): Promise<any> =>
    hook({ channel_id: '', ...fields }, client);
  const idsIn = ({ hooks }: any): string[] => hooks.map((each: any) => each.hook_id);

  it('lists hooks that fire first, and why the others do not', async () => {
    const silent = await wideHook({ trigger_words: ['deployment'], display_name: 'Silent' });
    const elsewhere = await hook({ channel_id: await buildChannel(admin, team.id) });
    const fires = await wideHook({ trigger_words: ['now', 'deploy'], display_name: 'Fires' });
    const always = await hook({ trigger_words: [] });
    const body = await ok(explain(admin));
    expect(body).toMatchObject({ total_count: 4, firing_count: 2 });
    expect(body.hooks[0]).toEqual({
      hook_id: fires.id,
      display_name: 'Fires',
      fires: true,
      trigger_word: 'now',
      reason: 'trigger_matches',
      explanation: 'One of its trigger words matches the message.',
    });
    expect(body.hooks[2]).toEqual({
      hook_id: silent.id,
      display_name: 'Silent',
      fires: false,
      trigger_word: '',
      reason: 'no_trigger_matches',
      explanation: 'None of its trigger words matches the message.',
    });
    expect(body.hooks.map((each: any) => [each.hook_id, each.reason])).toEqual([
      [fires.id, 'trigger_matches'],
      [always.id, 'every_post'],
      [silent.id, 'no_trigger_matches'],
      [elsewhere.id, 'other_channel'],
    ]);
    const page = async (query: string): Promise<string[]> => idsIn(await ok(explain(admin, {}, query)));
    expect(await page('?per_page=3')).toEqual([fires.id, always.id, silent.id]);
    expect(await page('?per_page=3&page=1')).toEqual([elsewhere.id]);
    expect(await page('?per_page=3&page=2')).toEqual([]);
    expect(await page('?per_page=-1&page=x')).toHaveLength(4);
  });

  it('agrees with real posts', async () => {
    const elsewhere = await buildChannel(admin, team.id);
    const secret = await buildChannel(admin, team.id, 'P');
    await wideHook({ trigger_words: ['deploy', 'release'] });
    await wideHook({ trigger_words: ['dep'], trigger_when: 1 });
    await wideHook({ trigger_words: ['release', 'deployed'], trigger_when: 2 });
    await hook({ trigger_words: [], channel_id: elsewhere });
    await patch((await hook({ trigger_words: ['release'] })).id, { channel_id: secret });
    for (const channel_id of [team.channelId, elsewhere, secret])
      for (const message of ['deployed', 'a release: deploy!', 'nothing', '']) {
        const channel = await server.app.get(ChannelsService, { strict: false }).get(channel_id);
        const { hooks } = await ok(explain(admin, { channel_id, message }));
        const firings = await server.app.get(TriggerIndex, { strict: false }).firing(channel, message);
        expect(
          hooks.filter(({ fires }: any) => fires).map((each: any) => [each.hook_id, each.trigger_word]),
        ).toEqual(firings.map((firing) => [firing.hook.id, firing.word]));
      }
  });

  it('follows every change of a hook at once', async () => {
    expect(await ok(explain(admin))).toEqual({ hooks: [], total_count: 0, firing_count: 0 });
    const { id } = await wideHook();
    expect(await told(id)).toMatchObject({ fires: true, trigger_word: 'deploy' });
    await patch(id, { trigger_words: ['release'] });
    expect(await told(id)).toMatchObject({ fires: false, reason: 'no_trigger_matches' });
    expect(await told(id, { message: 'release' })).toMatchObject({ fires: true, trigger_word: 'release' });
    await patch(id, { trigger_when: 1 });
    expect(await told(id, { message: 'a release' })).toMatchObject({ fires: false });
    expect(await told(id, { message: 'released' })).toMatchObject({ fires: true });
    await patch(id, { trigger_when: 2 });
    expect(await told(id, { message: 'released' })).toMatchObject({ fires: false });
    expect(await told(id, { message: 'release it' })).toMatchObject({ fires: true, trigger_word: 'release' });
    await admin.delete(`${HOOKS}/${id}`);
    expect((await ok(explain(admin))).total_count).toBe(0);
    await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        const made = await wideHook({ trigger_words: [`word${n}`] });
        const fires = { fires: true, trigger_word: `word${n}` };
        expect(await told(made.id, { message: `a word${n}.` })).toMatchObject(fires);
      }),
    );
  });

  it('reports that a hook is disabled, until it is enabled', async () => {
    const { id } = await wideHook();
    const hooks = server.app.get(OutgoingHookRecords, { strict: false });
    await hooks.alter(await hooks.load(id), (stored) =>
      hooks.setHealth(stored, { disabledAt: Date.now(), disabledUrls: stored.callbackUrls }),
    );
    expect(await told(id)).toMatchObject({ fires: false, reason: 'disabled', trigger_word: 'deploy' });
    expect(await told(id, { message: 'x' })).toMatchObject({ reason: 'no_trigger_matches' });
    await admin.post(`${HOOKS}/${id}/enable`);
    expect(await told(id)).toMatchObject({ fires: true });
  });

  it('handles private channels: only hooks bound to them, while their creator can read them', async () => {
    const wide = await wideHook();
    const { secret, id } = await ofSecret();
    const here = { channel_id: secret };
    const unreadable = { fires: false, reason: 'creator_cannot_read' };
    expect(await told(wide.id, here)).toMatchObject({ fires: false, reason: 'private_channel' });
    expect(await told(id, here)).toMatchObject({ fires: true });
    await leave(secret, member.id);
    expect(await told(id, here)).toMatchObject(unreadable);
    await joinChannel(admin, secret, member.id);
    expect(await told(id, here)).toMatchObject({ fires: true });
    await admin.put(`/users/${member.id}/active`, { active: false });
    expect(await told(id, here)).toMatchObject(unreadable);
  });

  it('follows a channel that becomes private, and one that is archived', async () => {
    const [wide, bound] = [await wideHook(), await hook()];
    await admin.put(`/channels/${team.channelId}/privacy`, { privacy: 'P' });
    expect(await told(wide.id)).toMatchObject({ reason: 'private_channel' });
    expect(await told(bound.id)).toMatchObject({ fires: true });
    await admin.put(`/channels/${team.channelId}/privacy`, { privacy: 'O' });
    expect(await told(wide.id)).toMatchObject({ fires: true });
    await admin.delete(`/channels/${team.channelId}`);
    expect(await told(wide.id)).toMatchObject({ fires: false, reason: 'archived_channel' });
  });

  it("shows others' hooks only to users who can manage them", async () => {
    await wideHook();
    await asManager(async () => {
      const own = await wideHook({ trigger_words: ['own'] }, member.client);
      const body = await ok(explain(member.client));
      expect(idsIn(body)).toEqual([own.id]);
      expect(body).toMatchObject({ total_count: 1, firing_count: 0 });
    });
    const body = await asManager(() => ok(explain(member.client)), [BASE, OTHERS]);
    expect(body).toMatchObject({ total_count: 2, firing_count: 1 });
  });

  it('refuses unreadable and unknown channels, without revealing them', async () => {
    const secret = await buildChannel(admin, team.id, 'P');
    const direct = (await admin.post('/channels/direct', [server.adminId, member.id])).body.id;
    for (const channel_id of [newId(), 'junk', secret, direct])
      await refused(explain(member.client, { channel_id }), 403, DENIED);
    await asManager(async () => {
      for (const channel_id of [newId(), secret])
        await refused(explain(member.client, { channel_id }), 403, DENIED);
      await joinChannel(admin, secret, member.id);
      await ok(explain(member.client, { channel_id: secret }));
    });
    for (const channel_id of ['junk', '', newId(), null])
      await refused(explain(admin, { channel_id }), 404, NO_CHANNEL);
    const refusal = 'api.webhook.explain_outgoing.direct_channel.app_error';
    await refused(explain(admin, { channel_id: direct }), 403, refusal, 'channel_id');
  });

  it.each([
    ['message', { message: 3 }, BAD_BODY],
    ['message', { message: undefined }, BAD_BODY],
    ['message', { message: 'x'.repeat(16384) }, 'model.post.is_valid.message_length.app_error'],
    ['channel_id', { channel_id: undefined }, BAD_BODY],
    ['channel_id', { channel_id: [] }, BAD_BODY],
  ])('refuses an invalid %s: %p', async (field, fields, id) => {
    await refused(explain(admin, fields), 400, id, field);
  });

  it('compares texts as stored, up to the longest', async () => {
    const { id } = await wideHook({ trigger_words: ['caf\u00e9', '\ud83d'] });
    expect(await told(id, { message: 'cafe\u0301' })).toMatchObject({ fires: true, trigger_word: 'café' });
    expect(await told(id, { message: `${'👍'.repeat(16376)} café` })).toMatchObject({ fires: true });
    for (const message of ['👍', '']) expect(await told(id, { message })).toMatchObject({ fires: false });
  });
});
