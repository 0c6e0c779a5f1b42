import { DeliverySearchService } from '../src/delivery/dispatch/delivery-search.service.js';
import { DeliveryTail } from '../src/outgoing-hooks/delivery-log/delivery-tail.js';
import { buildChannel } from './factories/channels.js';
import { buildMember } from './factories/incoming-hooks.js';
import { buildOutgoingHook } from './factories/outgoing-hooks.js';
import { Receiver } from './fakes/receiver.js';
import { LiveClient } from './support/live-client.js';
import { eventually, startTestServer, type TestServer } from './support/test-server.js';

const ENV = { ALLOWED_INTERNAL_HOSTS: '127.0.0.1', OUTGOING_SCHEDULE: '0s' };
const EVENT = 'deliveries_changed';

describe('the live tail of deliveries', () => {
  let server: TestServer;
  let receiver: Receiver;
  let hook: any;
  const clients: LiveClient[] = [];

  beforeAll(async () => {
    server = await startTestServer(ENV);
    receiver = await Receiver.start();
    const { id: teamId } = (await server.admin.get('/teams/name/main')).body;
    const { id } = await buildChannel(server.admin, teamId);
    const fields = { channel_id: id, trigger_words: [], callback_urls: [receiver.url('/')] };
    hook = await buildOutgoingHook(server.admin, teamId, fields);
  });
  afterEach(() => {
    for (const client of clients.splice(0)) client.close();
  });
  afterAll(async () => {
    await server?.close();
    await receiver?.close();
  });

  const connect = async (token = String(server.admin.token)): Promise<LiveClient> => {
    const client = await LiveClient.connect(server.url, token);
    clients.push(client);
    return client;
  };
  const fire = (): Promise<any> =>
    server.admin.call('POST', '/posts', { channel_id: hook.channel_id, message: 'go' });
  const counted = (client: LiveClient, field: 'created' | 'settled'): number =>
    client.named(EVENT).reduce((sum, { data }) => sum + data[field], 0);

  it('sends subscribers created and settled deliveries of every process', async () => {
    const [client, other] = [await connect(), await connect()];
    expect(await client.ask('subscribe_deliveries')).toMatchObject({ status: 'OK' });
    const before = Date.now();
    for (let time = 0; time < 6; time++) await fire();
    await eventually(() => counted(client, 'created') === 6 && counted(client, 'settled') === 6);
    for (const { data } of client.named(EVENT))
      expect(Object.keys(data).sort()).toEqual(['created', 'newest_create_at', 'settled']);
    const [newest] = (await server.admin.get('/hooks/outgoing/deliveries?per_page=1')).body.deliveries;
    expect(client.named(EVENT).at(-1)!.data['newest_create_at']).toBe(newest.create_at);
    expect(newest.create_at).toBeGreaterThanOrEqual(before - 1_000);
    expect(other.named(EVENT)).toEqual([]);
  });

  it('ends on request and with the connection, and adds no cost afterwards', async () => {
    const [client, stays] = [await connect(), await connect()];
    for (const one of [client, stays]) await one.ask('subscribe_deliveries');
    expect(await client.ask('unsubscribe_deliveries')).toMatchObject({ status: 'OK' });
    await fire();
    await eventually(() => counted(stays, 'settled') === 1);
    expect(client.named(EVENT)).toEqual([]);
    await stays.ask('unsubscribe_deliveries');
    await eventually(() => server.everywhere(DeliveryTail).every((tail) => !tail['isLooking']));
    const searches = server.everywhere(DeliverySearchService).map((one) => jest.spyOn(one, 'recent'));
    const { length } = receiver.calls;
    await fire();
    await eventually(() => receiver.calls.length > length);
    for (const search of searches) expect(search).not.toHaveBeenCalled();
    await client.ask('subscribe_deliveries');
    await fire();
    await eventually(() => counted(client, 'created') === 1);
  });

  it('requires a new subscription after every reconnect', async () => {
    const [client, watching] = [await connect(), await connect()];
    for (const one of [client, watching]) await one.ask('subscribe_deliveries');
    const query = `?connection_id=${client.connectionId}&sequence_number=${client.expectedSeq}`;
    client.close();
    const back = await LiveClient.connect(server.url, String(server.admin.token), query);
    clients.push(back);
    await fire();
    await eventually(() => counted(watching, 'settled') === 1);
    expect(counted(back, 'created')).toBe(0);
  });

  it('stops for users who lose access to deliveries', async () => {
    const { client: member, id } = await buildMember(server, [hook.team_id]);
    await server.admin.put(`/users/${id}/roles`, { roles: 'system_admin system_user' });
    const client = await connect(String(member.token));
    expect((await client.ask('subscribe_deliveries')).status).toBe('OK');
    await fire();
    await eventually(() => counted(client, 'created') === 1);
    await server.admin.put(`/users/${id}/roles`, { roles: 'system_user' });
    const watching = await connect();
    await watching.ask('subscribe_deliveries');
    await fire();
    await eventually(() => counted(watching, 'settled') === 1);
    expect(counted(client, 'created')).toBe(1);
  });

  it('is refused to users without access to deliveries', async () => {
    const { client: member } = await buildMember(server, [hook.team_id]);
    const client = await connect(String(member.token));
    expect(await client.ask('subscribe_deliveries')).toMatchObject({
      status: 'FAIL',
      error: { id: 'api.context.permissions.app_error', status_code: 403 },
    });
    for (const action of ['subscribe_constructor', 'subscribe_', 'unsubscribe_other'])
      expect((await client.ask(action)).error?.id).toBe('api.web_socket_router.bad_action.app_error');
  });
});
