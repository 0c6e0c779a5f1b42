import { createHash } from 'node:crypto';
import { DataSource } from 'typeorm';
import { Clock } from '../src/platform/common/clock.js';
import { PeerMessages } from '../src/remote-cluster/messages/peer-messages.service.js';
import { MessageRefused, Topics } from '../src/remote-cluster/messages/topics.js';
import { RemoteClusterRecords } from '../src/remote-cluster/remote-cluster-records.js';
import { acceptedBy, mainTeamId, openedBy, recordOf, startPeeringServer } from './factories/peers.js';
import { buildConnection } from './factories/remote-clusters.js';
import {
  ForeignPeer,
  frameOf,
  type PeerAnswer,
  type PeerCall,
  type PeerConnection,
  peerId,
  post,
} from './fakes/foreign-peer.js';
import { expectError } from './support/expect-error.js';
import { eventually, type TestServer } from './support/test-server.js';

const CALLS: readonly PeerCall[] = ['ping', 'msg', 'confirm_invite'];
const EXPIRED = 'api.context.session_expired.app_error';
const WRONG_TOKEN = 'api.context.invalid_token.error';
const NO_ID = 'api.context.remote_id_missing.app_error';
const NOT_JSON = 'api.unmarshal_error';
const BAD_ID = 'api.remote_cluster.invalid_id.app_error';
const BAD_TOPIC = 'api.remote_cluster.invalid_topic.app_error';
const BAD_BODY = 'api.context.invalid_body_param.app_error';
const OTHER_ID = 'api.context.remote_id_invalid.app_error';
const REFUSED = 'api.command_remote.confirm_invitation.error';
const TOO_OLD = 'api.context.invitation_expired.error';
const TOO_LARGE = 'api.context.request_body_too_large.app_error';
const DISABLED = 'api.remote_cluster.service_not_enabled.app_error';
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const MIB = 1024 * 1024;

type Headers = Record<string, string>;

