import { createHmac } from 'node:crypto';
import { DataSource } from 'typeorm';
import { IncomingHook } from '../src/incoming-hooks/incoming-hook.entity.js';
import { secretHash } from '../src/platform/audit/audit.service.js';
import { Clock } from '../src/platform/common/clock.js';
import { newId } from '../src/platform/common/ids.js';
import { Purge } from '../src/platform/database/purge.js';
import { PreviousUrl } from '../src/incoming-hooks/url-rotation/previous-url.entity.js';
import { buildIncomingHook, buildMember, buildTeam, type BuiltTeam } from './factories/incoming-hooks.js';
import type { ApiClient, Answer } from './support/api-client.mjs';
import { expectError } from './support/expect-error.js';
import { eventually, startTestServer, type TestServer } from './support/test-server.js';

const DAY_MS = 24 * 60 * 60_000;
const SIGNED = { type: 'hmac', header: 'X-Signature', secret: 'a shared secret' };

/** docs/contract/incoming-webhooks.md#rotate-the-url */
describe('rotating the URL of an incoming webhook', () => {
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
  const rotate = ({ id }: { id: string }, body?: object): Promise<Answer> =>
    admin.post(`/hooks/incoming/${id}/rotate_url`, body);
  const rotated = async (hook: { id: string }, body?: object): Promise<any> => {
    const answer = await rotate(hook, body);
    expect(answer.status).toBe(200);
    return answer.body;
  };
  const call = ({ id }: { id: string }, body: object = { text: 'a call' }): Promise<Answer> =>
    admin.post(`/hooks/${id}?wait=true`, body);
  const previousUrls = async ({ id }: { id: string }): Promise<any> =>
    (await admin.get(`/hooks/incoming/${id}/previous_urls`)).body;
  const at = async <T>(time: number, action: () => Promise<T>): Promise<T> => {
    const clocks = server.everywhere(Clock).map((clock) => jest.spyOn(clock, 'now').mockReturnValue(time));
    return action().finally(() => clocks.forEach((clock) => clock.mockRestore()));
  };

  it('gives the record a new id and changes nothing else', async () => {
    const hook = await build({ description: 'stays', rate_limit: 500 });
    const { id, update_at, ...rest } = await rotated(hook);
    expect(id).not.toBe(hook.id);
    expect(update_at).toBeGreaterThan(hook.update_at);
    expect({ ...rest, id: hook.id, update_at: hook.update_at }).toEqual(hook);
    expect((await admin.get(`/hooks/incoming/${id}`)).body.id).toBe(id);
    expectError(await admin.get(`/hooks/incoming/${hook.id}`), 404);
    const listed = (await admin.get(`/hooks/incoming?team_id=${team.id}&per_page=200`)).body;
    const ids = listed.map((one: { id: string }) => one.id);
    expect([ids.includes(id), ids.includes(hook.id)]).toEqual([true, false]);
  });

  it('accepts calls of both URLs until the overlap ends, and counts those of the previous one', async () => {
    const hook = await build();
    expect((await call(hook)).status).toBe(200); // now cached
    const before = Date.now();
    const next = await rotated(hook);
    expect(await previousUrls(next)).toEqual([
      { id: hook.id, create_at: expect.any(Number), expires_at: expect.any(Number), uses: 0, last_used: 0 },
    ]);
    for (const one of [hook, next, hook]) expect((await call(one)).status).toBe(200);
    const [previous] = await previousUrls(next);
    expect(previous).toMatchObject({ id: hook.id, uses: 2 });
    expect(previous.last_used).toBeGreaterThanOrEqual(before);
    expect(previous.expires_at - previous.create_at).toBe(DAY_MS);

    await at(previous.expires_at - 1, async () => expect((await call(hook)).status).toBe(200));
    await at(previous.expires_at, async () => {
      expectError(await call(hook), 400, 'web.incoming_webhook.general.app_error');
      expect((await call(next)).status).toBe(200);
      expect(await previousUrls(next)).toEqual([]);
    });
  });

  it('ends the previous URLs at once for an overlap of 0, and cuts longer ones short', async () => {
    const first = await build();
    const second = await rotated(first, { overlap_seconds: 7200 });
    const third = await rotated(second, { overlap_seconds: 60 });
    const urls = await previousUrls(third);
    expect(urls.map((url: { id: string }) => url.id)).toEqual([second.id, first.id]);
    expect(urls[1].expires_at).toBe(urls[0].expires_at);
    for (const one of [first, second]) expect((await call(one)).status).toBe(200);
    const fourth = await rotated(third, { overlap_seconds: 0 });
    for (const one of [first, second, third]) expectError(await call(one), 400);
    expect((await call(fourth)).status).toBe(200);
    expect(await previousUrls(fourth)).toEqual([]);
  });

  it('keeps messages, keys, the rate limit and kept calls', async () => {
    const hook = await build({ keep_requests: true, rate_limit: 5 });
    const posted = await call(hook, { text: 'first', key: 'a build' });
    const [postId] = posted.body.post_ids;
    const kept = async (one: { id: string }): Promise<any[]> =>
      (await admin.get(`/hooks/incoming/${one.id}/requests`)).body;
    await eventually(async () => (await kept(hook)).length === 1);
    const next = await rotated(hook);
    expect(await kept(next)).toHaveLength(1);
    for (const [index, one] of [hook, next].entries()) {
      const answer = await call(one, { text: `change ${index}`, key: 'a build', on_key: 'update' });
      expect(answer.body.post_ids).toEqual([postId]);
    }
    expect((await admin.get(`/hooks/${hook.id}/messages/${postId}`)).body.message).toBe('change 1');
    expect((await admin.patch(`/hooks/${next.id}/messages/${postId}`, { text: 'done' })).status).toBe(200);
    expectError(await call(hook), 429, 'web.incoming_webhook.rate_limit.app_error');
    await eventually(async () => (await kept(next)).length === 4);
    expect((await kept(next))[0]).toMatchObject({ status: 429 });
  });

  it('keeps the verifier and a chosen Slack path', async () => {
    const slack_path = `T0HOOKLINE/B0BUILDS/${newId()}`;
    const hook = await build({ verifier: SIGNED, slack_path });
    const next = await rotated(hook);
    expect(next).toMatchObject({ slack_path, verifier: { type: 'hmac' } });
    const body = '{"text":"signed"}';
    const signature = createHmac('sha256', SIGNED.secret).update(body).digest('hex');
    for (const path of [`/hooks/${hook.id}`, `/hooks/${next.id}`, `/services/${slack_path}`]) {
      const send = (value: string): Promise<Answer> =>
        admin.post(path, undefined, { raw: body, headers: { 'x-signature': value } });
      expect((await send(signature)).status).toBe(200);
      expect((await send(signature.replace(/./g, '0'))).status).toBe(401);
    }
    expect(await previousUrls(next)).toMatchObject([{ uses: 1 }]);
  });

  it.each([-1, 2_592_001, 1.5, '60', 1e300])('refuses %p as an overlap', async (overlap_seconds) => {
    const hook = await build();
    expectError(await rotate(hook, { overlap_seconds }), 400, undefined, 'overlap_seconds');
    expect((await call(hook)).status).toBe(200);
    expect((await admin.get(`/hooks/incoming/${hook.id}`)).status).toBe(200);
  });

  it('accepts ten previous URLs at most', async () => {
    let hook = await build();
    for (let count = 0; count < 10; count++) hook = await rotated(hook);
    expectError(await rotate(hook), 400, undefined, 'overlap_seconds');
    expect(await previousUrls(await rotated(hook, { overlap_seconds: 0 }))).toEqual([]);
  });

  it('gives one of concurrent rotations the new URL', async () => {
    const hook = await build();
    const answers = await Promise.all(Array.from({ length: 5 }, () => rotate(hook)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
    const next = answers.find(({ status }) => status === 200)?.body;
    expect(await previousUrls(next)).toHaveLength(1);
  });

  it('accepts calls of the previous URL during further rotations', async () => {
    const hook = await build();
    let last = await rotated(hook);
    let isDone = false;
    const answers: Answer[] = [];
    const caller = async (): Promise<void> => {
      while (!isDone) answers.push(await call(hook));
    };
    const callers = Array.from({ length: 8 }, caller);
    for (let count = 0; count < 8; count++) last = await rotated(last);
    isDone = true;
    await Promise.all(callers);
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    expect(await previousUrls(last)).toHaveLength(9);
  });

  it('keeps calls that are being stored', async () => {
    const hook = await build({ keep_requests: true });
    const calls = Array.from({ length: 20 }, () => call(hook));
    const next = await rotated(hook);
    await Promise.all(calls);
    await eventually(async () => (await admin.get(`/hooks/incoming/${next.id}/requests`)).body.length === 20);
  });

  it('makes another user who rotates the URL the creator, who cannot post for the owner', async () => {
    const owner = await buildMember(server, [team.id], true);
    const other = await buildMember(server, [team.id], true);
    const hook = await buildIncomingHook(owner.client, team.channelId);
    const { id: victimId } = await buildMember(server, [team.id]);
    const { username } = (await admin.get(`/users/${victimId}`)).body;
    const whisper = { text: 'a whisper', channel: `@${username}` };
    expect((await call(hook, whisper)).status).toBe(200);
    const next = (await owner.client.post(`/hooks/incoming/${hook.id}/rotate_url`)).body;
    expect((await call(next, whisper)).status).toBe(200);
    const last = (await other.client.post(`/hooks/incoming/${next.id}/rotate_url`)).body;
    expectError(await call(last, whisper), 403);
  });

  it('can be done although the secrets of the verifier cannot be read', async () => {
    const hook = await build({ verifier: SIGNED });
    const hooks = server.app.get(DataSource).getRepository(IncomingHook);
    await hooks.update({ id: hook.id }, { sealedVerifierSecrets: 'v1.unreadable' });
    const next = await rotated(hook, { overlap_seconds: 0 });
    expect(next.verifier).toMatchObject({ type: 'hmac' });
    expect((await admin.patch(`/hooks/incoming/${next.id}`, { verifier: SIGNED })).status).toBe(200);
  });

  it('records the overlap and the hashes of both ids in the audit', async () => {
    const hook = await build();
    const { id } = await rotated(hook, { overlap_seconds: 60 });
    const rows = (await admin.get('/audits?action=rotate_incoming_webhook_url&per_page=200')).body;
    const row = rows.find((one: { target: string }) => one.target === secretHash(hook.id));
    expect(row.parameters).toEqual({ overlap_seconds: 60, new_id_hash: secretHash(id) });
    expect(JSON.stringify(rows)).not.toContain(id);
  });

  it('needs the permission to manage the webhook', async () => {
    const hook = await build();
    const { client } = await buildMember(server, [team.id]);
    expectError(await client.post(`/hooks/incoming/${hook.id}/rotate_url`), 403);
    expectError(await client.get(`/hooks/incoming/${hook.id}/previous_urls`), 403);
  });

  it('stops all URLs when the webhook is deleted', async () => {
    const hook = await build();
    const next = await rotated(hook);
    expect((await admin.delete(`/hooks/incoming/${next.id}`)).status).toBe(200);
    for (const one of [hook, next]) expectError(await call(one), 400);
  });

  it('removes expired URLs from the database', async () => {
    const hook = await build();
    const [{ expires_at }] = await previousUrls(await rotated(hook));
    await at(expires_at + 120_000, () => server.app.get(Purge).run());
    const stored = server.app.get(DataSource).getRepository(PreviousUrl);
    expect(await stored.findOneBy({ id: hook.id })).toBeNull();
  });
});
