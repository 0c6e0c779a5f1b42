import { DataSource } from 'typeorm';
import { DispatcherService } from '../src/delivery/dispatch/dispatcher.service.js';
import { newId } from '../src/platform/common/ids.js';
import { LaneLimitsService } from '../src/delivery/dispatch/lane-limits.service.js';
import { OutgoingHookRecords } from '../src/outgoing-hooks/outgoing-hook-records.js';
import { OutgoingHooksRepository } from '../src/outgoing-hooks/outgoing-hooks.repository.js';
import { ChangeLog } from '../src/platform/database/changes/change-log.js';
import { buildChannel } from './factories/channels.js';
import { insertDeliveries } from './factories/deliveries.js';
import { buildMember } from './factories/incoming-hooks.js';
import { buildOutgoingHook } from './factories/outgoing-hooks.js';
import { Receiver } from './fakes/receiver.js';
import { expectError } from './support/expect-error.js';
import { eventually, startTestServer, type TestServer } from './support/test-server.js';

const ENV = { ALLOWED_INTERNAL_HOSTS: '127.0.0.1', OUTGOING_SCHEDULE: '0s,1h', OUTGOING_PER_ENDPOINT: '8' };
const INVALID = 'api.context.invalid_url_param.app_error';
const LIST = '/hooks/outgoing/endpoints';