/** Calls of peers: docs/contract/secure-connections.md#peer-authentication and the following sections. */
describe('the calls of peers', () => {
  let server: TestServer;
  let peer: ForeignPeer;
  /** On an internal address that is not allowed. */
  let inside: ForeignPeer;
  let connection: PeerConnection;
  let other: PeerConnection;
  let deleted: PeerConnection;

  beforeAll(async () => {
    server = await startPeeringServer();
    peer = await ForeignPeer.start();
    inside = await ForeignPeer.start({ host: '127.0.0.2' });
    connection = await acceptedBy(peer, server);
    other = await acceptedBy(peer, server);
    deleted = await acceptedBy(peer, server);
    await server.admin.delete(`/api/v4/remotecluster/${deleted.remoteId}`);
  });
  afterAll(async () => {
    await server.close();
    await peer.close();
    await inside.close();
  });

  const send = (call: PeerCall, headers: Headers, body: unknown): Promise<PeerAnswer> =>
    post(
      `${server.url}/api/v4/remotecluster/${call}`,
      typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
      headers,
    );
  const headersOf = ({ remoteId, remoteToken }: PeerConnection, token = remoteToken): Headers => ({
    'x-remotecluster-id': remoteId,
    'x-remotecluster-token': token,
  });
  const frame = (of = connection, topic = 'ping', payload: unknown = { sent_at: 1, recv_at: 0 }): any =>
    frameOf(of.remoteId, topic, payload);
  const row = async ({ remoteId }: PeerConnection): Promise<any> => {
    const [found] = await server.app
      .get(DataSource)
      .query('SELECT * FROM remote_clusters WHERE live_id = ?', [remoteId]);
    return found;
  };
  describe.each(CALLS)('%s: authentication', (call) => {
    const invalid: [string, () => Headers, string][] = [
      ['nobody', () => ({}), EXPIRED],
      ['an id alone', () => ({ 'x-remotecluster-id': connection.remoteId }), EXPIRED],
      ['a token alone', () => ({ 'x-remotecluster-token': connection.remoteToken }), NO_ID],
      ['an empty id', () => ({ ...headersOf(connection), 'x-remotecluster-id': '' }), NO_ID],
      ['a wrong token', () => headersOf(connection, peerId()), WRONG_TOKEN],
      ['the token of another connection', () => headersOf(connection, other.remoteToken), WRONG_TOKEN],
      ['the token of the invite', () => headersOf(connection, connection.inviteToken), WRONG_TOKEN],
      ['the token that the server itself sends', () => headersOf(connection, connection.token), WRONG_TOKEN],
      ['the hash of the token', () => headersOf(connection, sha256(connection.remoteToken)), WRONG_TOKEN],
      ['an unknown id', () => ({ ...headersOf(connection), 'x-remotecluster-id': peerId() }), WRONG_TOKEN],
      ['a deleted connection', () => headersOf(deleted), WRONG_TOKEN],
    ];

    it.each(invalid)('refuses %s', async (_, headers, id) => {
      const shown = headers();
      const answer = await send(call, shown, frame());
      expectError(answer, 401, id);
      const token = shown['x-remotecluster-token'];
      if (token) expect(answer.text).not.toContain(token);
    });

    it('refuses an empty token', async () => {
      expect((await send(call, headersOf(connection, ''), frame())).status).toBe(401);
    });

    it.each([
      ['a bearer token', (token: string) => [`Bearer ${token}`, 'authorization']],
      ['a session cookie', (token: string) => [`MMAUTHTOKEN=${token}`, 'cookie']],
      ['an unknown session', () => [`Bearer ${peerId()}`, 'authorization']],
    ])('refuses %s next to valid headers', async (_, credential) => {
      const [value, name] = credential(server.admin.token);
      const answer = await send(call, { ...headersOf(connection), [name!]: value! }, frame());
      expectError(answer, 401, EXPIRED);
    });

    it('checks the token before the frame', async () => {
      expectError(await send(call, headersOf(connection, peerId()), '{'), 401, WRONG_TOKEN);
    });

    it('is switched off with the service, which is visible only to peers', async () => {
      await server.withSettings({ enableRemoteClusters: false }, async () => {
        expectError(await send(call, headersOf(connection), frame()), 501, DISABLED);
        expectError(await send(call, headersOf(connection, peerId()), frame()), 401, WRONG_TOKEN);
        expectError(await send(call, {}, frame()), 401, EXPIRED);
      });
    });
  });

  it.each(['', sha256('')])('never accepts an empty token for the hash %j', async (hash) => {
    const pending = await openedBy(peer, server);
    await server.app
      .get(DataSource)
      .query('UPDATE remote_clusters SET token_hash = ? WHERE live_id = ?', [hash, pending.remoteId]);
    for (const call of CALLS)
      expect((await send(call, headersOf(pending, ''), frame(pending))).status).toBe(401);
  });

  describe.each(CALLS)('%s: frame validation', (call) => {
    type Change = (frame: any) => unknown;
    const wrong: [string, Change, string, string][] = [
      ['no remote_id', (f) => ({ msg: f.msg }), BAD_ID, 'remote_id'],
      ['a long remote_id', (f) => ({ ...f, remote_id: `${f.remote_id}a` }), BAD_ID, 'remote_id'],
      ['no message', (f) => ({ remote_id: f.remote_id }), BAD_ID, 'msg.id'],
      ['a short id', (f) => ({ ...f, msg: { ...f.msg, id: 'x' } }), BAD_ID, 'msg.id'],
      ['an empty topic', (f) => ({ ...f, msg: { ...f.msg, topic: '' } }), BAD_TOPIC, 'topic'],
      ['no payload', (f) => ({ ...f, msg: { ...f.msg, payload: undefined } }), BAD_BODY, 'PayLoad'],
      [
        'the remote_id of another connection',
        (f) => ({ ...f, remote_id: other.remoteId }),
        OTHER_ID,
        'remote_id',
      ],
      ['an invalid message', (f) => ({ ...f, msg: { id: 'x', topic: '' } }), BAD_ID, 'msg.id'],
      ['an invalid topic', (f) => ({ ...f, msg: { id: f.msg.id, topic: '' } }), BAD_TOPIC, 'topic'],
      [
        'no payload for another connection',
        (f) => ({ remote_id: other.remoteId, msg: { ...f.msg, payload: undefined } }),
        BAD_BODY,
        'PayLoad',
      ],
    ];

    it.each(wrong)('refuses %s', async (_, change, id, field) => {
      const before = await row(other);
      expectError(await send(call, headersOf(connection), change(frame())), 400, id, field);
      expect(await row(other)).toEqual(before);
    });

    it.each(['not JSON', '', '{', '[]', '7'])('refuses the body %j', async (body) => {
      expectError(await send(call, headersOf(connection), body), 400, NOT_JSON);
    });

    it.each([
      ['bytes that are not text', Buffer.from([0x7b, 0xff, 0xfe, 0x7d])],
      ['deep nesting', `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`],
      ['numbers instead of texts', { remote_id: 7, msg: { id: 7, topic: 7, payload: {} } }],
    ])('refuses %s', async (_, body) => {
      expect((await send(call, headersOf(connection), body)).status).toBe(400);
    });

    it('refuses more than 1 MiB', async () => {
      const body = JSON.stringify(frame(connection, 'ping', 'x'.repeat(MIB + 4_096)));
      expectError(await send(call, headersOf(connection), body), 413, TOO_LARGE);
    });

    it('uses the last of two keys, for the guard and for the frame', async () => {
      const text = JSON.stringify(frame(connection, 'unknown', null));
      const own = text.replace('{', `{"remote_id":"${other.remoteId}",`);
      expect((await send(call, headersOf(connection), own)).body?.id).not.toBe(OTHER_ID);
      const foreign = text.replace(/\}$/, `,"remote_id":"${other.remoteId}"}`);
      expectError(await send(call, headersOf(connection), foreign), 400, OTHER_ID);
    });

    it('accepts a frame with a charset in its content type, and unknown keys', async () => {
      const body = { ...frame(connection, 'unknown', null), more: 1 };
      const headers = { ...headersOf(connection), 'content-type': 'application/json; charset=utf-8' };
      const answer = await send(call, headers, body);
      // The connection is confirmed, and null is not an invitation: parsing got this far.
      if (call === 'confirm_invite') expectError(answer, 400, BAD_BODY);
      else expect(answer.status).toBe(200);
    });
  });

  describe('ping', () => {
    it('returns when it was sent and received', async () => {
      const sentAt = Date.now();
      const { status, body } = await peer.ping(connection, { sent_at: sentAt, recv_at: 0 });
      expect(status).toBe(200);
      expect(body).toEqual({ sent_at: sentAt, recv_at: expect.any(Number) });
      expect(body.recv_at).toBeGreaterThanOrEqual(sentAt);
      expect(body.recv_at).toBeLessThanOrEqual(Date.now());
    });

    it('does not change the record, even if it is repeated', async () => {
      await eventually(async () => (await recordOf(server, connection)).last_ping_at > 0);
      const before = await row(connection);
      const again = frame();
      for (let i = 0; i < 3; i++) expect((await peer.send(connection, 'ping', again)).status).toBe(200);
      expect(await row(connection)).toEqual(before);
    });

    it.each([
      ['null', null],
      ['an empty object', {}],
      ['a null time', { sent_at: null }],
    ])('treats %s as no time', async (_, payload) => {
      const answer = await peer.ping(connection, payload);
      expect([answer.status, answer.body.sent_at]).toEqual([200, 0]);
    });

    it.each(['text', [], { sent_at: 'now' }, { sent_at: 1.5 }])('refuses the payload %j', async (payload) => {
      const answer = await peer.ping(connection, payload);
      expectError(answer, 400, BAD_BODY);
      expect(answer.body.message).toContain('msg.payload');
    });

    it('is answered for a peer whose invite is not confirmed', async () => {
      const pending = await openedBy(peer, server);
      const answer = await peer.ping(pending, { sent_at: 5, recv_at: 0 }, pending.inviteToken);
      expect([answer.status, answer.body.sent_at]).toEqual([200, 5]);
      expect((await recordOf(server, pending)).site_url).toMatch(/^pending_/);
    });
  });

  describe('msg', () => {
    const topic = (name: string, receive: () => Promise<null>): void =>
      server
        .everywhere(Topics)
        .forEach((topics) => topics.register({ name, parse: (payload) => payload, receive }));

    it.each([null, 'text', { deep: { er: [] } }])(
      'returns OK for an unknown topic with the payload %j',
      async (payload) => {
        const answer = await peer.message(connection, 'nobody_knows_this', payload);
        expect([answer.status, answer.text]).toEqual([200, '{"status":"OK","err":"","payload":null}']);
      },
    );

    it('returns the reason of a listener that refuses', async () => {
      topic('test_refusal', () => Promise.reject(new MessageRefused('Not this channel.')));
      const answer = await peer.message(connection, 'test_refusal', {});
      expect([answer.status, answer.body]).toEqual([
        200,
        { status: 'FAIL', err: 'Not this channel.', payload: null },
      ]);
    });

    it('returns FAIL without internals when a listener throws, and continues', async () => {
      topic('test_break', () => {
        throw new TypeError('secret internal detail');
      });
      for (let i = 0; i < 2; i++) {
        const answer = await peer.message(connection, 'test_break', {});
        expect(answer).toMatchObject({ status: 200, body: { status: 'FAIL', payload: null } });
        expect(await server.metrics()).toMatch(
          /^hookline_peer_messages_total\{direction="received",outcome="refused"\} [1-9]/m,
        );
        expect(answer.body.err).not.toBe('');
        expect(answer.text).not.toContain('inside');
      }
      expect((await peer.ping(connection)).status).toBe(200);
    });

    it('returns 401, as for any later call, when the connection is deleted in the meantime', async () => {
      const doomed = await acceptedBy(peer, server);
      topic('test_deletion', async () => {
        await server.admin.delete(`/api/v4/remotecluster/${doomed.remoteId}`);
        await server.app.get(RemoteClusterRecords).getLive(doomed.remoteId);
        return null;
      });
      expectError(await peer.message(doomed, 'test_deletion', {}), 401, WRONG_TOKEN);
      expectError(await peer.ping(doomed), 401, WRONG_TOKEN);
    });

    it('returns FAIL to a peer whose invite is not confirmed, before any listener', async () => {
      let calls = 0;
      topic('test_count', async () => {
        calls += 1;
        return null;
      });
      const pending = await openedBy(peer, server);
      const answer = await peer.send(
        pending,
        'msg',
        frameOf(pending.remoteId, 'test_count', {}),
        pending.inviteToken,
      );
      expect(answer).toMatchObject({ status: 200, body: { status: 'FAIL', payload: null } });
      expect(answer.body.err).not.toBe('');
      expect(calls).toBe(0);
      expect((await peer.message(connection, 'test_count', {})).body.status).toBe('OK');
      expect(calls).toBe(1);
    });
  });

  describe('confirm_invite', () => {
    const expectWorks = async (of: PeerConnection): Promise<void> => {
      const answer = await peer.confirm(of);
      expect([answer.status, answer.text]).toEqual([200, '{"status":"OK"}']);
      expect((await peer.ping(of)).status).toBe(200);
    };

    it('creates the connection, and changes the tokens', async () => {
      const pending = await openedBy(peer, server);
      expect((await recordOf(server, pending)).site_url).toMatch(/^pending_[a-z0-9]{26}$/);
      const pings = peer.requestsTo('ping', pending.remoteId).length;
      await expectWorks(pending);
      expect(await recordOf(server, pending)).toMatchObject({
        site_url: peer.siteUrl,
        token: '',
        remote_token: '',
        delete_at: 0,
      });
      const ping = await eventually(() => peer.requestsTo('ping', pending.remoteId)[pings]);
      expect(ping.headers['x-remotecluster-token']).toBe(pending.token);
      for (const call of CALLS)
        expectError(
          await send(call, headersOf(pending, pending.inviteToken), frame(pending)),
          401,
          WRONG_TOKEN,
        );
    });

    it('stores no secret in plain text', async () => {
      const pending = await openedBy(peer, server);
      const secrets = [pending.inviteToken, pending.token, pending.remoteToken];
      const waiting = JSON.stringify(await row(pending));
      await expectWorks(pending);
      const confirmed = JSON.stringify(await row(pending));
      for (const secret of secrets) {
        expect(waiting).not.toContain(secret);
        expect(confirmed).not.toContain(secret);
      }
    });

    it('is refused a second time, with the new token and with the old one', async () => {
      const before = await row(connection);
      const payload = { refreshed_token: peerId(), token: peerId(), site_url: 'http://127.0.0.1:1' };
      const stale = await peer.confirm(connection, payload);
      expectError(stale, 401, WRONG_TOKEN);
      const fresh = await peer.confirm({ ...connection, inviteToken: connection.remoteToken }, payload);
      expectError(fresh, 400, REFUSED);
      const { last_ping_at: _before, last_heard_at: _heard, ...unchanged } = before;
      expect(await row(connection)).toMatchObject(unchanged);
      expect((await peer.ping(connection)).status).toBe(200);
    });

    it('is refused for deleted and unknown connections', async () => {
      const pending = await openedBy(peer, server);
      await server.admin.delete(`/api/v4/remotecluster/${pending.remoteId}`);
      expectError(await peer.confirm(pending), 401, WRONG_TOKEN);
      expectError(await peer.confirm({ ...pending, remoteId: peerId() }), 401, WRONG_TOKEN);
    });

    it('refuses a second server with the same invite', async () => {
      const { invite, password } = await buildConnection(server.admin, await mainTeamId(server), {
        name: 'riga',
      });
      const rival = await ForeignPeer.start();
      try {
        const [first, second] = [peer.open(invite, password), rival.open(invite, password)];
        await expectWorks(first);
        expectError(await rival.confirm(second), 401, WRONG_TOKEN);
        expect((await rival.ping(second)).status).toBe(401);
        expect((await recordOf(server, first)).site_url).toBe(peer.siteUrl);
      } finally {
        await rival.close();
      }
    });

    it('racing a deletion leaves it deleted', async () => {
      for (let i = 0; i < 3; i++) {
        const pending = await openedBy(peer, server);
        const [confirmed, removed] = await Promise.all([
          peer.confirm(pending),
          server.admin.delete(`/api/v4/remotecluster/${pending.remoteId}`),
        ]);
        expect(removed.status).toBe(200);
        expect([200, 400, 401]).toContain(confirmed.status);
        expect((await recordOf(server, pending)).delete_at).toBeGreaterThan(0);
        for (const token of [pending.inviteToken, pending.remoteToken])
          expect((await peer.ping(pending, undefined, token)).status).toBe(401);
      }
    });

    describe('with an invalid payload', () => {
      let pending: PeerConnection;
      let second: PeerConnection;
      beforeAll(async () => {
        pending = await openedBy(peer, server);
        second = await openedBy(peer, server);
      });

      /** Nothing changed, nothing was called. */
      const refused = async (
        send: () => Promise<PeerAnswer>,
        id: string,
        field?: string,
      ): Promise<PeerAnswer> => {
        const before = [await row(pending), await row(second)];
        const calls = peer.requests.length;
        const answer = await send();
        expectError(answer, 400, id, field);
        expect([await row(pending), await row(second)]).toEqual(before);
        const told = peer.requests.slice(calls).map(({ headers }) => headers['x-remotecluster-id']);
        expect(told).not.toContain(pending.remoteId);
        return answer;
      };

      it.each([
        ['that of the invite', () => pending.inviteToken],
        ['none', () => undefined],
        ['a short one', () => 'short'],
        ['one with a line break', () => `${peerId().slice(1)}\n`],
        ['that of the other direction', () => pending.token],
      ])('refuses %s as refreshed_token', async (_, token) => {
        await refused(() => peer.confirm(pending, { refreshed_token: token() }), REFUSED);
      });

      it.each([[undefined], [7], [`${'a'.repeat(25)}\n`]])('refuses the token %j', async (token) => {
        await refused(() => peer.confirm(pending, { token }), BAD_BODY, 'msg.payload');
      });

      it.each(['text', [], null])('refuses the payload %j', async (payload) => {
        const body = frameOf(pending.remoteId, 'invitation', payload);
        await refused(
          () => peer.send(pending, 'confirm_invite', body, pending.inviteToken),
          BAD_BODY,
          'msg.payload',
        );
      });

      it('refuses the id of another connection', async () => {
        await refused(() => peer.confirm(pending, { remote_id: second.remoteId }), OTHER_ID);
        await refused(() => peer.confirm(pending, { remote_id: connection.remoteId }), OTHER_ID);
        await refused(() => peer.confirm(pending, { remote_id: peerId() }), OTHER_ID);
      });

      it.each([
        ...[undefined, 7, 'pending_x', '//example.com', 'javascript:alert(1)', 'https://u:secret@h'],
        ...['http://example.com/#x', 'http://example.com\r\nX-Header: 1', 'http://a..b'],
      ])('refuses the site URL %j', async (site) => {
        const answer = await refused(
          () => peer.confirm(pending, { site_url: site }),
          BAD_BODY,
          'msg.payload',
        );
        expect(answer.text).not.toContain('secret');
      });

      it.each([
        ...['127.0.0.2', '169.254.169.254', '0.0.0.0', '2130706434', '127.2', '[::1]', '[fe80::1]'],
        ...['[::ffff:127.0.0.2]', '[64:ff9b::7f00:2]', '127.0.0.2.', '１２７.0.0.2'],
      ])('refuses the internal address %s', async (address) => {
        const sockets = inside.sockets;
        await refused(
          () => peer.confirm(pending, { site_url: `http://${address}:${inside.port}` }),
          BAD_BODY,
          'msg.payload',
        );
        expect(inside.sockets).toBe(sockets);
      });

      it('refuses the names of this machine, where they are not allowed', async () => {
        const strict = await startPeeringServer({ ALLOWED_INTERNAL_HOSTS: '' });
        try {
          const waiting = await openedBy(peer, strict);
          for (const name of ['localhost', 'localhost.', 'a.localhost.', 'LOCALHOST.'])
            expectError(await peer.confirm(waiting, { site_url: `http://${name}:1` }), 400, BAD_BODY);
        } finally {
          await strict.close();
        }
      });

      it("refuses the server's own site URL", async () => {
        await refused(() => peer.confirm(pending, { site_url: server.url }), BAD_BODY, 'msg.payload');
      });

      it('still accepts a valid one afterwards', async () => {
        await expectWorks(pending);
        await expectWorks(second);
      });
    });

    describe('by its age', () => {
      const issuedBefore = async (ageMs: number): Promise<PeerConnection> => {
        const clock = jest.spyOn(server.app.get(Clock), 'now').mockImplementation(() => Date.now() - ageMs);
        try {
          return await openedBy(peer, server);
        } finally {
          clock.mockRestore();
        }
      };

      it('is accepted one minute before 48 hours', async () => {
        await expectWorks(await issuedBefore(48 * HOUR_MS - MINUTE_MS));
      });

      it('is refused one minute after, and nothing changes', async () => {
        const old = await issuedBefore(48 * HOUR_MS + MINUTE_MS);
        const before = await row(old);
        expectError(await peer.confirm(old), 400, TOO_OLD);
        expect(await row(old)).toEqual(before);
      });

      it('counts from the newest invite of the connection', async () => {
        const old = await issuedBefore(72 * HOUR_MS);
        expectError(await peer.confirm(old), 400, TOO_OLD);
        const again = await server.admin.post(`/api/v4/remotecluster/${old.remoteId}/generate_invite`, {
          password: 'another password',
        });
        expect(again.status).toBe(201);
        const renewed = peer.open(again.body, 'another password');
        expect(renewed.inviteToken).toBe(old.inviteToken);
        await expectWorks(renewed);
      });

      it('follows INVITE_TTL', async () => {
        const young = await issuedBefore(2_000);
        await server.withSettings({ inviteTtlMs: 1_000 }, async () => {
          expectError(await peer.confirm(young), 400, TOO_OLD);
        });
        await expectWorks(young);
      });
    });

    it.each([
      ['of a peer below a path', '/chat', ''],
      ['with trailing slashes', '', '//'],
    ])('accepts the site URL %s, and calls it there', async (_, basePath, tail) => {
      const below = await ForeignPeer.start({ basePath });
      try {
        const pending = await openedBy(below, server);
        const answer = await below.confirm(pending, { site_url: `${below.siteUrl}${tail}` });
        expect(answer.status).toBe(200);
        expect((await recordOf(server, pending)).site_url).toBe(below.siteUrl);
        const ping = await eventually(() => below.requestsTo('ping', pending.remoteId)[0]);
        expect(ping.path).toBe(`${basePath}/api/v4/remotecluster/ping`);
        await eventually(async () => (await recordOf(server, pending)).last_ping_at > 0);
      } finally {
        await below.close();
      }
    });
  });

  it('audits confirmations and messages, but not pings', async () => {
    const rows = async (): Promise<any[]> => (await server.admin.get('/audits?per_page=200')).body;
    const before = new Set((await rows()).map(({ id }) => id));
    const pending = await openedBy(peer, server);
    await peer.confirm(pending, { refreshed_token: '' });
    await peer.confirm(pending);
    await peer.ping(pending);
    await peer.message(pending, 'nobody_knows_this', 'private words');
    const fresh = (await rows()).filter(
      ({ id, target }) => !before.has(id) && target.includes(pending.remoteId),
    );
    expect(fresh.map(({ action }) => action).sort()).toEqual([
      'createRemoteCluster',
      'remoteClusterAcceptInvite',
      'remoteClusterAcceptInvite',
      'remoteClusterAcceptMessage',
    ]);
    const message = fresh.find(({ action }) => action === 'remoteClusterAcceptMessage');
    expect(JSON.stringify(message)).toContain('nobody_knows_this');
    expect(JSON.stringify(fresh)).not.toContain('private words');
  });

  it('has created secrets that the search at the end of the file can look for', async () => {
    expect(peer.secrets.size).toBeGreaterThan(30);
    const to = await server.app.get(RemoteClusterRecords).getLive(connection.remoteId);
    const message = { topic: 'test_stored', payload: {}, subjectId: peerId() };
    await server.app.get(PeerMessages).send(to, message);
    const stored = await eventually(async () => {
      const tables = ['deliveries', 'delivery_attempts'];
      const select = (table: string) => server.app.get(DataSource).query(`SELECT * FROM ${table}`);
      const rows: unknown[][] = await Promise.all(tables.map(select));
      return rows.every(({ length }) => length > 0) ? JSON.stringify(rows) : '';
    });
    expect(stored).toContain('test_stored');
    for (const secret of peer.secrets) expect(stored).not.toContain(secret);
  });
});

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
