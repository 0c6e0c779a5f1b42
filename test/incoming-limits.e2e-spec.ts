import { Clock } from '../src/platform/common/clock.js';
import { newId } from '../src/platform/common/ids.js';
import { ExpiryReminders } from '../src/failure-messages/expiry-reminders.js';
import { buildIncomingHook, buildMember, buildTeam, type BuiltTeam } from './factories/incoming-hooks.js';
import type { ApiClient, Answer } from './support/api-client.mjs';
import { expectError } from './support/expect-error.js';
import { startTestServer, type TestServer } from './support/test-server.js';

const DAY_MS = 24 * 60 * 60_000;
const EXPIRED = 'web.incoming_webhook.expired.app_error';
const BAD_PATH = 'model.incoming_hook.slack_path.app_error';
const TOO_MANY = 'web.incoming_webhook.rate_limit.app_error';

/** docs/contract/incoming-webhooks.md#expiry, #rate-limit and #slack-paths */
describe('an incoming webhook', () => {
  let server: TestServer;
  let admin: ApiClient;
  let team: BuiltTeam;

  beforeAll(async () => {
    server = await startTestServer();
    ({ admin } = server);
    team = await buildTeam(admin);
  });
  afterAll(() => server?.close());

  const build = (fields: Record<string, unknown> = {}): Promise<any> =>
    buildIncomingHook(admin, team.channelId, fields);
  const call = ({ id }: { id: string }): Promise<Answer> => admin.post(`/hooks/${id}`, { text: 'a call' });
  const at = async <T>(time: number, action: () => Promise<T>): Promise<T> => {
    const clocks = server.everywhere(Clock).map((clock) => jest.spyOn(clock, 'now').mockReturnValue(time));
    return action().finally(() => clocks.forEach((clock) => clock.mockRestore()));
  };

  describe('expiry', () => {
    it('is stored, changed and removed', async () => {
      const expiresAt = Date.now() + DAY_MS;
      const hook = await build({ expires_at: expiresAt });
      expect(hook.expires_at).toBe(expiresAt);
      const path = `/hooks/incoming/${hook.id}`;
      const { expires_at: _, ...rest } = hook;
      expect((await admin.put(path, rest)).body.expires_at).toBe(expiresAt);
      expect((await admin.patch(path, { expires_at: expiresAt + 1 })).body.expires_at).toBe(expiresAt + 1);
      expect((await admin.patch(path, { expires_at: 0 })).body.expires_at).toBe(0);
      expect((await admin.get(path)).body.expires_at).toBe(0);
    });

    it.each([1, -1, 8.64e15 + 2, '1', 1.5])('refuses %p', async (expires_at) => {
      const created = await admin.post('/hooks/incoming', { channel_id: team.channelId, expires_at });
      expectError(created, 400, undefined, 'expires_at');
      const hook = await build();
      const patched = await admin.patch(`/hooks/incoming/${hook.id}`, { expires_at });
      expectError(patched, 400, undefined, 'expires_at');
    });

    it('refuses calls from that time on, until it is extended', async () => {
      const expiresAt = Date.now() + DAY_MS;
      const hook = await build({ expires_at: expiresAt });
      await at(expiresAt - 1, async () => expect((await call(hook)).status).toBe(200));
      await at(expiresAt, async () => {
        const refused = await call(hook);
        expectError(refused, 403, EXPIRED);
        expect(refused.body.message).toContain(new Date(expiresAt).toISOString());
        const preview = await admin.post(`/hooks/incoming/${hook.id}/preview`, { payload: '{"text":"x"}' });
        expectError(preview, 403, EXPIRED);
        // Other changes remain possible.
        const path = `/hooks/incoming/${hook.id}`;
        expect((await admin.put(path, { ...hook, description: 'late' })).body.description).toBe('late');
        await admin.patch(path, { expires_at: expiresAt + DAY_MS });
        expect((await call(hook)).status).toBe(200);
      });
      const [kept] = (await admin.get(`/hooks/incoming/${hook.id}/requests`)).body;
      expect(kept).toMatchObject({ status: 403, error_id: EXPIRED });
    });

    it('is announced to the owner a week and a day before, once each', async () => {
      const owner = await buildMember(server, [team.id]);
      const name = `Builds *${newId()}*`;
      const expiresAt = Date.now() + 100 * DAY_MS;
      const hook = await build({ user_id: owner.id, display_name: name, expires_at: expiresAt });
      const remind = async (time: number): Promise<void> => {
        await at(time, async () => {
          for (const reminders of server.everywhere(ExpiryReminders)) await reminders.remind();
        });
      };
      const reminders = async (): Promise<string[]> => {
        const channels: any[] = (await owner.client.get('/users/me/channels')).body;
        const direct = channels.find(({ type }) => type === 'D');
        if (!direct) return [];
        const { order, posts } = (await owner.client.get(`/channels/${direct.id}/posts`)).body;
        return order.map((id: string) => posts[id].message);
      };
      await remind(expiresAt - 7 * DAY_MS - 1);
      expect(await reminders()).toEqual([]);
      for (const time of [7 * DAY_MS, 6 * DAY_MS, DAY_MS + 1]) await remind(expiresAt - time);
      expect(await reminders()).toHaveLength(1);
      for (const time of [DAY_MS, 1000, -1]) await remind(expiresAt - time);
      expect(await reminders()).toHaveLength(2);
      const [last] = await reminders();
      expect(last).toContain(new Date(expiresAt).toISOString().slice(0, 10));
      expect(last).not.toContain(name); // shown as typed, not as Markdown
      // A later expiry is announced again, with one message if the first lead time has been missed.
      await admin.patch(`/hooks/incoming/${hook.id}`, { expires_at: expiresAt + DAY_MS });
      await remind(expiresAt + 1000);
      expect(await reminders()).toHaveLength(3);
      await remind(expiresAt + 2000);
      expect(await reminders()).toHaveLength(3);
    });
  });

  describe('Slack path', () => {
    const newPath = (): string => `T0HOOKLINE/B${newId().slice(0, 8).toUpperCase()}/${newId()}`;
    const callPath = (path: string, body: object = { text: 'from a Slack sender' }): Promise<Answer> =>
      server.anonymous.post(`/services/${path}`, body);

    it('is a second address, with everything that the first one has', async () => {
      const slack_path = newPath();
      const hook = await build({ slack_path, rate_limit: 3 });
      expect(hook.slack_path).toBe(slack_path);
      const { status, text, headers } = await callPath(slack_path);
      expect({ status, text, limit: headers['x-ratelimit-limit'] }).toEqual({
        ...{ status: 200, text: 'ok', limit: '3' },
      });
      const ids = await callPath(`${slack_path}?wait=true`, { text: 'with ids' });
      const post = (await admin.get(`/posts/${ids.body.post_ids[0]}`)).body;
      expect(post).toMatchObject({ message: 'with ids', channel_id: team.channelId });
      expectError(await callPath(slack_path, { text: '' }), 400, 'web.incoming_webhook.general.app_error');
      const [kept] = (await admin.get(`/hooks/incoming/${hook.id}/requests`)).body;
      expect(kept).toMatchObject({ status: 400, error_id: 'web.incoming_webhook.text.app_error' });
      expect((await call(hook)).status).toBe(429);
    });

    it('is changed, removed and freed by a deletion', async () => {
      const [first, second] = [newPath(), newPath()];
      const hook = await build({ slack_path: first });
      const path = `/hooks/incoming/${hook.id}`;
      const { slack_path: _, ...rest } = hook;
      expect((await admin.put(path, rest)).body.slack_path).toBe(first);
      expect((await admin.patch(path, { slack_path: second })).body.slack_path).toBe(second);
      expect((await callPath(first)).status).toBe(400);
      expect((await callPath(second)).status).toBe(200);
      await admin.delete(path);
      expect((await callPath(second)).status).toBe(400);
      const heir = await build({ slack_path: second });
      expect((await callPath(second)).status).toBe(200);
      expect((await admin.patch(`/hooks/incoming/${heir.id}`, { slack_path: '' })).body.slack_path).toBe('');
      expect((await callPath(second)).status).toBe(400);
    });

    it('belongs to one webhook', async () => {
      const slack_path = newPath();
      await build({ slack_path });
      const twice = await admin.post('/hooks/incoming', { channel_id: team.channelId, slack_path });
      expectError(twice, 400, BAD_PATH, 'slack_path');
      const other = await build();
      expectError(await admin.patch(`/hooks/incoming/${other.id}`, { slack_path }), 400, BAD_PATH);
    });

    it.each([
      'T1/B2/short',
      'T12/B12/',
      `X12/B12/${'a'.repeat(24)}`,
      `T12/B12/${'a'.repeat(65)}`,
      `t12/b12/${'a'.repeat(24)}`,
    ])('refuses %p', async (slack_path) => {
      const answer = await admin.post('/hooks/incoming', { channel_id: team.channelId, slack_path });
      expectError(answer, 400, BAD_PATH, 'slack_path');
      expect([400, 404]).toContain((await callPath(slack_path)).status);
    });
  });

  describe('calls per minute', () => {
    it.each([-1, 1_000_001, '5', 1.5])('cannot be limited to %p', async (rate_limit) => {
      const created = await admin.post('/hooks/incoming', { channel_id: team.channelId, rate_limit });
      expectError(created, 400, undefined, 'rate_limit');
    });

    it('are refused beyond the limit, until the minute is over', async () => {
      const hook = await build({ rate_limit: 2 });
      const start = Date.now();
      await at(start, async () => {
        for (const remaining of ['1', '0']) {
          const { status, headers } = await call(hook);
          expect({ status, headers }).toMatchObject({
            status: 200,
            headers: {
              'x-ratelimit-limit': '2',
              'x-ratelimit-remaining': remaining,
              'x-ratelimit-reset': '60',
            },
          });
        }
      });
      await at(start + 15_000, async () => {
        const refused = await call(hook);
        expectError(refused, 429, TOO_MANY);
        expect(refused.headers).toMatchObject({ 'retry-after': '45', 'x-ratelimit-remaining': '0' });
      });
      await at(start + 60_000, async () => expect((await call(hook)).status).toBe(200));
      const [kept] = (await admin.get(`/hooks/incoming/${hook.id}/requests`)).body;
      expect(kept).toMatchObject({ status: 429, error_id: TOO_MANY });
    });

    it('count only for the webhook, and refused payloads count too', async () => {
      const [hook, other] = [await build({ rate_limit: 1 }), await build({ rate_limit: 1 })];
      await at(Date.now(), async () => {
        expect((await admin.post(`/hooks/${hook.id}`, { text: '' })).status).toBe(400);
        expectError(await call(hook), 429, TOO_MANY);
        expect((await call(other)).status).toBe(200);
      });
    });

    it('are limited by the setting, unless the webhook has a limit of its own', async () => {
      const [plain, own] = [await build(), await build({ rate_limit: 3 })];
      const statuses = async (hook: { id: string }): Promise<number[]> => {
        const found: number[] = [];
        for (let n = 0; n < 4; n++) found.push((await call(hook)).status);
        return found;
      };
      await server.withSettings({ incomingWebhookCallsPerMinute: 1 }, () =>
        at(Date.now(), async () => {
          expect(await statuses(plain)).toEqual([200, 429, 429, 429]);
          expect(await statuses(own)).toEqual([200, 200, 200, 429]);
        }),
      );
      const { status, headers } = await call(plain);
      expect({ status, limit: headers['x-ratelimit-limit'] }).toEqual({ status: 200, limit: undefined });
    });
  });
});
