import { newId } from '../src/platform/common/ids.js';
import {
  buildChannel,
  buildMember,
  buildTeam,
  type BuiltTeam,
  type BuiltUser,
  whileGranting,
} from './factories/incoming-hooks.js';
import { joinChannel } from './factories/channels.js';
import { buildOutgoingHook } from './factories/outgoing-hooks.js';
import { ChannelsService } from '../src/messaging/channels/channels.service.js';
import { TriggerIndex } from '../src/outgoing-hooks/matching/trigger-index.js';
import { OutgoingHookRecords } from '../src/outgoing-hooks/outgoing-hook-records.js';
import type { Answer, ApiClient } from './support/api-client.mjs';
import { expectError } from './support/expect-error.js';
import { startTestServer, type TestServer } from './support/test-server.js';

const BASE = 'manage_webhooks';
const OTHERS = 'manage_others_outgoing_webhooks';
const DENIED = 'api.context.permissions.app_error';

/** POST /api/v4/hooks/outgoing/explain: docs/contract/outgoing-webhooks.md#explain */
describe('explaining outgoing webhooks', () => {
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

  const explain = (client: ApiClient, fields: Record<string, unknown> = {}, query = ''): Promise<Answer> =>
    client.post(`/api/v4/hooks/outgoing/explain${query}`, {
      channel_id: team.channelId,
      message: 'please deploy: now',
      ...fields,
    });
  const hook = (fields: Record<string, unknown> = {}, client = admin): Promise<any> =>
    buildOutgoingHook(client, team.id, { callback_urls: [`http://127.0.0.1:9/${newId()}`], ...fields });
  const asManager = <T>(action: () => Promise<T>, permissions = [BASE]): Promise<T> =>
    whileGranting(server, 'team_user', permissions, action);
  /** The result for one hook. */
  const told = async (id: string, fields: Record<string, unknown> = {}): Promise<any> => {
    const answer = await explain(admin, fields);
    expect(answer.status).toBe(200);
    return answer.body.hooks.find((each: any) => each.hook_id === id);
  };
  const patch = async (id: string, fields: Record<string, unknown>, client = admin): Promise<void> => {
    const answer = await client.patch(`/api/v4/hooks/outgoing/${id}`, fields);
    if (answer.status !== 200) throw new Error(`Not changed: ${answer.text}`);
  };

  it('lists hooks that fire first, and why the others do not', async () => {
    const otherChannel = await buildChannel(admin, team.id);
    const silent = await hook({ trigger_words: ['deployment'], display_name: 'Silent' });
    const elsewhere = await hook({ channel_id: otherChannel });
    const fires = await hook({ trigger_words: ['now', 'deploy'], display_name: 'Fires' });
    const always = await hook({ trigger_words: [], channel_id: team.channelId });
    const { status, headers, body } = await explain(admin);
    expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'application/json' });
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
  });

  it('agrees with real posts', async () => {
    const elsewhere = await buildChannel(admin, team.id);
    const secret = await buildChannel(admin, team.id, 'P');
    await hook({ trigger_words: ['deploy', 'release'] });
    await hook({ trigger_words: ['dep'], trigger_when: 1 });
    await hook({ trigger_words: [], channel_id: elsewhere });
    await patch((await hook({ trigger_words: ['release'] })).id, { channel_id: secret });
    const index = server.app.get(TriggerIndex, { strict: false });
    const channels = server.app.get(ChannelsService, { strict: false });
    for (const channelId of [team.channelId, elsewhere, secret])
      for (const message of ['deployed', 'a release: deploy!', 'nothing', '']) {
        const channel = await channels.get(channelId);
        const { body } = await explain(admin, { channel_id: channelId, message });
        const fire = body.hooks.filter(({ fires }: any) => fires);
        const firings = await index.firing(channel, message);
        expect(fire.map((each: any) => [each.hook_id, each.trigger_word])).toEqual(
          firings.map((firing) => [firing.hook.id, firing.word]),
        );
      }
  });

  it('follows every change of a hook at once', async () => {
    expect((await explain(admin)).body).toEqual({ hooks: [], total_count: 0, firing_count: 0 });
    const { id } = await hook();
    expect(await told(id)).toMatchObject({ fires: true, trigger_word: 'deploy' });
    await patch(id, { trigger_words: ['release'] });
    expect(await told(id)).toMatchObject({ fires: false, reason: 'no_trigger_matches' });
    expect(await told(id, { message: 'release' })).toMatchObject({ fires: true, trigger_word: 'release' });
    await patch(id, { trigger_when: 1 });
    expect(await told(id, { message: 'a release' })).toMatchObject({ fires: false });
    await admin.delete(`/api/v4/hooks/outgoing/${id}`);
    expect((await explain(admin)).body.total_count).toBe(0);
  });

  it('keeps up while hooks are created and queried at the same time', async () => {
    const words = Array.from({ length: 20 }, (_, n) => `word${n}`);
    await Promise.all(
      words.map(async (word) => {
        const { id } = await hook({ trigger_words: [word] });
        expect(await told(id, { message: `a ${word}.` })).toMatchObject({ fires: true, trigger_word: word });
      }),
    );
  });

  it('reports that a hook is disabled, until it is enabled', async () => {
    const { id } = await hook();
    const hooks = server.app.get(OutgoingHookRecords, { strict: false });
    const stored = await hooks.find(id);
    await hooks.alter(stored!, () =>
      hooks.setHealth(stored!, {
        disabledAt: Date.now(),
        disabledReason: 'failing',
        disabledUrls: stored!.callbackUrls,
        failingUrls: {},
      }),
    );
    expect(await told(id)).toMatchObject({ fires: false, reason: 'disabled', trigger_word: 'deploy' });
    expect(await told(id, { message: 'x' })).toMatchObject({ reason: 'no_trigger_matches' });
    await admin.post(`/api/v4/hooks/outgoing/${id}/enable`);
    expect(await told(id)).toMatchObject({ fires: true });
  });

  it('handles private channels: only hooks bound to them, while their creator can read them [D8]', async () => {
    const channelId = await buildChannel(admin, team.id, 'P');
    const wide = await hook();
    await joinChannel(admin, channelId, member.id);
    const bound = await asManager(async () => {
      const made = await hook({ trigger_words: ['deploy'] }, member.client);
      await patch(made.id, { channel_id: channelId }, member.client);
      return made;
    });
    const here = { channel_id: channelId };
    expect(await told(wide.id, here)).toMatchObject({ fires: false, reason: 'private_channel' });
    expect(await told(bound.id, here)).toMatchObject({ fires: true });
    await admin.delete(`/api/v4/channels/${channelId}/members/${member.id}`);
    expect(await told(bound.id, here)).toMatchObject({ fires: false, reason: 'creator_cannot_read' });
    await joinChannel(admin, channelId, member.id);
    expect(await told(bound.id, here)).toMatchObject({ fires: true });
    await admin.put(`/api/v4/users/${member.id}/active`, { active: false });
    expect(await told(bound.id, here)).toMatchObject({ fires: false, reason: 'creator_cannot_read' });
  });

  it('follows a channel that becomes private, and one that is archived', async () => {
    const wide = await hook();
    const bound = await hook({ channel_id: team.channelId });
    await admin.put(`/api/v4/channels/${team.channelId}/privacy`, { privacy: 'P' });
    expect(await told(wide.id)).toMatchObject({ reason: 'private_channel' });
    expect(await told(bound.id)).toMatchObject({ fires: true });
    await admin.put(`/api/v4/channels/${team.channelId}/privacy`, { privacy: 'O' });
    expect(await told(wide.id)).toMatchObject({ fires: true });
    await admin.delete(`/api/v4/channels/${team.channelId}`);
    expect(await told(wide.id)).toMatchObject({ fires: false, reason: 'archived_channel' });
  });

  it("shows others' hooks only to users who can manage them", async () => {
    await hook();
    await asManager(async () => {
      const own = await hook({ trigger_words: ['own'] }, member.client);
      const { body } = await explain(member.client);
      expect(body.hooks.map((each: any) => each.hook_id)).toEqual([own.id]);
      expect(body).toMatchObject({ total_count: 1, firing_count: 0 });
    });
    const { body } = await asManager(() => explain(member.client), [BASE, OTHERS]);
    expect(body).toMatchObject({ total_count: 2, firing_count: 1 });
  });

  it('is paged, and counts all', async () => {
    const first = await hook({ trigger_words: ['x'] });
    const second = await hook({ trigger_words: ['y'] });
    const third = await hook();
    const ids = async (query: string): Promise<string[]> => {
      const { body } = await explain(admin, {}, query);
      expect(body).toMatchObject({ total_count: 3, firing_count: 1 });
      return body.hooks.map((each: any) => each.hook_id);
    };
    expect(await ids('?per_page=2')).toEqual([third.id, first.id]);
    expect(await ids('?per_page=2&page=1')).toEqual([second.id]);
    expect(await ids('?per_page=2&page=2')).toEqual([]);
    expect(await ids('?per_page=-1&page=x')).toHaveLength(3);
  });

  describe('refuses', () => {
    it('callers without a session, and members without the permission in this team', async () => {
      expectError(await explain(server.anonymous), 401, 'api.context.session_expired.app_error');
      expectError(await explain(member.client), 403, DENIED);
      const elsewhere = await buildTeam(admin);
      const other = await buildMember(server, [elsewhere.id], true);
      expectError(await explain(other.client), 403, DENIED);
    });

    it('users who cannot read a private channel', async () => {
      const channelId = await buildChannel(admin, team.id, 'P');
      const answer = await asManager(() => explain(member.client, { channel_id: channelId }), [BASE, OTHERS]);
      expectError(answer, 403, DENIED);
      await joinChannel(admin, channelId, member.id);
      const { status } = await asManager(() => explain(member.client, { channel_id: channelId }));
      expect(status).toBe(200);
    });

    it.each(['junk', '', newId(), null])('the unknown channel %p', async (channelId) => {
      expectError(await explain(admin, { channel_id: channelId }), 404, 'app.channel.get.existing.app_error');
    });

    it('users who cannot manage hooks, without revealing channels', async () => {
      const secret = await buildChannel(admin, team.id, 'P');
      for (const channelId of [newId(), 'junk', secret])
        expectError(await explain(member.client, { channel_id: channelId }), 403, DENIED);
      await asManager(async () => {
        expectError(await explain(member.client, { channel_id: newId() }), 403, DENIED);
      });
    });

    it('direct channels', async () => {
      const direct = await admin.post('/channels/direct', [server.adminId, member.id]);
      expectError(
        await explain(admin, { channel_id: direct.body.id }),
        403,
        'api.webhook.explain_outgoing.direct_channel.app_error',
        'channel_id',
      );
      expectError(await explain(member.client, { channel_id: direct.body.id }), 403, DENIED);
    });

    it.each([
      ['message', { message: 3 }],
      ['message', { message: undefined }],
      ['channel_id', { channel_id: undefined }],
      ['channel_id', { channel_id: [] }],
    ])('an invalid %s: %p', async (field, fields) => {
      expectError(await explain(admin, fields), 400, 'api.context.invalid_body_param.app_error', field);
    });

    it('a message that is too long for a post, and accepts the longest', async () => {
      expectError(
        await explain(admin, { message: 'x'.repeat(16384) }),
        400,
        'model.post.is_valid.message_length.app_error',
        'message',
      );
      const { id } = await hook();
      expect(await told(id, { message: `${'👍'.repeat(16376)} deploy` })).toMatchObject({ fires: true });
    });

    it.each(['', 'junk', '[]', '3'])('the body %p', async (raw) => {
      const answer = await admin.post('/api/v4/hooks/outgoing/explain', undefined, { raw });
      expectError(answer, 400, 'api.context.invalid_body_param.app_error');
    });

    it('all callers while outgoing webhooks are switched off', async () => {
      await server.withSettings({ enableOutgoingWebhooks: false }, async () => {
        expectError(await explain(member.client), 403, DENIED);
        expectError(await explain(admin), 501, 'api.outgoing_webhook.disabled.app_error');
      });
    });
  });

  it('compares texts as stored', async () => {
    const { id } = await hook({ trigger_words: ['caf\u00e9', '\ud83d'] });
    expect(await told(id, { message: 'cafe\u0301' })).toMatchObject({ fires: true, trigger_word: 'café' });
    expect(await told(id, { message: '👍' })).toMatchObject({ fires: false });
    expect(await told(id, { message: '' })).toMatchObject({ fires: false });
  });
});