describe('the endpoints of outgoing webhooks', () => {
  let server: TestServer;
  let teamId: string;
  const receivers: Receiver[] = [];

  beforeAll(async () => {
    server = await startTestServer(ENV);
    teamId = (await server.admin.get('/teams/name/main')).body.id;
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await server?.close();
    for (const receiver of receivers) await receiver.close();
  });

  const receive = async (status: number): Promise<Receiver> => {
    const receiver = await Receiver.start((_, response) => void response.writeHead(status).end());
    receivers.push(receiver);
    return receiver;
  };
  const hookTo = async (...urls: string[]): Promise<any> => {
    const { id } = await buildChannel(server.admin, teamId);
    const fields = { channel_id: id, trigger_words: [], callback_urls: urls, display_name: newId() };
    return buildOutgoingHook(server.admin, teamId, fields);
  };
  const fire = (hook: any): Promise<unknown> =>
    server.admin.call('POST', '/posts', { channel_id: hook.channel_id, message: 'go' });
  const list = async (query = ''): Promise<any> => {
    const answer = await server.admin.get(`${LIST}${query}`);
    expect(answer.status).toBe(200);
    return answer.body;
  };
  const find = async (name: string): Promise<any> =>
    (await list(`?term=${encodeURIComponent(name)}`)).endpoints.find((one: any) => one.endpoint === name);
  const inState = (name: string, state: string): Promise<any> =>
    eventually(async () => {
      const shown = await find(name);
      return shown?.state === state && shown;
    });
  /** Restores the table for the next test. */
  const clean = async ({ id }: any): Promise<void> => {
    await server.app.get(DataSource).query("DELETE FROM deliveries WHERE status = 'retrying'");
    await server.admin.call('DELETE', `/hooks/outgoing/${id}`);
  };
  const detail = async (name: string): Promise<any> => {
    await Promise.all(server.everywhere(LaneLimitsService).map((log) => log.flush()));
    const answer = await server.admin.get(`${LIST}/details?endpoint=${encodeURIComponent(name)}`);
    expect(answer.status).toBe(200);
    return answer.body;
  };

  it('include those that enabled webhooks call, with the webhooks', async () => {
    const [one, other] = [await receive(200), await receive(200)];
    const hook = await hookTo(one.url('/a'), one.url('/b'), other.url('/'));
    const second = await hookTo(one.url('/a'));
    const found = await eventually(async () => {
      const shown = await find(one.origin);
      return shown?.hook_count === 2 && shown;
    });
    expect(found).toEqual({
      ...{ endpoint: one.origin, state: 'ok', since: 0, reason: '', last_failure_at: 0, spared_until: 0 },
      ...{ url_count: 3, failing_url_count: 0, disabled_url_count: 0, hook_count: 2 },
      hooks: [hook, second].map(({ id, display_name, team_id }) => ({
        ...{ id, display_name, team_id },
        ...{ state: 'ok', since: 0, disabled_url_count: 0 },
      })),
    });
    await server.admin.call('PATCH', `/hooks/outgoing/${hook.id}`, { callback_urls: [one.url('/c')] });
    await eventually(async () => (await find(other.origin)) === undefined);
    await server.admin.call('DELETE', `/hooks/outgoing/${second.id}`);
    await eventually(async () => (await find(one.origin))?.hook_count === 1);
    expect(await find(one.origin)).toMatchObject({ url_count: 1, hooks: [{ id: hook.id }] });
  });

  it('fail, are disabled, and recover, with the worst first', async () => {
    const receiver = await receive(500);
    const before = Date.now();
    const hook = await hookTo(receiver.url('/'));
    const healthy = await hookTo((await receive(200)).url('/'));
    await fire(hook);
    const failing = await inState(receiver.origin, 'failing');
    expect(failing).toMatchObject({ failing_url_count: 1, disabled_url_count: 0, reason: '' });
    for (const time of [failing.since, failing.last_failure_at])
      expect(time).toBeGreaterThanOrEqual(before - 1);
    expect(failing.hooks).toMatchObject([{ id: hook.id, state: 'failing', since: failing.since }]);
    expect(await server.admin.call('GET', `/hooks/outgoing/${hook.id}`)).toMatchObject({
      ...{ failing_urls: hook.callback_urls, disabled_urls: [], disabled_at: 0 },
    });

    const gone = await receive(410);
    const second = await hookTo(gone.url('/'));
    await fire(second);
    const disabled = await inState(gone.origin, 'disabled');
    expect(disabled).toMatchObject({
      ...{ failing_url_count: 0, disabled_url_count: 1, reason: 'A callback URL responded with 410 Gone.' },
      hooks: [{ id: second.id, state: 'disabled', disabled_url_count: 1 }],
    });
    const all = await list('?per_page=200');
    const states = all.endpoints.map(({ state }: any) => state);
    expect(states).toEqual(
      ['disabled', 'failing', 'ok'].flatMap((one) => states.filter((state: any) => state === one)),
    );
    expect(all).toMatchObject({ disabled_count: 1, failing_count: 1, total_count: all.endpoints.length });
    expect(await list('?state=disabled')).toMatchObject({
      total_count: 1,
      endpoints: [{ endpoint: gone.origin }],
    });
    expect(await list('?per_page=1&page=1')).toMatchObject({
      total_count: all.total_count,
      endpoints: [{ endpoint: receiver.origin }],
    });

    await server.admin.call('POST', `/hooks/outgoing/${second.id}/enable`);
    await inState(gone.origin, 'ok');
    receiver.answer = (_, response) => void response.end();
    await fire(hook);
    await inState(receiver.origin, 'ok');
    expect(await find(new URL(healthy.callback_urls[0]).origin)).toMatchObject({ state: 'ok' });
  });

  it('show when one of several URLs of a webhook was disabled, until it is enabled again', async () => {
    const [gone, other] = [await receive(410), await receive(200)];
    const hook = await hookTo(gone.url('/'), other.url('/'));
    const before = Date.now();
    await fire(hook);
    const disabled = await inState(gone.origin, 'disabled');
    expect(disabled.since).toBeGreaterThanOrEqual(before - 1);
    expect(disabled.since).toBeLessThanOrEqual(Date.now() + 1);
    expect(disabled.hooks).toMatchObject([{ id: hook.id, since: disabled.since }]);
    expect(await server.admin.call('GET', `/hooks/outgoing/${hook.id}`)).toMatchObject({
      ...{ failing_urls: [], disabled_urls: [gone.url('/')], disabled_at: 0 },
    });
    expect(await find(other.origin)).toMatchObject({ state: 'ok', since: 0 });
    await server.admin.call('POST', `/hooks/outgoing/${hook.id}/enable`);
    const well = await inState(gone.origin, 'ok');
    expect(well.since).toBe(0);
  });

  it('have late deliveries once these are due for more than a minute', async () => {
    const hook = await hookTo('https://nobody.example/');
    expect(await list()).toMatchObject({ overdue_count: 0, oldest_due_at: 0 });
    const dueAt = Date.now() - 61_000;
    const late = { status: 'retrying', nextAttemptAt: dueAt } as const;
    await insertDeliveries(server, hook, 2, { ...late, lane: `https://${newId().toLowerCase()}.example` });
    await insertDeliveries(server, hook, 1, { ...late, lane: 'order:peer', nextAttemptAt: 1 });
    expect(await list()).toMatchObject({ overdue_count: 1, oldest_due_at: dueAt });
    await clean(hook);
  });

  it('have late deliveries after any number of waiting endpoints', async () => {
    const hook = await hookTo('https://nobody.example/');
    const later = { status: 'retrying', nextAttemptAt: Date.now() + 3_600_000 } as const;
    for (let lane = 0; lane < 520; lane++)
      await insertDeliveries(server, hook, 1, { ...later, lane: `https://a${lane}.example` });
    const dueAt = Date.now() - 61_000;
    await insertDeliveries(server, hook, 1, { ...later, nextAttemptAt: dueAt, lane: 'https://z.example' });
    expect(await list()).toMatchObject({ overdue_count: 1, oldest_due_at: dueAt });
    await clean(hook);
  });

  it('are distinguished for a webhook whose paths are hidden', async () => {
    const both = await receive(500);
    const { id: channelId } = await buildChannel(server.admin, teamId);
    const hook = await buildOutgoingHook(server.admin, teamId, {
      channel_id: channelId,
      trigger_words: ['unused'],
      callback_urls: [both.url('/gone'), both.url('/fails')],
    });
    await server.admin.call('PUT', `/channels/${channelId}/privacy`, { privacy: 'P' });
    await server.app
      .get(DataSource)
      .query('UPDATE outgoing_webhooks SET disabled_urls = ?, failing_urls = ? WHERE id = ?', [
        JSON.stringify([both.url('/gone')]),
        JSON.stringify({ [both.url('/gone')]: 1, [both.url('/fails')]: 2 }),
        hook.id,
      ]);
    const path = `/hooks/outgoing/${hook.id}`;
    expect(await server.admin.call('GET', path)).toMatchObject({ failing_urls: [both.url('/fails')] });
    const { client } = await buildMember(server, [teamId], true);
    expect((await client.get(path)).body).toMatchObject({
      ...{ failing_urls: [both.origin], disabled_urls: [both.origin] },
    });
  });

  it('have the changes of webhooks of many processes, without reading the others again', async () => {
    const receiver = await receive(200);
    const hook = await hookTo(receiver.url('/'));
    for (const _ of server.everywhere(OutgoingHooksRepository)) await eventually(() => find(receiver.origin));
    const reads = server.everywhere(OutgoingHooksRepository).map((each) => jest.spyOn(each, 'list'));
    const records = server.app.get(OutgoingHookRecords);
    await records.alter(await records.load(hook.id), (found) =>
      records.setHealth(found, { failingUrls: { [receiver.url('/')]: 7 }, lastFailureAt: 9 }),
    );
    for (const _ of reads)
      expect(await inState(receiver.origin, 'failing')).toMatchObject({ since: 7, last_failure_at: 9 });
    for (const read of reads) expect(read).not.toHaveBeenCalledWith(undefined, undefined, expect.anything());
    await server.admin.call('DELETE', `/hooks/outgoing/${hook.id}`);
  });

  it('are read again when it is unknown what has changed', async () => {
    const receiver = await receive(200);
    await hookTo(receiver.url('/'));
    await eventually(() => find(receiver.origin));
    const reads = server.everywhere(OutgoingHooksRepository).map((each) => jest.spyOn(each, 'list'));
    for (const changes of server.everywhere(ChangeLog as never) as ChangeLog[])
      changes['reportLoss']('changes');
    for (const _ of reads) expect(await find(receiver.origin)).toMatchObject({ hook_count: 1 });
    for (const read of reads) expect(read).toHaveBeenCalledWith(undefined, undefined, expect.anything());
  });

  describe('have a call limit', () => {
    it('that rises with successes, and falls with failures', async () => {
      const receiver = await receive(200);
      const hook = await hookTo(receiver.url('/'));
      expect((await detail(receiver.origin)).limits).toEqual({
        ...{ running: 0, now: 2, most: 8, standing: 'unknown', paused_until: 0, noted_at: 0, changes: [] },
      });
      for (let time = 0; time < 3; time++) await fire(hook);
      const risen = await eventually(async () => {
        const { limits } = await detail(receiver.origin);
        return limits.now === 5 && limits.running === 0 && limits;
      });
      expect(risen).toMatchObject({ most: 8, standing: 'trusted', paused_until: 0 });
      expect(risen.changes).toMatchObject([
        { why: 'answered', times: 3, from: 2, to: 5, standing: 'trusted' },
      ]);
      receiver.answer = (_, response) => void response.writeHead(500).end();
      await fire(hook);
      const fallen = await eventually(async () => {
        const { limits } = await detail(receiver.origin);
        return limits.now === 2 && limits;
      });
      expect(fallen.standing).toBe('suspect');
      expect(fallen.changes).toMatchObject([
        { why: 'failed', times: 1, from: 5, to: 2 },
        { why: 'answered' },
      ]);
      expect(fallen.noted_at).toBeGreaterThanOrEqual(risen.noted_at);
    });

    it('and the number of running calls', async () => {
      const receiver = await receive(200);
      let answer = (): void => undefined;
      receiver.answer = (_, response) => void (answer = () => void response.end());
      const hook = await hookTo(receiver.url('/'));
      await fire(hook);
      await eventually(() => receiver.calls.length === 1);
      expect((await detail(receiver.origin)).limits.running).toBe(1);
      answer();
      await eventually(async () => (await detail(receiver.origin)).limits.running === 0);
    });

    it('and deliveries that wait for a paused endpoint show when the pause ends', async () => {
      const closed = await receive(200);
      const url = closed.url('/');
      await closed.close();
      receivers.splice(receivers.indexOf(closed), 1);
      const hook = await hookTo(url);
      await insertDeliveries(server, hook, 100);
      server.app.get(DispatcherService).wake(new URL(url).origin);
      const log = `/hooks/outgoing/${hook.id}/deliveries`;
      const waits = (delivery: any): boolean => delivery.attempts === 0 && delivery.paused_until > 0;
      const waiting = await eventually(async () => {
        const { deliveries } = await server.admin.call('GET', `${log}?per_page=200`);
        return deliveries.find(waits);
      });
      expect(waiting).toMatchObject({ status: 'pending', next_attempt_at: waiting.paused_until });
      expect(waiting.paused_until).toBeGreaterThan(waiting.create_at);
      await eventually(async () => {
        const one = await server.admin.call('GET', `${log}/${waiting.id}`);
        return waits(one) && one.next_attempt_at === one.paused_until;
      });
      const all = `/hooks/outgoing/deliveries?hook_id=${hook.id}&per_page=200`;
      const { deliveries } = await eventually(async () => {
        const page = await server.admin.call('GET', all);
        return page.deliveries.some(waits) && page;
      });
      // Deliveries due after the pause keep their time.
      const failed = deliveries.filter(({ attempts }: any) => attempts > 0);
      expect(failed.length).toBeGreaterThanOrEqual(64);
      for (const { paused_until: until, next_attempt_at: next } of failed)
        expect([until, next > Date.now() + 60_000]).toEqual([0, true]);
      const retried = await server.admin.call('POST', `${log}/${waiting.id}/retry`);
      expect(retried).toMatchObject({ status: 'pending', paused_until: 0 });
      await server.admin.call('DELETE', `/hooks/outgoing/${hook.id}`);
      await eventually(async () => {
        const page = await server.admin.call('GET', `${all}&status=cancelled`);
        return page.deliveries.some(({ id }: any) => id !== waiting.id);
      });
      const settled = await server.admin.call('GET', `${all}&status=cancelled`);
      expect(settled.deliveries.filter((one: any) => one.paused_until !== 0)).toEqual([]);
    });

    it('and show until when they are paused', async () => {
      const name = `https://${newId().toLowerCase()}.example`;
      const hook = await hookTo(`${name}/`);
      const [log] = server.everywhere(LaneLimitsService);
      const calls = { limit: 1, standing: 'suspect', maxRunning: 8 };
      log!.note({ name, isOrdered: false, calls } as never, 'spared', 1, 60_000);
      const { spared_until: until, limits } = await detail(name);
      expect(until).toBeGreaterThan(Date.now() + 50_000);
      expect(limits).toMatchObject({
        paused_until: until,
        changes: [{ why: 'spared', paused_until: until }],
      });
      await eventually(async () => (await find(name))?.spared_until === until);
      await server.admin.call('DELETE', `/hooks/outgoing/${hook.id}`);
      expect(await detail(name)).toMatchObject({ hook_count: 0, hooks: [], state: 'ok' });
    });
  });

  describe('refuse', () => {
    it.each([
      ['state=good', 'state'],
      [`term=${'x'.repeat(301)}`, 'term'],
    ])('the query %s', async (query, field) => {
      expectError(await server.admin.get(`${LIST}?${query}`), 400, INVALID, field);
    });

    it('no term of up to 300 characters', async () => {
      const term = encodeURIComponent('é'.repeat(140) + '😀'.repeat(20) + 'x'.repeat(140));
      expect((await server.admin.get(`${LIST}?term=${term}`)).status).toBe(200);
    });

    it.each(['', 'endpoint=', 'endpoint=https://example.com/path', 'endpoint=example.com'])(
      'details of %p, which is not an origin',
      async (query) => {
        expectError(await server.admin.get(`${LIST}/details?${query}`), 400, INVALID, 'endpoint');
      },
    );
  });
});
