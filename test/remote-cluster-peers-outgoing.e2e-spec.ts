import { DataSource } from 'typeorm';
import {
  acceptedBy,
  acceptInvite,
  invitedBy,
  mainTeamId,
  recordOf,
  startPeeringServer,
} from './factories/peers.js';
import { buildConnection } from './factories/remote-clusters.js';
import { type DnsServer, startDnsServer } from './fakes/dns-server.js';
import {
  answers,
  floods,
  ForeignPeer,
  hangs,
  type Misbehaviour,
  pads,
  type PeerConnection,
  type PeerInvite,
  peerId,
  redirects,
  drips,
} from './fakes/foreign-peer.js';
import type { Answer } from './support/api-client.mjs';
import { expectError } from './support/expect-error.js';
import { openText, sealBytes, sealInvite } from './support/invites.js';
import { eventually, type TestServer } from './support/test-server.js';

const NOT_ACCEPTED = 'api.remote_cluster.accept_invitation_error';
const NOT_OPENED = 'api.remote_cluster.invite_decrypt_error';
const ID = /^[A-Za-z0-9]{26}$/;
const OK = '{"status":"OK"}';
const MIB = 1024 * 1024;
const VERSIONS = [2, 3] as const;

/** Calls to peers, and the states of connections: docs/contract/secure-connections.md#handshake */
describe('connections with a foreign peer', () => {
  let server: TestServer;
  let dns: DnsServer;
  let peer: ForeignPeer;
  /** On an internal address that is not allowed. */
  let inside: ForeignPeer;

  beforeAll(async () => {
    dns = await startDnsServer({
      'inside.example': [['127.0.0.2']],
      'both.example': [['127.0.0.1', '127.0.0.2']],
      'rebind.example': [['127.0.0.1'], ['127.0.0.2']],
    });
    server = await startPeeringServer({ DNS_SERVERS: dns.address });
    peer = await ForeignPeer.start();
    inside = await ForeignPeer.start({ host: '127.0.0.2', port: peer.port });
  });
  afterAll(async () => {
    await server.close();
    await peer.close();
    await inside.close();
    dns.close();
  });
  afterEach(() => {
    for (const call of ['ping', 'msg', 'confirm_invite'] as const) peer.misbehave(call);
  });

  const rowsOf = (remoteId: string): Promise<any[]> =>
    server.app.get(DataSource).query('SELECT * FROM remote_clusters WHERE remote_id = ?', [remoteId]);
  const isOnline = (on: TestServer, connection: PeerConnection): Promise<unknown> =>
    eventually(async () => (await recordOf(on, connection)).last_ping_at > 0);

  describe.each(VERSIONS)('an invite of the server in version %i', (version) => {
    const invite = async (): Promise<{ readonly invite: string; readonly password: string }> => {
      const teamId = await mainTeamId(server);
      return server.withSettings({ legacyInvites: version === 2 }, () =>
        buildConnection(server.admin, teamId, { name: 'vilnius', password: '' }),
      );
    };

    it('contains what a peer needs', async () => {
      const made = await invite();
      expect(made.password).toHaveLength(16);
      expect(made.invite).toMatch(/^[A-Za-z0-9_-]+={0,2}$/);
      expect(made.invite.length % 4).toBe(0);
      const { text, kdf } = openText(made.invite, made.password);
      expect(kdf).toBe(version === 2 ? 'scrypt' : 'pbkdf2');
      const { remote_id: remoteId, token } = JSON.parse(text);
      expect(text).toBe(
        `{"remote_id":"${remoteId}","remote_team_id":"","site_url":"${server.url}","token":"${token}","version":${version}}`,
      );
      expect([remoteId, token]).toEqual([expect.stringMatching(ID), expect.stringMatching(ID)]);
    });

    it('is accepted by a peer, whose first ping may have the stale token', async () => {
      const made = await invite();
      const before = peer.sent.length;
      const connection = await peer.accept(made.invite, made.password, 'stale');
      expect(peer.sent.slice(before).map(({ call, status }) => [call, status])).toEqual([
        ['confirm_invite', 200],
        ['ping', 401],
      ]);
      expect((await peer.ping(connection)).status).toBe(200);
      const first = await eventually(() => peer.requestsTo('ping', connection.remoteId)[0]);
      expect(first).toMatchObject({ method: 'POST', path: '/api/v4/remotecluster/ping' });
      await eventually(() => first.status === 200);
      await isOnline(server, connection);
      expect(await recordOf(server, connection)).toMatchObject({
        remote_id: connection.remoteId,
        site_url: peer.siteUrl,
        token: '',
        remote_token: '',
      });
    });
  });

  describe.each(VERSIONS)('an invite of a peer in version %i', (version) => {
    it('is confirmed as a peer expects it, with the record stored before', async () => {
      const offer = peer.invite(version);
      const { connection } = offer;
      const sent = peer.sent.length;
      const answer = await acceptInvite(server, offer, { name: 'Tartu', display_name: '' });
      expect(answer.status).toBe(201);

      const [confirm, ...more] = peer.requestsTo('confirm_invite', connection.remoteId);
      expect(more).toEqual([]);
      expect(confirm!.status).toBe(200);
      expect(confirm!.path).toBe('/api/v4/remotecluster/confirm_invite');
      expect(confirm!.headers).toMatchObject({
        'content-type': 'application/json',
        'x-remotecluster-id': connection.remoteId,
        'x-remotecluster-token': connection.inviteToken,
      });
      expect(confirm!.headers).not.toHaveProperty('authorization');
      expect(confirm!.headers).not.toHaveProperty('cookie');
      expect(confirm!.frame).toEqual({
        remote_id: connection.remoteId,
        msg: {
          id: expect.stringMatching(ID),
          topic: 'invitation',
          create_at: expect.any(Number),
          payload: {
            remote_id: connection.remoteId,
            remote_team_id: '',
            site_url: server.url,
            token: expect.stringMatching(ID),
            refreshed_token: expect.stringMatching(ID),
            version: 3,
          },
        },
      });
      expect(Math.abs(confirm!.frame.msg.create_at - Date.now())).toBeLessThan(60_000);
      const { token, refreshed_token: refreshed } = confirm!.frame.msg.payload;
      expect(new Set([token, refreshed, connection.inviteToken]).size).toBe(3);

      // The peer pinged before it answered.
      expect(peer.sent.slice(sent).map(({ call, status }) => [call, status])).toEqual([['ping', 200]]);
      expect(answer.body).toMatchObject({
        remote_id: connection.remoteId,
        name: 'tartu',
        display_name: 'Tartu',
        site_url: peer.siteUrl,
        token: '',
        remote_token: '',
        delete_at: 0,
      });
    });

    it('creates a connection that works both ways', async () => {
      const connection = await invitedBy(peer, server, version);
      await isOnline(server, connection);
      const ping = peer.requestsTo('ping', connection.remoteId)[0]!;
      expect(ping.status).toBe(200);
      expect(ping.headers['x-remotecluster-token']).toBe(connection.token);
      expect((await peer.ping(connection)).status).toBe(200);
      expect((await peer.message(connection, 'unknown', { a: 1 })).text).toBe(
        '{"status":"OK","err":"","payload":null}',
      );
    });
  });

  it('accepts an invite of 2021, whose token stays', async () => {
    const offer = peer.invite(2, { version: undefined });
    const { connection } = offer;
    // A peer of 2021 does not refresh tokens.
    peer.misbehave('confirm_invite', ({ frame }, response) => {
      Object.assign(connection, { siteUrl: server.url, remoteToken: frame.msg.payload.token });
      response.end(OK);
    });
    expect((await acceptInvite(server, offer)).status).toBe(201);
    const { payload } = peer.requestsTo('confirm_invite', connection.remoteId)[0]!.frame.msg;
    expect(payload).toEqual({
      remote_id: connection.remoteId,
      remote_team_id: '',
      site_url: server.url,
      token: expect.stringMatching(ID),
    });
    await isOnline(server, connection);
    expect((await peer.ping(connection)).status).toBe(200);
  });

  it.each([
    ['below a path', '/chat', ''],
    ['with a trailing slash', '', '/'],
  ])('calls an inviter %s', async (_, basePath, tail) => {
    const below = await ForeignPeer.start({ basePath });
    try {
      const offer = below.invite(3, { site_url: `${below.siteUrl}${tail}` });
      expect((await acceptInvite(server, offer)).status).toBe(201);
      await isOnline(server, offer.connection);
      for (const { path } of below.requests)
        expect(path).toMatch(new RegExp(`^${basePath}/api/v4/remotecluster/(ping|confirm_invite)$`));
    } finally {
      await below.close();
    }
  });

  describe('a failing inviter', () => {
    /** Accepts, fails, leaves nothing. */
    const expectNothingLeft = async (
      offer: PeerInvite,
      accept = (): Promise<Answer> => acceptInvite(server, offer, { name: 'same-name' }),
    ): Promise<Answer> => {
      const { remoteId } = offer.connection;
      const answer = await accept();
      expectError(answer, 500, NOT_ACCEPTED);
      expect(await rowsOf(remoteId)).toEqual([]);
      expect((await server.admin.get(`/api/v4/remotecluster/${remoteId}`)).status).toBe(404);
      for (const secret of [offer.password, offer.invite, offer.connection.inviteToken])
        expect(answer.text).not.toContain(secret);
      return answer;
    };

    const failures: [string, Misbehaviour][] = [
      ...[201, 401, 500].map((status): [string, Misbehaviour] => [`answers ${status}`, answers(status, OK)]),
      ['answers nothing', answers(200)],
      ['answers a list', answers(200, '["OK"]')],
      ['answers FAIL', answers(200, '{"status":"FAIL","err":"no"}')],
      ['answers half of it', answers(200, '{"status":"OK"')],
      ['answers more than 1 MiB', pads(OK, MIB + 1)],
      ['hangs up', (_, response) => void response.destroy()],
    ];
    describe('that is called repeatedly', () => {
      let offer: PeerInvite;
      beforeAll(() => (offer = peer.invite()));

      it.each(failures)('because it %s', async (_, behaviour) => {
        peer.misbehave('confirm_invite', behaviour);
        await expectNothingLeft(offer);
      });

      it('works finally, under the same name', async () => {
        const answer = await acceptInvite(server, offer, { name: 'same-name' });
        expect([answer.status, answer.body.name]).toEqual([201, 'same-name']);
        expect((await peer.ping(offer.connection)).status).toBe(200);
      });
    });

    it('because it never responds, or never ends', () =>
      server.withSettings({ outgoingTimeoutMs: 3_000 }, async () => {
        const [offer, endless] = [peer.invite(2), peer.invite(2)];
        peer.misbehave('confirm_invite', (request, response, properly) =>
          (request.headers['x-remotecluster-id'] === endless.connection.remoteId ? drips : hangs)(
            request,
            response,
            properly,
          ),
        );
        const accepting = acceptInvite(server, offer);
        const dripping = acceptInvite(server, endless, { name: 'endless' });
        // Until then it exists, because the inviter may ping, and it cannot be accepted twice.
        await eventually(() => peer.requestsTo('confirm_invite', offer.connection.remoteId)[0]);
        expect(await rowsOf(offer.connection.remoteId)).toHaveLength(1);
        expectError(await acceptInvite(server, offer, { name: 'other' }), 400, NOT_ACCEPTED);
        await expectNothingLeft(offer, () => accepting);
        await expectNothingLeft(endless, () => dripping);
      }));

    it('because it responds endlessly, only a little of which is read', async () => {
      const { behaviour, taken } = floods(OK);
      peer.misbehave('confirm_invite', behaviour);
      await expectNothingLeft(peer.invite(2));
      expect(await taken()).toBeLessThan(16 * MIB);
    });

    it('because it redirects, which is not followed', async () => {
      const elsewhere = await ForeignPeer.start();
      peer.misbehave('confirm_invite', redirects(elsewhere.siteUrl, 307));
      await expectNothingLeft(peer.invite(2));
      expect(elsewhere.sockets).toBe(0);
      await elsewhere.close();
    });

    it('because it is not reachable', async () => {
      const gone = await ForeignPeer.start();
      const offer = gone.invite(2);
      await gone.close();
      await expectNothingLeft(offer);
    });

    it('and rolls back when the response was lost', async () => {
      peer.misbehave('confirm_invite', async (_, response, properly) => {
        response.end = (() => response.destroy()) as never;
        await properly();
      });
      const offer = peer.invite(2);
      await expectNothingLeft(offer);
      expect(offer.connection.remoteToken).toMatch(ID);
      expect((await peer.ping(offer.connection)).status).toBe(401);
    });

    it('and fails when an administrator has deleted it in the meantime', async () => {
      const offer = peer.invite(2);
      peer.misbehave('confirm_invite', async (_request, _response, properly) => {
        await server.admin.delete(`/api/v4/remotecluster/${offer.connection.remoteId}`);
        await properly();
      });
      const answer = await acceptInvite(server, offer);
      expectError(answer, 500, NOT_ACCEPTED);
      expect((await peer.ping(offer.connection)).status).toBe(401);
      expect(peer.requestsTo('ping', offer.connection.remoteId)).toEqual([]);
    });

    it.each([...['127.0.0.2', '[::ffff:127.0.0.2]', 'inside.example', 'both.example']])(
      'because it claims to be at %s',
      async (host) => {
        const offer = inside.invite(2, { site_url: `http://${host}:${inside.port}` });
        await expectNothingLeft(offer);
        expect(inside.sockets).toBe(0);
      },
    );
  });

  it('does not follow a name that moves to an internal address', async () => {
    peer.misbehave('confirm_invite', async (_, response, properly) => {
      response.shouldKeepAlive = false;
      await properly();
    });
    const failedPings = async (): Promise<number> => {
      const { text } = await server.anonymous.get('/metrics');
      return Number(/^hookline_peer_pings_total\{outcome="failed"\} (\d+)$/m.exec(text)?.[1] ?? 0);
    };
    const failedBefore = await failedPings();
    const offer = peer.invite(2, { site_url: `http://rebind.example:${peer.port}` });
    expect((await acceptInvite(server, offer)).status).toBe(201);
    const { remoteId } = offer.connection;
    await eventually(async () => (await failedPings()) > failedBefore);
    expect(dns.asked('rebind.example')).toBeGreaterThan(1);
    expect(inside.sockets).toBe(0);
    expect(peer.requestsTo('ping', remoteId)).toEqual([]);
    expect((await recordOf(server, offer.connection)).last_ping_at).toBe(0);
  });

  describe('an invalid invite', () => {
    const accept = async (offer: Pick<PeerInvite, 'invite' | 'password'>): Promise<Answer> => {
      const [calls, rows] = [peer.requestsTo('confirm_invite').length, await count()];
      const answer = await acceptInvite(server, offer);
      expect(peer.requestsTo('confirm_invite').length).toBe(calls);
      expect(await count()).toBe(rows);
      return answer;
    };
    const count = async (): Promise<unknown> =>
      (await server.app.get(DataSource).query('SELECT COUNT(*) AS n FROM remote_clusters'))[0].n;

    it.each([
      ['remote_id', `${'a'.repeat(25)}-`],
      ['token', 'a\r\nX-Header: 1'],
      ['site_url', 'http://u:p@127.0.0.1'],
    ])('because of its %s %j', async (key, value) => {
      const offer = peer.invite(2, { [key]: value });
      const answer = await accept(offer);
      expectError(answer, 400, /invite_decrypt_error|model\.remote_cluster_invite\.is_valid\./);
    });

    it('because it decrypts to no JSON', async () => {
      const invite = sealBytes(Buffer.from('{"remote_id":'), 'p', 2);
      expectError(await accept({ invite, password: 'p' }), 400, NOT_OPENED);
    });

    it('because it is one of this server', async () => {
      const teamId = await mainTeamId(server);
      const made = await buildConnection(server.admin, teamId);
      expectError(await accept(made), 400, NOT_ACCEPTED);
      const own = { remote_id: peerId(), remote_team_id: '', token: peerId(), version: 3 };
      const invite = sealInvite({ ...own, site_url: `${server.url}/` }, 'p', 2);
      expectError(await accept({ invite, password: 'p' }), 400, NOT_ACCEPTED);
    });

    it('because it was accepted already, and the working connection stays', async () => {
      const offer = peer.invite(2);
      expect((await acceptInvite(server, offer)).status).toBe(201);
      await isOnline(server, offer.connection);
      const before = await rowsOf(offer.connection.remoteId);
      const answer = await acceptInvite(server, offer, { name: 'another-name' });
      expectError(answer, 400, NOT_ACCEPTED);
      expect(await rowsOf(offer.connection.remoteId)).toEqual(before);
      expect(peer.requestsTo('confirm_invite', offer.connection.remoteId)).toHaveLength(1);
      expect((await peer.ping(offer.connection)).status).toBe(200);
    });

    it('accepted by two at once: one succeeds, and works', async () => {
      const offer = peer.invite(2);
      const both = await Promise.all([
        acceptInvite(server, offer, { name: 'one' }),
        acceptInvite(server, offer, { name: 'two' }),
      ]);
      expect(both.map(({ status }) => status).sort()).toEqual([201, 400]);
      expect(await rowsOf(offer.connection.remoteId)).toHaveLength(1);
      expect((await peer.ping(offer.connection)).status).toBe(200);
    });
  });

  describe('after a deletion', () => {
    it('here, the peer is neither accepted nor called', async () => {
      const connection = await acceptedBy(peer, server);
      await isOnline(server, connection);
      expect((await server.admin.delete(`/api/v4/remotecluster/${connection.remoteId}`)).status).toBe(200);
      expect((await peer.ping(connection)).status).toBe(401);
      expect((await peer.message(connection, 'unknown', null)).status).toBe(401);
    });

    it('on both sides, a new connection of the same servers works', async () => {
      const old = await invitedBy(peer, server);
      await server.admin.delete(`/api/v4/remotecluster/${old.remoteId}`);
      old.isDeleted = true;
      const made = [await invitedBy(peer, server), await acceptedBy(peer, server)];
      for (const connection of made) {
        expect(connection.remoteId).not.toBe(old.remoteId);
        await isOnline(server, connection);
        expect((await peer.ping(connection)).status).toBe(200);
      }
      expect((await peer.ping(old)).status).toBe(401);
    });

    it('here alone, the same id can come again from the peer, and the old record stays deleted', async () => {
      const offer = peer.invite();
      expect((await acceptInvite(server, offer)).status).toBe(201);
      const { connection } = offer;
      const oldToken = connection.remoteToken;
      await server.admin.delete(`/api/v4/remotecluster/${connection.remoteId}`);
      Object.assign(connection, { siteUrl: '', token: connection.inviteToken });
      expect((await acceptInvite(server, offer)).status).toBe(201);
      expect((await recordOf(server, connection)).delete_at).toBe(0);
      expect((await peer.ping(connection)).status).toBe(200);
      expect((await peer.ping(connection, undefined, oldToken)).status).toBe(401);
    });
  });

  it('has created secrets that the search at the end of the file can look for', () => {
    expect(peer.secrets.size).toBeGreaterThan(30);
  });
});
