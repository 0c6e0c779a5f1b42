import { DataSource } from 'typeorm';
import { newId } from '../src/platform/common/ids.js';
import { OutgoingHookRecords } from '../src/outgoing-hooks/outgoing-hook-records.js';
import { OutgoingHook } from '../src/outgoing-hooks/outgoing-hook.entity.js';
import { joinChannel } from './factories/channels.js';
import { insertDeliveries } from './factories/deliveries.js';
import {
  buildChannel,
  buildMember,
  buildTeam,
  type BuiltTeam,
  type BuiltUser,
} from './factories/incoming-hooks.js';
import { buildOutgoingHook } from './factories/outgoing-hooks.js';
import { Receiver } from './fakes/receiver.js';
import { expectError } from './support/expect-error.js';
import { eventually, startTestServer, type TestServer } from './support/test-server.js';

const HOOKS = '/api/v4/hooks/outgoing';
const UNHEALTHY = 'app.webhooks.outgoing_unhealthy.app_error';
const DAY_MS = 86_400_000;

/** docs/contract/outgoing-webhooks.md#health */
describe('the health of an outgoing webhook', () => {
  let server: TestServer;
  let receiver: Receiver;
  let team: BuiltTeam;
  let creator: BuiltUser;
  /** Paths that answer with another status than 200. */
  const statuses = new Map<string, number>();

  beforeAll(async () => {
    server = await startTestServer({ ALLOWED_INTERNAL_HOSTS: '127.0.0.1', OUTGOING_SCHEDULE: '0s,24h' });
    receiver = await Receiver.start(({ path }, response) => {
      response.writeHead(statuses.get(path) ?? 200).end();
    });
    team = await buildTeam(server.admin);
    creator = await buildMember(server, [team.id], true);
  });
  afterAll(async () => {
    await server?.close();
    await receiver?.close();
  });
  afterEach(() => jest.restoreAllMocks());

  const url = (status = 200): string => {
    const path = `/${newId()}?key=secret`;
    statuses.set(path, status);
    return receiver.url(path);
  };
  const hookTo = async (urls: string[], type: 'O' | 'P' = 'O'): Promise<any> => {
    const channel_id = await buildChannel(server.admin, team.id, 'O');
    await joinChannel(server.admin, channel_id, creator.id);
    const fields = { channel_id, trigger_words: [], callback_urls: urls };
    const hook = await buildOutgoingHook(creator.client, team.id, fields);
    if (type === 'P') await server.admin.call('PUT', `/channels/${channel_id}/privacy`, { privacy: 'P' });
    return hook;
  };
  const say = ({ channel_id }: any): Promise<unknown> =>
    server.admin.call('POST', '/posts', { channel_id, message: 'go' });
  const read = ({ id }: any, query = '', client = creator.client): Promise<any> =>
    client.get(`${HOOKS}/${id}/health${query}`);
  const health = async (hook: any): Promise<any> => {
    const { status, body } = await read(hook);
    expect(status).toBe(200);
    return body;
  };
  const becomes = (hook: any, status: string): Promise<any> =>
    eventually(async () => {
      const shown = await health(hook);
      return shown.status === status && shown;
    });

  it('is ok before the first call, and says when the last one succeeded', async () => {
    const hook = await hookTo([url(), url()]);
    const healthy = (last_success_at: unknown): object => ({
      ...{ status: 'ok', reason: '', last_success_at, last_failure_at: 0, waiting: 0, oldest_waiting_at: 0 },
      urls: hook.callback_urls.map((each: string) => ({
        ...{ url: each, status: 'ok', failing_since: 0, last_success_at },
      })),
    });
    expect(await health(hook)).toEqual(healthy(0));
    const startAt = Date.now();
    await say(hook);
    const last = await eventually(async () => {
      const shown = await health(hook);
      return shown.urls.every((each: any) => each.last_success_at >= startAt) && shown;
    });
    expect(last).toEqual(healthy(expect.any(Number)));
    expect((await read(hook, '?strict=true')).status).toBe(200);
  });

  it('is degraded while some URLs fail, and failing while all do', async () => {
    const [bad, good] = [url(500), url()];
    const hook = await hookTo([bad, good]);
    const startAt = Date.now();
    await say(hook);
    const degraded = await becomes(hook, 'degraded');
    expect(degraded.urls).toMatchObject([
      { url: bad, status: 'failing', last_success_at: 0 },
      { url: good, status: 'ok', failing_since: 0 },
    ]);
    expect(degraded.urls[0].failing_since).toBeGreaterThanOrEqual(startAt);
    expect(degraded.last_failure_at).toBe(degraded.urls[0].failing_since);
    await eventually(async () => (await health(hook)).waiting === 1);
    expect((await health(hook)).oldest_waiting_at).toBeGreaterThanOrEqual(startAt - 1);
    expect((await read(hook, '?strict=true')).status).toBe(200);
    await server.admin.call('PATCH', `/hooks/outgoing/${hook.id}`, { callback_urls: [bad] });
    expect(await health(hook)).toMatchObject({ status: 'failing', reason: '' });
    const refused = await read(hook, '?strict=true');
    expectError(refused, 424, UNHEALTHY);
    expect(refused.body.message).toBe('The webhook is failing.');
  });

  it('is disabled or degraded once URLs are disabled, until it is enabled', async () => {
    const [gone, good] = [url(410), url()];
    const hook = await hookTo([gone, good]);
    await say(hook);
    expect((await becomes(hook, 'degraded')).urls).toMatchObject([{ status: 'disabled' }, { status: 'ok' }]);
    await server.admin.call('PATCH', `/hooks/outgoing/${hook.id}`, { callback_urls: [gone] });
    const reason = 'All its callback URLs are disabled.';
    expect(await health(hook)).toMatchObject({ status: 'disabled', reason });
    expect((await read(hook, '?strict=1')).body.message).toBe(`The webhook is disabled: ${reason}`);
    await server.admin.call('POST', `/hooks/outgoing/${hook.id}/enable`);
    expect(await health(hook)).toMatchObject({ status: 'ok', last_failure_at: 0 });
  });

  it('counts open deliveries up to 1,000, and reads no others', async () => {
    const [hook, other] = [await hookTo([url()]), await hookTo([url()])];
    const nextAttemptAt = Date.now() + DAY_MS;
    const seq = (Date.now() - DAY_MS) * 2048;
    await insertDeliveries(server, hook, 600, { nextAttemptAt, seq });
    await insertDeliveries(server, hook, 3, { status: 'cancelled', finishAt: 1, seq: seq - 10 });
    await insertDeliveries(server, other, 1, { nextAttemptAt });
    expect(await health(hook)).toMatchObject({ waiting: 600, oldest_waiting_at: seq / 2048 });
    await insertDeliveries(server, hook, 600, { nextAttemptAt, status: 'retrying' });
    expect(await health(hook)).toMatchObject({ waiting: 1_000, oldest_waiting_at: seq / 2048 });
  });

  it('is paused without permission, and shows no paths to those who cannot read its channel', async () => {
    const hook = await hookTo([url(), 'https://b.example:8443/x'], 'P');
    const { body } = await read(hook, '', server.admin);
    expect(body.urls.map((each: any) => each.url)).toEqual(hook.callback_urls);
    const other = await buildMember(server, [team.id], true);
    const shown = await read(hook, '', other.client);
    expect(shown.body.urls.map((each: any) => each.url)).toEqual([receiver.origin, 'https://b.example:8443']);
    expect(JSON.stringify(shown.body)).not.toContain('secret');
    await server.admin.call('DELETE', `/channels/${hook.channel_id}/members/${creator.id}`);
    const paused = { status: 'paused', reason: 'creator_cannot_read' };
    expect((await read(hook, '', other.client)).body).toMatchObject(paused);
    expectError(await read(hook, '?strict=true', other.client), 424, UNHEALTHY);
  });

  it('is failing if its secrets cannot be decrypted', async () => {
    const hook = await hookTo([url()]);
    const rows = server.app.get(DataSource).getRepository(OutgoingHook);
    await rows.update({ id: hook.id }, { sealedToken: 'damaged' });
    expect(await health(hook)).toMatchObject({ status: 'failing', reason: 'secrets_unreadable' });
  });

  it('can be read by those who can read the webhook', async () => {
    const hook = await hookTo([url()]);
    const member = await buildMember(server, [team.id]);
    expectError(await read(hook, '', member.client), 403, 'api.context.permissions.app_error');
    expectError(await read({ id: newId() }), 404, 'app.webhooks.get_outgoing.app_error');
    expectError(await read({ id: 'abc' }), 400, 'api.context.invalid_url_param.app_error', 'hook_id');
    await server.admin.call('DELETE', `/hooks/outgoing/${hook.id}`);
    expectError(await read(hook), 404, 'app.webhooks.get_outgoing.app_error');
  });

  it('is summarised as the number of endpoints in each state, without names', async () => {
    const counts = async (): Promise<Record<string, number>> => {
      const found = (await server.metrics()).matchAll(
        /^hookline_webhook_endpoints\{state="(\w+)"\} (\S+)$/gm,
      );
      return Object.fromEntries([...found].map(([, state, count]) => [state, Number(count)]));
    };
    const before = await counts();
    expect(Object.keys(before).sort()).toEqual(['disabled', 'failing', 'ok']);
    const hook = await hookTo(['https://one.example/']);
    await eventually(async () => (await counts())['ok'] === before['ok']! + 1);
    const records = server.app.get(OutgoingHookRecords);
    await records.alter(await records.load(hook.id), (stored) =>
      records.setHealth(stored, { disabledAt: 1, disabledReason: 'x', disabledUrls: hook.callback_urls }),
    );
    await eventually(async () => (await counts())['disabled'] === before['disabled']! + 1);
    expect(await server.metrics()).not.toContain('one.example');
  });
});
