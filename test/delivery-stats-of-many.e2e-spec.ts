import { Clock } from '../src/platform/common/clock.js';
import { newId } from '../src/platform/common/ids.js';
import { type CountedOutcome, noCounts, OUTCOMES } from '../src/outgoing-hooks/delivery-stats/counts.js';
import { DeliveryCounter } from '../src/outgoing-hooks/delivery-stats/delivery-counter.js';
import { DeliveryStatsRepository } from '../src/outgoing-hooks/delivery-stats/delivery-stats.repository.js';
import { buildChannel, joinChannel } from './factories/channels.js';
import { buildMember } from './factories/incoming-hooks.js';
import { buildOutgoingHook } from './factories/outgoing-hooks.js';
import { Receiver } from './fakes/receiver.js';
import type { ApiClient } from './support/api-client.mjs';
import { expectError } from './support/expect-error.js';
import { eventually, startTestServer, type TestServer } from './support/test-server.js';

const HOUR = 3_600_000;
const PATH = '/hooks/outgoing/stats';
const ENV = { ALLOWED_INTERNAL_HOSTS: '127.0.0.1', OUTGOING_SCHEDULE: '0s,50ms' };

describe('the statistics of many webhooks', () => {
  let server: TestServer;
  let teamId: string;

  beforeAll(async () => {
    server = await startTestServer(ENV);
    teamId = (await server.admin.get('/teams/name/main')).body.id;
  });
  afterAll(() => server?.close());

  const make = (fields: object = {}): Promise<any> =>
    buildOutgoingHook(server.admin, teamId, { trigger_words: [newId()], ...fields });
  const hooksOf = async (ids: readonly string[], query = '', client: ApiClient = server.admin) => {
    const { status, body } = await client.post(`${PATH}${query}`, { hook_ids: ids });
    expect(status).toBe(200);
    return body;
  };
  const idsOf = async (ids: readonly string[], client?: ApiClient): Promise<string[]> =>
    (await hooksOf(ids, '', client)).hooks.map(({ hook_id }: any) => hook_id);
  const sum = (numbers: readonly number[]): number => numbers.reduce((all, number) => all + number, 0);
  /** Stores counts of an hour. */
  const count = (
    subject: string,
    startAt: number,
    counted: Partial<Record<CountedOutcome, number>>,
    stepSeconds = 3_600,
  ): Promise<void> => {
    const counts = noCounts();
    for (const [column, name] of OUTCOMES.entries()) counts[column] = counted[name] ?? 0;
    return server.app.get(DeliveryStatsRepository).add([{ subject, stepSeconds, startAt, counts }]);
  };

  it('contain the calls of each webhook, and of a failure only its number', async () => {
    const receiver = await Receiver.start(({ path }, response) => {
      if (path === '/bad') response.statusCode = 500;
      response.end();
    });
    const { id: channelId } = await buildChannel(server.admin, teamId);
    const hookTo = (path: string): Promise<any> =>
      buildOutgoingHook(server.admin, teamId, {
        channel_id: channelId,
        trigger_words: [],
        callback_urls: [receiver.url(path)],
      });
    const [good, bad] = [await hookTo('/good'), await hookTo('/bad')];
    await server.admin.call('POST', '/posts', { channel_id: channelId, message: 'go' });
    const found = await eventually(async () => {
      for (const counter of server.everywhere(DeliveryCounter)) await counter.flush();
      const { hooks } = await hooksOf([bad.id, good.id]);
      const isCounted = sum(hooks[0].failed) === 2 && sum(hooks[1].delivered) === 1;
      return isCounted ? hooks : undefined;
    });
    expect(found).toMatchObject([{ hook_id: bad.id }, { hook_id: good.id }]);
    expect([sum(found[0].delivered), sum(found[1].failed)]).toEqual([0, 0]);
    await receiver.close();
  });

  it.each([
    ['24h', '', 3_600, 24],
    ['24h', '?range=24h', 3_600, 24],
    ['7d', '?range=7d', 21_600, 28],
  ])('over %s (%p) have points of %i seconds', async (range, query, step, length) => {
    const [hook, empty] = [await make(), await make()];
    const zeros = new Array<number>(length).fill(0);
    const { start, ...rest } = await hooksOf([hook.id], query);
    expect(rest).toEqual({
      ...{ range, step_seconds: step },
      hooks: [{ hook_id: hook.id, delivered: zeros, failed: zeros }],
    });
    const stepMs = step * 1_000;
    expect(start % stepMs).toBe(0);
    const end = start + length * stepMs;
    const failed = { failed_4xx: 1, failed_5xx: 2, failed_timeout: 3, failed_connection: 4, failed_other: 5 };
    await count(hook.id, start - HOUR, { delivered: 100 }); // too early
    await count(hook.id, start, { delivered: 7, given_up: 50 });
    await count(hook.id, start + stepMs, failed);
    await count(hook.id, start + stepMs, { delivered: 100 }, 300); // also counted by the hour
    await count(hook.id, end - HOUR, { delivered: 2 });
    if (stepMs > HOUR) await count(hook.id, end - stepMs, { delivered: 3, failed_5xx: 1 });
    const clocks = server.everywhere(Clock).map((clock) => jest.spyOn(clock, 'now').mockReturnValue(end - 1));
    const { hooks } = await hooksOf([empty.id, hook.id, hook.id], query);
    for (const clock of clocks) clock.mockRestore();
    expect(hooks).toEqual([
      { hook_id: empty.id, delivered: zeros, failed: zeros },
      {
        hook_id: hook.id,
        delivered: zeros.with(0, 7).with(-1, stepMs > HOUR ? 5 : 2),
        failed: zeros.with(1, 15).with(-1, stepMs > HOUR ? 1 : 0),
      },
    ]);
  });

  it('omit webhooks that the caller cannot see, and unknown ones', async () => {
    const { client: owner, id: ownerId } = await buildMember(server, [teamId]);
    const channel = await buildChannel(server.admin, teamId);
    const open = await buildChannel(server.admin, teamId);
    const hidden = await make({ channel_id: channel.id });
    await server.admin.call('PUT', `/channels/${channel.id}/privacy`, { privacy: 'P' });
    const shown = await make({ channel_id: open.id });
    const gone = await make({ channel_id: open.id });
    await server.admin.call('DELETE', `/hooks/outgoing/${gone.id}`);
    const all = [hidden.id, newId(), gone.id, shown.id];
    const oneByOne = async (client: ApiClient): Promise<string[]> => {
      const seen: string[] = [];
      for (const id of all)
        if ((await client.get(`/hooks/outgoing/${id}/stats`)).status === 200) seen.push(id);
      return seen;
    };
    expect(await idsOf(all)).toEqual([hidden.id, gone.id, shown.id]);
    expect(await idsOf(all)).toEqual(await oneByOne(server.admin));
    expect(await idsOf(all, owner)).toEqual([]);
    expect(await oneByOne(owner)).toEqual([]);
    await server.admin.call('PUT', `/teams/${teamId}/members/${ownerId}/schemeRoles`, {
      ...{ scheme_user: true, scheme_admin: true },
    });
    expect(await idsOf(all, owner)).toEqual([gone.id, shown.id]);
    expect(await oneByOne(owner)).toEqual([gone.id, shown.id]);
    await joinChannel(server.admin, channel.id, ownerId);
    expect(await idsOf(all, owner)).toEqual([hidden.id, gone.id, shown.id]);
    expect(await oneByOne(owner)).toEqual([hidden.id, gone.id, shown.id]);
  });

  it('are read by one statement, however many webhooks there are', async () => {
    const ids: string[] = [];
    for (let number = 0; number < 5; number++) ids.push((await make()).id as string);
    const spies = server
      .everywhere(DeliveryStatsRepository)
      .map((repository) => jest.spyOn(repository, 'listOutcomes'));
    await hooksOf(ids);
    const calls = spies.flatMap(({ mock }) => mock.calls);
    for (const spy of spies) spy.mockRestore();
    expect(calls).toEqual([[expect.objectContaining({ subjects: ids })]]);
  });

  describe('refuse', () => {
    const BODY = 'api.context.invalid_body_param.app_error';

    it('a caller without a session', async () => {
      expectError(await server.anonymous.post(PATH, { hook_ids: [newId()] }), 401);
    });

    it.each([
      ['no ids', {}],
      ['an empty list', { hook_ids: [] }],
      ['null', { hook_ids: null }],
      ['too many', { hook_ids: Array.from({ length: 101 }, () => newId()) }],
      ['a text', { hook_ids: newId() }],
      ['numbers', { hook_ids: [1] }],
      ['an invalid id', { hook_ids: [newId(), 'short'] }],
    ])('%s', async (_, body) => {
      expectError(await server.admin.post(PATH, body), 400, BODY, 'hook_ids');
    });

    it.each(['1h', '30d', '24H', 'constructor'])('the range %s', async (range) => {
      const answer = await server.admin.post(`${PATH}?range=${range}`, { hook_ids: [newId()] });
      expectError(answer, 400, 'api.context.invalid_url_param.app_error', 'range');
    });

    it('all callers while outgoing webhooks are switched off', async () => {
      await server.withSettings({ enableOutgoingWebhooks: false }, async () => {
        expectError(await server.admin.post(PATH, { hook_ids: [newId()] }), 501);
      });
    });
  });
});
