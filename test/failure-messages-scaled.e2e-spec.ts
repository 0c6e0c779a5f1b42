import { DataSource } from 'typeorm';
import { Failure } from '../src/failure-messages/failure.entity.js';
import { FailuresService } from '../src/failure-messages/failures.service.js';
import { OutgoingHookRecords } from '../src/outgoing-hooks/outgoing-hook-records.js';
import { ServerBot } from '../src/messaging/posts/server-bot.js';
import { Bus } from '../src/platform/scaling/bus.js';
import type { RedisBus } from '../src/platform/scaling/redis-bus.js';
import { newId } from '../src/platform/common/ids.js';
import { ChangeLog } from '../src/platform/database/changes/change-log.js';
import type { SharedChanges } from '../src/platform/database/changes/shared-changes.js';
import { buildChannel } from './factories/channels.js';
import { insertDeliveries } from './factories/deliveries.js';
import { buildOutgoingHook } from './factories/outgoing-hooks.js';
import { buildTeam } from './factories/teams.js';
import { onlyWhere } from './support/only-where.js';
import { isMysql } from './support/test-database.js';
import { eventually, startTestServer, type TestServer } from './support/test-server.js';
import { startTwoServers, type TwoServers } from './support/two-servers.js';

const onMysql = onlyWhere(isMysql, 'an embedded database belongs to one process');
onMysql.describe('failures that two processes report', () => {
  let servers: TwoServers;
  let one: FailuresService;
  let other: FailuresService;
  let key: { subjectId: string; endpoint: string };

  beforeAll(async () => {
    servers = await startTwoServers();
    const of = ({ app }: TestServer): FailuresService => app.get(FailuresService, { strict: false });
    one = of(servers.one);
    other = of(servers.other);
  }, 60_000);
  beforeEach(async () => {
    key = { subjectId: newId(), endpoint: 'https://receiver.example' };
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => servers?.close());

  const peersOf = ({ app }: TestServer) => app.get<RedisBus>(Bus)['peers']['peers'];
  const begin = async (): Promise<void> => {
    one.begin({ ...key, userId: servers.one.adminId, stage: 1, text: 'It fails.' });
    await one['last'];
  };
  /** Records what the bots of both would write, instead of writing it. */
  const watchBots = (): jest.Mock => {
    const told = jest.fn();
    for (const { app } of servers.both)
      jest
        .spyOn(app.get(ServerBot, { strict: false }), 'write')
        .mockImplementation(async (_to, text) => told(text));
    return told;
  };
  const hookTo = async (...callback_urls: string[]): Promise<any> => {
    const { admin } = servers.one;
    const team = await buildTeam(admin);
    const { id: channel_id } = await buildChannel(admin, team.id);
    return buildOutgoingHook(admin, team.id, { channel_id, callback_urls });
  };
  const isStored = (): Promise<boolean> =>
    servers.one.app.get(DataSource).getRepository(Failure).existsBy(key);

  it('end in both when one of them sees the recovery', async () => {
    await begin();
    await eventually(() => other.find(key) !== undefined);
    other.heal(key, 'It works again.');
    await eventually(() => one.find(key) === undefined);
    expect(other.find(key)).toBeUndefined();
    expect(await isStored()).toBe(false);
  });

  it('end in both with their subject, even if it is deleted before they are announced', async () => {
    const changes = servers.other.app.get<SharedChanges>(ChangeLog);
    jest.spyOn(changes as never, 'readOnce').mockResolvedValue(undefined as never);
    await begin();
    expect(other.find(key)).toBeUndefined();
    other.forget(key.subjectId);
    await eventually(() => one.find(key) === undefined);
    expect(await isStored()).toBe(false);
  });

  it('are sent once when both detect the same failure at once', async () => {
    const told = watchBots();
    for (let round = 1; round <= 20; round++) {
      key = { subjectId: newId(), endpoint: 'https://receiver.example' };
      told.mockClear();
      const failure = { ...key, userId: servers.one.adminId, stage: 1, text: 'It fails.' };
      for (const process of [one, other]) process.begin(failure);
      await Promise.all([one['last'], other['last']]);
      await eventually(() => one.find(key) !== undefined && other.find(key) !== undefined);
      for (const process of [one, other]) process.heal(key, 'It works again.');
      await Promise.all([one['last'], other['last']]);
      expect(told.mock.calls).toEqual([['It fails.'], ['It works again.']]);
    }
  });

  it.each([
    ['end at once if the endpoint has been reached since', ['failed', 'delivered', 'cancelled'], 2],
    ['continue if the endpoint was reached before', ['delivered', 'failed', 'cancelled'], 1],
  ] as const)('%s, no matter which process has called it: %j', async (_when, statuses, count) => {
    const told = watchBots();
    const hook = await hookTo('https://a.example/');
    const startedAt = Date.now();
    for (const [index, status] of statuses.entries())
      await insertDeliveries(servers.one, hook, 1, { status, finishAt: startedAt + index });
    key = { subjectId: hook.id, endpoint: 'https://a.example' };
    await begin();
    await eventually(async () => (await isStored()) === (count === 1));
    await eventually(() => [one, other].every((each) => (each.find(key) !== undefined) === (count === 1)));
    for (const each of [one, other, one]) await each['last'];
    expect(told.mock.calls.map(([text]) => text)).toEqual(
      ['It fails.', expect.stringContaining('reaches https://a.example again.')].slice(0, count),
    );
  });

  it('continue while a URL of the endpoint is disabled, although another one is reached', async () => {
    const told = watchBots();
    const callback_urls = ['https://a.example/gone', 'https://a.example/works'];
    const hook = await hookTo(...callback_urls);
    const records = servers.one.app.get(OutgoingHookRecords, { strict: false });
    await records.alter(await records.load(hook.id), (known) =>
      records.setHealth(known, { disabledUrls: [callback_urls[0]!] }),
    );
    await insertDeliveries(servers.one, hook, 1, { status: 'delivered', finishAt: Date.now() });
    key = { subjectId: hook.id, endpoint: 'https://a.example' };
    await begin();
    await eventually(() => other.find(key) !== undefined);
    for (const each of [one, other, one]) await each['last'];
    expect(told.mock.calls).toEqual([['It fails.']]);
    expect(await isStored()).toBe(true);
  });

  it('are sent once by other processes when a process stops before it could send them', async () => {
    const told = watchBots();
    const third = await startTestServer(
      { REDIS_URL: process.env['TEST_REDIS_URL'] ?? '' },
      servers.one.database,
    );
    await eventually(() => peersOf(servers.one).has(third.app.get(Bus).processId));
    const hook = await hookTo('https://a.example/');
    const ended = { status: 'failed', reason: 'attempts', finishAt: Date.now(), lastCode: 500 } as const;
    await insertDeliveries(servers.one, hook, 1, ended);
    await third.close();
    await eventually(() => told.mock.calls.length > 0);
    await Promise.all([one['last'], other['last']]);
    expect(told.mock.calls).toEqual([[expect.stringContaining('stopped trying')]]);
  }, 60_000);

  it('end with their subject while they are being sent', async () => {
    one.begin({ ...key, userId: servers.one.adminId, stage: 1, text: 'It fails.' });
    one.forget(key.subjectId);
    await one['last'];
    expect(one.find(key)).toBeUndefined();
    expect(await isStored()).toBe(false);
  });
});
