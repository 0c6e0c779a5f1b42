import { buildChannel } from './factories/channels.js';
import { buildTeam } from './factories/teams.js';
import { buildOutgoingHook } from './factories/outgoing-hooks.js';
import { Receiver } from './fakes/receiver.js';
import { ApiClient } from './support/api-client.mjs';
import { onlyWhere } from './support/only-where.js';
import { ServerProcess } from './support/server-process.mjs';
import { createTestDatabase, isMysql, type TestDatabase } from './support/test-database.js';
import { ADMIN_PASSWORD, eventually } from './support/test-server.js';

const onMysql = onlyWhere(isMysql, 'several processes share a MySQL database');

/** docs/contract/outgoing-webhooks.md#order and #rate */
onMysql.describe('order and rate of an outgoing webhook with three processes', () => {
  const PER_SECOND = 10;
  const SECOND = 1_000;
  let database: TestDatabase;
  const servers: ServerProcess[] = [];
  let admins: ApiClient[] = [];
  const receivers: Receiver[] = [];
  let teamId: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    const env = {
      ...database.env,
      ADMIN_PASSWORD,
      REDIS_URL: process.env['TEST_REDIS_URL'] ?? '',
      ALLOWED_INTERNAL_HOSTS: '127.0.0.1',
    };
    for (let count = 0; count < 3; count++) {
      servers.push(await ServerProcess.start(env));
      receivers.push(await Receiver.start());
    }
    const client = new ApiClient(servers[0]!.url);
    const { headers } = await client.post('/users/login', { login_id: 'admin', password: ADMIN_PASSWORD });
    admins = servers.map(({ url }) => new ApiClient(url).as(String(headers['token'])));
    ({ id: teamId } = await buildTeam(admins[0]!));
  }, 90_000);
  afterAll(async () => {
    for (const server of servers) await server.stop();
    for (const receiver of receivers) await receiver.close();
    await database?.drop();
  });

  const say = async (admin: ApiClient, channelId: string, message: string): Promise<void> => {
    await admin.call('POST', '/posts', { channel_id: channelId, message });
  };

  it('makes no more calls than the rate, whichever process makes them', async () => {
    const hook = await buildOutgoingHook(admins[0]!, teamId, {
      trigger_words: ['rate'],
      callback_urls: receivers.map((receiver) => receiver.url('/rate')),
      requests_per_second: PER_SECOND,
    });
    const { id: channelId } = await buildChannel(admins[0]!, teamId);
    for (let count = 0; count < 18; count++) await say(admins[count % 3]!, channelId, 'rate');
    const calls = () => receivers.flatMap((receiver) => receiver.callsTo('/rate'));
    await eventually(() => calls().length === 54, 30_000);
    const starts = calls()
      .map(({ at }) => at)
      .sort((one, other) => one - other);
    const most = starts.map((start, index) => starts.slice(index).filter((at) => at - start < SECOND).length);
    expect(Math.max(...most)).toBeLessThanOrEqual(2 * PER_SECOND + 1);
    expect(starts.at(-1)! - starts[0]!).toBeGreaterThan(((54 - PER_SECOND) / PER_SECOND) * SECOND - 200);
    await admins[0]!.call('DELETE', `/hooks/outgoing/${hook.id}`);
  }, 60_000);

  it('keeps the order of each channel when a process is killed', async () => {
    for (const receiver of receivers)
      receiver.answer = (_, response) => void setTimeout(() => response.end(), 20);
    await buildOutgoingHook(admins[0]!, teamId, {
      trigger_words: ['order'],
      callback_urls: receivers.map((receiver) => receiver.url('/order')),
      content_type: 'application/json',
      ordering: 'channel',
    });
    const channels: string[] = [];
    for (let count = 0; count < 4; count++) channels.push((await buildChannel(admins[0]!, teamId)).id);
    const texts = Array.from({ length: 40 }, (_, number) => `order ${number}`);
    for (const [index, text] of texts.entries()) {
      if (index === 25) await servers[2]!.kill();
      const admin = admins[index % (index < 25 ? 3 : 2)]!;
      for (const channel of channels) await say(admin, channel, text);
    }
    /** What a receiver got from a channel. A call whose outcome was lost is made again. */
    const received = (receiver: Receiver, channel: string): string[] => {
      const bodies = receiver.callsTo('/order').map(({ body }) => JSON.parse(body));
      return [
        ...new Set(bodies.filter(({ channel_id: id }) => id === channel).map(({ text }): string => text)),
      ];
    };
    for (const receiver of receivers)
      for (const channel of channels) {
        await eventually(() => received(receiver, channel).length === texts.length, 60_000);
        expect(received(receiver, channel)).toEqual(texts);
      }
  }, 120_000);
});
