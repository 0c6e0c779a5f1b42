import { DeliveryRunner } from '../src/delivery/dispatch/delivery-runner.js';
import { newId } from '../src/platform/common/ids.js';
import { Clock } from '../src/platform/common/clock.js';
import { buildTeam } from './factories/incoming-hooks.js';
import { buildOutgoingHook } from './factories/outgoing-hooks.js';
import { CLIENT, OAuthServer } from './fakes/oauth-server.js';
import { Receiver } from './fakes/receiver.js';
import { eventually, startTestServer, type TestServer } from './support/test-server.js';

const HOOKS = '/api/v4/hooks/outgoing';

/** docs/contract/outgoing-webhooks.md#oauth-2 */
describe('OAuth 2 of an outgoing webhook', () => {
  let server: TestServer;
  let oauth: OAuthServer;
  let receiver: Receiver;
  let teamId: string;
  let channelId: string;

  beforeAll(async () => {
    server = await startTestServer({ ALLOWED_INTERNAL_HOSTS: '127.0.0.1', OUTGOING_SCHEDULE: '0s,50ms' });
    oauth = await OAuthServer.start();
    receiver = await Receiver.start();
    ({ id: teamId, channelId } = await buildTeam(server.admin));
  });
  afterAll(async () => {
    await server?.close();
    await oauth?.close();
    await receiver?.close();
  });
  beforeEach(() => {
    receiver.answer = async ({ headers: { authorization } }, response) => {
      const isValid = (await oauth.tokenIn(authorization)) !== undefined;
      response.writeHead(isValid ? 200 : 401).end(JSON.stringify({ echo: authorization }));
    };
    receiver.calls.length = 0;
    oauth.tokenRequests = 0;
  });
  afterEach(() => jest.restoreAllMocks());

  const authWith = (change: object = {}): object => ({
    ...{ type: 'oauth2', token_url: oauth.tokenUrl, ...CLIENT, scope: 'deploy', ...change },
  });
  const build = (auth: object): Promise<any> =>
    buildOutgoingHook(server.admin, teamId, {
      ...{
        channel_id: channelId,
        trigger_words: [newId()],
        callback_urls: [receiver.url(`/${newId()}`)],
        auth,
      },
    });
  const say = (hook: any): Promise<any> =>
    server.admin.call('POST', '/posts', { channel_id: channelId, message: hook.trigger_words[0] });
  const deliveries = async (hook: any, status: string, count: number): Promise<any[]> => {
    const listed = await eventually(async () => {
      const { body } = await server.admin.get(`${HOOKS}/${hook.id}/deliveries?status=${status}`);
      return body.deliveries.length === count ? body.deliveries : undefined;
    });
    return Promise.all(
      listed.map(
        async ({ id }: any) => (await server.admin.get(`${HOOKS}/${hook.id}/deliveries/${id}`)).body,
      ),
    );
  };
  const test = async (hook: any): Promise<any> =>
    (await server.admin.post(`${HOOKS}/${hook.id}/test`, {})).body;
  const later = (ms: number): void => {
    for (const clock of server.everywhere(Clock))
      jest.spyOn(clock, 'now').mockImplementation(() => Date.now() + ms);
  };
  const tokens = (): unknown[] => [...new Set(receiver.calls.map(({ headers }) => headers.authorization))];

  it('gets one token for many calls, and never shows it or the secret', async () => {
    const hook = await build(authWith());
    expect(hook.auth).toEqual({
      ...{ type: 'oauth2', token_url: oauth.tokenUrl, client_id: CLIENT.client_id },
      ...{ scope: 'deploy', audience: '', token_endpoint_auth_method: 'client_secret_basic' },
    });
    await Promise.all(Array.from({ length: 5 }, () => say(hook)));
    const delivered = await deliveries(hook, 'delivered', 5);
    expect([receiver.calls.length, tokens().length, oauth.tokenRequests]).toEqual([5, 1, 1]);
    expect(await oauth.tokenIn(String(tokens()[0]))).toMatchObject({ scope: 'deploy' });
    const tested = await test(hook);
    expect(tested).toMatchObject({
      request: { headers: { authorization: 'Bearer [redacted]' } },
      response: { status_code: 200, body: '{"echo":"Bearer [redacted]"}' },
    });
    const [token = ''] = tokens().map((header) => String(header).replace('Bearer ', ''));
    for (const text of [hook, delivered, tested].map((each) => JSON.stringify(each))) {
      expect(text).not.toContain(CLIENT.client_secret);
      expect(text).not.toContain(token);
    }
  });

  it('may send the secret in the body', async () => {
    const hook = await build(
      authWith({ client_id: 'post', token_endpoint_auth_method: 'client_secret_post' }),
    );
    expect((await test(hook)).response).toMatchObject({ status_code: 200 });
  });

  it('renews a token shortly before it expires', async () => {
    const hook = await build(authWith());
    await test(hook);
    const at = async (ms: number): Promise<number> => {
      const now = Date.now() + ms;
      for (const clock of server.everywhere(Clock)) jest.spyOn(clock, 'now').mockReturnValue(now);
      await test(hook);
      jest.restoreAllMocks();
      return oauth.tokenRequests;
    };
    expect([await at(530_000), await at(545_000), await at(550_000)]).toEqual([1, 2, 2]);
  });

  it('renews a refused token within the same attempt, once', async () => {
    const hook = await build(authWith());
    await test(hook);
    await (await oauth.tokenIn(String(tokens()[0]))).destroy();
    later(5_000);
    await say(hook);
    const [delivery] = await deliveries(hook, 'delivered', 1);
    expect(delivery.attempt_list).toMatchObject([{ number: 1, status_code: 200 }]);
    const ids = receiver.calls.slice(1).map(({ headers }) => headers['webhook-id']);
    expect([ids, oauth.tokenRequests]).toEqual([[delivery.id, delivery.id], 2]);
    receiver.answer = (_, response) => void response.writeHead(401).end();
    receiver.calls.length = 0;
    later(10_000);
    const { response } = await test(hook);
    expect([response.status_code, receiver.calls.length, oauth.tokenRequests]).toEqual([401, 2, 3]);
    // The token is new, so another one would not help.
    expect((await test(hook)).response.status_code).toBe(401);
    expect([receiver.calls.length, oauth.tokenRequests]).toEqual([3, 3]);
  });

  it('asks a failing token endpoint only every five seconds', async () => {
    const hook = await build(authWith({ client_secret: 'a wrong secret' }));
    const requestsAt = async (ms: number): Promise<number> => {
      later(ms);
      expect((await test(hook)).response.error).toBe('token');
      return oauth.tokenRequests;
    };
    expect([await requestsAt(0), await requestsAt(4_000), await requestsAt(10_000)]).toEqual([1, 1, 2]);
  });

  it('fails the attempt if there is no token, naming the token endpoint', async () => {
    const hook = await build(authWith({ client_secret: 'a wrong secret' }));
    await say(hook);
    const [failed] = await deliveries(hook, 'failed', 1);
    const note = `The token endpoint ${new URL(oauth.tokenUrl).origin} answered 401 (invalid_client).`;
    const attempt = { error: 'token', note, status_code: 0, request_headers: {} };
    expect(failed.attempt_list).toMatchObject([attempt, attempt]);
    expect(receiver.calls).toEqual([]);
    await server.admin.call('PATCH', `${HOOKS}/${hook.id}`, { auth: authWith() });
    await server.admin.call('POST', `${HOOKS}/${hook.id}/deliveries/${failed.id}/retry`);
    await deliveries(hook, 'delivered', 1);
    const { body } = await server.admin.get(`${HOOKS}/deliveries?hook_id=${hook.id}&error=token`);
    expect(body.deliveries).toEqual([]);
  });

  it('draws no conclusions about the endpoint if there is no token', async () => {
    const runs = server.everywhere(DeliveryRunner).map((runner) => jest.spyOn(runner, 'run'));
    const hook = await build(authWith({ client_secret: 'a wrong secret' }));
    await say(hook);
    await deliveries(hook, 'failed', 1);
    const results = await Promise.all(
      runs.flatMap(({ mock }) => mock.results.map(async ({ value }) => (await value).result)),
    );
    expect(results).toEqual([undefined, undefined]);
  });

  it('names the whole timeout if the receiver does not answer in time', async () => {
    const hook = await build(authWith());
    await test(hook);
    receiver.answer = () => undefined;
    await server.withSettings({ outgoingTimeoutMs: 300 }, async () => {
      const { response } = await test(hook);
      expect(response).toMatchObject({
        error: 'timeout',
        note: 'The call did not finish within 0.3 s.',
      });
    });
  });

  const says =
    (body: string): ((response: any) => void) =>
    (response) =>
      void response.end(body);
  it.each<[string, (response: any) => void, string]>([
    ['no JSON', says('<html>'), 'answered without a valid access_token.'],
    ['no token', says('{}'), 'answered without a valid access_token.'],
    ['a token that cannot be sent', says('{"access_token":"a b"}'), 'answered without a valid access_token.'],
    [
      'another kind of token',
      says('{"access_token":"a","token_type":"mac"}'),
      'issued a token that is not a',
    ],
    ['an error', (response) => void response.writeHead(503).end('x'), 'answered 503.'],
    ['nothing', (response) => void response.destroy(), 'could not be called. The connection was closed'],
  ])('fails if the token endpoint answers with %s', async (_, answer, reason) => {
    const endpoint = await Receiver.start((_call, response) => answer(response));
    const { response } = await test(await build(authWith({ token_url: endpoint.url('/t') })));
    expect(response).toMatchObject({ error: 'token', note: expect.stringContaining(reason) });
    expect(response.note).toContain(`The token endpoint ${endpoint.origin} `);
    await endpoint.close();
  });

  it.each([
    [undefined, 240_000],
    ['abc', 240_000],
    [-1, 240_000],
    ['0', 240_000],
    ['600', 540_000],
    [60, 30_000],
  ])('keeps a token whose expires_in is %j for %i ms', async (expires_in, keptMs) => {
    const endpoint = await Receiver.start((_call, response) => {
      const reply = { access_token: 'token', token_type: 'bearer', expires_in };
      response.end(JSON.stringify(reply));
    });
    receiver.answer = (_call, response) => void response.end();
    const hook = await build(authWith({ token_url: endpoint.url('/t'), audience: 'https://ci.example.com' }));
    const now = Date.now();
    const at = async (ms: number): Promise<number> => {
      for (const clock of server.everywhere(Clock)) jest.spyOn(clock, 'now').mockReturnValue(now + ms);
      expect((await test(hook)).response.status_code).toBe(200);
      return endpoint.calls.length;
    };
    const counts = [await at(0), await at(keptMs - 1), await at(keptMs)];
    await endpoint.close();
    expect(counts).toEqual([1, 1, 2]);
    expect(new URLSearchParams(endpoint.calls[0]?.body).get('audience')).toBe('https://ci.example.com');
  });

  it('calls no internal token endpoint, and sends the secret to no other server', async () => {
    const hook = await build(authWith({ token_url: 'http://10.0.0.1/token' }));
    expect((await test(hook)).response).toMatchObject({
      error: 'token',
      note: expect.stringContaining('ALLOWED_INTERNAL_HOSTS'),
    });
    const { client_secret: _secret, ...kept } = authWith() as Record<string, unknown>;
    const { status, body } = await server.admin.patch(`${HOOKS}/${hook.id}`, { auth: kept });
    expect([status, body.message]).toEqual([400, expect.stringContaining('auth.client_secret')]);
    const path = { ...kept, token_url: 'http://10.0.0.1/v2/token' };
    expect((await server.admin.patch(`${HOOKS}/${hook.id}`, { auth: path })).status).toBe(200);
  });
});
