import { DataSource } from 'typeorm';
import { DeliveryAttempt, NO_DETAIL } from '../src/delivery/dispatch/delivery.entity.js';
import { Clock } from '../src/platform/common/clock.js';
import { newId } from '../src/platform/common/ids.js';
import { insertRows } from '../src/platform/database/rows.js';
import { buildChannel, joinChannel } from './factories/channels.js';
import { insertDeliveries } from './factories/deliveries.js';
import { buildMember } from './factories/incoming-hooks.js';
import { buildOutgoingHook } from './factories/outgoing-hooks.js';
import { Receiver } from './fakes/receiver.js';
import { eventually, startTestServer, type TestServer } from './support/test-server.js';

const HOOKS = '/api/v4/hooks/outgoing';
/** Values that cannot be known afterwards. */
const LEFT_OUT = new Set([
  'connection',
  'webhook-signature',
  'x-hookline-signature-256',
  'x-hookline-signature-256-previous',
]);

describe('the request headers of an attempt', () => {
  let server: TestServer;
  let receiver: Receiver;
  let teamId: string;
  let channel: any;

  beforeAll(async () => {
    const OUTGOING_SCHEDULE = '0s,50ms,100ms';
    server = await startTestServer({ ALLOWED_INTERNAL_HOSTS: '127.0.0.1', OUTGOING_SCHEDULE });
    receiver = await Receiver.start();
    teamId = (await server.admin.get('/teams/name/main')).body.id;
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await server?.close();
    await receiver?.close();
  });
  beforeEach(async () => {
    receiver.answer = (_, response) => void response.end();
    receiver.calls.length = 0;
    channel = await buildChannel(server.admin, teamId);
  });

  const hookTo = (fields: object = {}): Promise<any> =>
    buildOutgoingHook(server.admin, teamId, {
      channel_id: channel.id,
      trigger_words: [],
      callback_urls: [receiver.url(`/${newId()}`)],
      content_type: 'application/json',
      ...fields,
    });
  const say = async (message: string): Promise<any> =>
    server.admin.call('POST', '/posts', { channel_id: channel.id, message });
  const reaches = async (hook: any, status: string, attempts = 1): Promise<any> => {
    const { id } = await eventually(async () => {
      const { body } = await server.admin.get(`${HOOKS}/${hook.id}/deliveries?status=${status}`);
      return body.deliveries.find((delivery: any) => delivery.attempts === attempts);
    });
    return detailOf(hook, id);
  };
  const detailOf = async (hook: any, id: string, client = server.admin): Promise<any> =>
    (await client.get(`${HOOKS}/${hook.id}/deliveries/${id}`)).body;
  const requestHeadersOf = ({ attempt_list: attempts }: any): unknown[] =>
    attempts.map((attempt: any) => Object.entries(attempt.request_headers));
  /** In the order in which they are sent. */
  const received = (): unknown[] =>
    receiver.calls.map(({ headers }) => Object.entries(headers).filter(([name]) => !LEFT_OUT.has(name)));

  it.each(['application/json', 'application/x-www-form-urlencoded'])(
    'are those that the receiver got, for each attempt, even after the secrets are replaced (%s)',
    async (contentType) => {
      receiver.answer = (_, response) => void response.writeHead(500).end();
      const hook = await hookTo({ content_type: contentType });
      await say('größer & <👍> \u2028');
      const failed = await reaches(hook, 'failed', 3);
      expect(requestHeadersOf(failed)).toEqual(received());
      receiver.answer = (_, response) => void response.end();
      await server.admin.call('POST', `${HOOKS}/${hook.id}/regen_token`);
      await server.admin.call('POST', `${HOOKS}/${hook.id}/deliveries/${failed.id}/retry`);
      const delivered = await reaches(hook, 'delivered', 4);
      expect(receiver.calls).toHaveLength(4);
      expect(requestHeadersOf(delivered)).toEqual(received());
      const { calls } = receiver;
      expect(calls.map(({ headers }) => headers['content-length'])).toEqual(
        calls.map(({ body }) => String(Buffer.byteLength(body))),
      );
      expect(delivered.attempt_list[3].request_headers).toEqual({
        host: new URL(receiver.origin).host,
        'content-type': contentType,
        accept: 'application/json',
        'user-agent': expect.stringMatching(/^Hookline\/\d+\.\d+\.\d+ \(Mattermost-Bot\/1\.1 compatible\)$/),
        'webhook-id': failed.id,
        'webhook-timestamp': expect.stringMatching(/^\d+$/),
        'accept-encoding': 'gzip, deflate, br',
        'content-length': expect.any(String),
      });
    },
  );

  it('have the timestamp of the start, even if the clock is changed in between', async () => {
    for (const clock of server.everywhere(Clock)) {
      let leaps = 0;
      jest.spyOn(clock, 'now').mockImplementation(() => Date.now() + 1_000 * leaps++);
    }
    const hook = await hookTo();
    await say('go');
    const detail = await reaches(hook, 'delivered');
    jest.restoreAllMocks();
    const [{ start_at: startAt, request_headers: headers }] = detail.attempt_list;
    expect(headers['webhook-timestamp']).toBe(String(Math.floor(startAt / 1000)));
    expect(requestHeadersOf(detail)).toEqual(received());
  });

  it.each([
    ['there is no connection', 'http://127.0.0.1:9/', 'connect'],
    ['the address is refused', 'http://10.0.0.1/', 'refused_address'],
  ])('are missing if %s', async (_, url, error) => {
    const hook = await hookTo({ callback_urls: [url] });
    await say('go');
    const { attempt_list: attempts } = await reaches(hook, 'failed', 3);
    expect(attempts.map((attempt: any) => [attempt.error, attempt.request_headers])).toEqual(
      Array.from({ length: 3 }, () => [error, {}]),
    );
  });

  it('are present if the call was sent without a response', async () => {
    receiver.answer = () => undefined;
    const hook = await hookTo();
    await server.withSettings({ outgoingTimeoutMs: 150 }, async () => {
      await say('go');
      const detail = await reaches(hook, 'failed', 3);
      expect(detail.attempt_list[0]).toMatchObject({ error: 'timeout', status_code: 0 });
      expect(requestHeadersOf(detail)).toEqual(received());
    });
  });

  it('reveal nothing of the message to users who cannot read the channel, or after its deletion', async () => {
    const hidden = await buildChannel(server.admin, teamId, { type: 'P' });
    const hook = await hookTo({ trigger_words: ['go'] });
    await server.admin.call('PATCH', `${HOOKS}/${hook.id}`, { channel_id: hidden.id });
    const message = { channel_id: hidden.id, message: 'go, in private' };
    const post = await server.admin.call('POST', '/posts', message);
    const { id, attempt_list: attempts } = await reaches(hook, 'delivered');
    await server.admin.call('PATCH', `${HOOKS}/${hook.id}`, { channel_id: channel.id });
    const { 'content-length': length, ...others } = attempts[0].request_headers;
    expect(Number(length)).toBeGreaterThan(0);
    const member = await buildMember(server, [teamId], true);
    await joinChannel(server.admin, channel.id, member.id);
    expect((await detailOf(hook, id, member.client)).attempt_list[0].request_headers).toEqual(others);
    await server.admin.call('DELETE', `/posts/${post.id}`);
    const deleted = await detailOf(hook, id);
    expect(deleted).toMatchObject({ reason: 'post_deleted', payload: {} });
    expect(deleted.attempt_list[0].request_headers).toEqual(others);
  });

  it('name the version that made the call, and are known for attempts of earlier versions', async () => {
    const hook = await hookTo();
    const ended = { status: 'delivered', attempts: 2, finishAt: 1 } as const;
    const [delivery] = await insertDeliveries(server, hook, 1, ended);
    const row = (number: number, detail: DeliveryAttempt['detail']): DeliveryAttempt => ({
      ...{ deliveryId: delivery!.id, number, startAt: 1_764_633_600_999, durationMs: 1, firstByteMs: 1 },
      ...{ statusCode: 200, errorClass: '', note: '', reply: '', detail },
    });
    const rows = [row(1, NO_DETAIL), row(2, { ...NO_DETAIL, sentMs: 1, version: '9.8.7' })];
    await insertRows(server.app.get(DataSource).manager, DeliveryAttempt, rows);
    const { attempt_list: attempts } = await detailOf(hook, delivery!.id);
    expect(attempts.map((attempt: any) => attempt.request_headers)).toMatchObject([
      { 'user-agent': expect.stringContaining('Hookline/0.1.0 '), 'webhook-timestamp': '1764633600' },
      { 'user-agent': expect.stringContaining('Hookline/9.8.7 '), 'webhook-timestamp': '1764633600' },
    ]);
  });
});
