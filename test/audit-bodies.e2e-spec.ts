import { DataSource } from 'typeorm';
import { Audit } from '../src/platform/audit/audit.entity.js';
import { secretHash } from '../src/platform/audit/audit.service.js';
import { newId } from '../src/platform/common/ids.js';
import { buildMember, buildTeam, type BuiltTeam } from './factories/incoming-hooks.js';
import { acceptedBy, openedBy, startPeeringServer } from './factories/peers.js';
import { buildAdministrator } from './factories/remote-clusters.js';
import { buildUser, newAccount } from './factories/users.js';
import { ForeignPeer, frameOf, type PeerConnection } from './fakes/foreign-peer.js';
import { Receiver } from './fakes/receiver.js';
import type { ApiClient } from './support/api-client.mjs';
import { auditedCalls, isChecked, type AuditedCall as Call } from './support/module-access.js';
import { routesOf } from './support/routes.js';
import type { TestServer } from './support/test-server.js';

const BODIES: Record<string, (body: unknown) => string> = {
  plain: (body) => JSON.stringify(body),
  'after a byte order mark': (body) => `\ufeff${JSON.stringify(body)}`,
  'with text behind it': (body) => `${JSON.stringify(body)}\n{"token_id":"`,
  'with keys in upper case': (body) => JSON.stringify(inUpperCase(body)),
};
/** Frames of peers: their keys are case-sensitive. */
const EXACT = new Set(['POST /remotecluster/msg', 'POST /remotecluster/confirm_invite']);

let server: TestServer;
let peer: ForeignPeer;
let receiver: Receiver;
let connection: PeerConnection;
let team: BuiltTeam;

beforeAll(async () => {
  server = await startPeeringServer();
  peer = await ForeignPeer.start();
  receiver = await Receiver.start();
  connection = await acceptedBy(peer, server);
  team = await buildTeam(server.admin);
});
afterAll(async () => {
  await server.close();
  await peer.close();
  await receiver.close();
});

const name = (): string => `n${newId().slice(0, 14)}`;
const userId = async (fields = {}): Promise<string> => (await buildUser(server, fields)).id;
const memberId = async (): Promise<string> => (await buildMember(server, [team.id])).id;
const answered = async (method: string, path: string, body?: unknown): Promise<any> =>
  server.admin.call(method, path, body);
const tokenId = async (): Promise<string> =>
  (await answered('POST', `/users/${await userId()}/tokens`, { description: 'x' })).id;
const peerHeaders = ({ remoteId, remoteToken }: PeerConnection): Record<string, string> => ({
  'x-remotecluster-id': remoteId,
  'x-remotecluster-token': remoteToken,
});

/** Every audited route whose body or response names its target. */
const CALLS: Record<string, () => Promise<Call> | Call> = {
  ...auditedCalls(() => ({ server, teamId: team.id })),
  'POST /hooks/incoming': () => ({
    path: '/hooks/incoming',
    body: { channel_id: team.channelId },
    target: ({ id }) => secretHash(id),
  }),
  'POST /hooks/outgoing': () => ({
    path: '/hooks/outgoing',
    body: {
      ...{ team_id: team.id, display_name: 'Out', trigger_words: [name()] },
      callback_urls: [receiver.url('/')],
    },
  }),
  'POST /hooks/outgoing/endpoints/deliveries/retry': () => ({
    path: '/hooks/outgoing/endpoints/deliveries/retry',
    body: { filter: { endpoint: 'https://nobody.example' }, dry_run: true },
    target: '',
  }),
  'POST /hooks/outgoing/deliveries/retry': () => ({
    path: '/hooks/outgoing/deliveries/retry',
    body: { ids: [newId(), newId()] },
    target: '',
  }),
  'POST /remotecluster': () => ({
    path: '/remotecluster',
    body: { name: name(), default_team_id: team.id, password: 'long enough words' },
    target: ({ remote_cluster }) => remote_cluster.remote_id,
  }),
  'POST /remotecluster/accept_invite': async () => {
    const { invite, password } = peer.invite(3);
    const { client } = await buildAdministrator(server);
    const body = { name: name(), default_team_id: team.id, invite, password };
    return { path: '/remotecluster/accept_invite', body, client, target: ({ remote_id }) => remote_id };
  },
  'POST /remotecluster/msg': () => ({
    path: '/remotecluster/msg',
    body: frameOf(connection.remoteId, 'unknown_topic', { some: 'payload' }),
    client: server.anonymous,
    headers: peerHeaders(connection),
    target: connection.remoteId,
  }),
  'POST /remotecluster/confirm_invite': async () => {
    const pending = await openedBy(peer, server);
    return {
      path: '/remotecluster/confirm_invite',
      // Refused for its payload: the row is written nevertheless.
      body: frameOf(pending.remoteId, 'invitation', { token: newId() }),
      client: server.anonymous,
      headers: { ...peerHeaders(pending), 'x-remotecluster-token': pending.inviteToken },
      target: pending.remoteId,
    };
  },
  'POST /teams': () => ({ path: '/teams', body: { name: name(), display_name: 'New', type: 'O' } }),
  'POST /teams/:team_id/members': async () => {
    const user_id = await userId();
    const body = { team_id: team.id, user_id };
    return { path: `/teams/${team.id}/members`, body, target: `${team.id}/${user_id}` };
  },
  'POST /channels': () => ({
    path: '/channels',
    body: { team_id: team.id, name: name(), display_name: 'New', type: 'O' },
  }),
  'POST /channels/:channel_id/members': async () => {
    const user_id = await memberId();
    const path = `/channels/${team.channelId}/members`;
    return { path, body: { user_id }, target: `${team.channelId}/${user_id}` };
  },
  'POST /users': () => ({ path: '/users', body: newAccount() }),
  'POST /users/:user_id/sessions/revoke': async () => {
    const { id } = await buildUser(server);
    const [session] = await answered('GET', `/users/${id}/sessions`);
    const path = `/users/${id}/sessions/revoke`;
    return { path, body: { session_id: session.id }, target: `${id}/${session.id}` };
  },
  'POST /users/tokens/revoke': async () => {
    const id = await tokenId();
    return { path: '/users/tokens/revoke', body: { token_id: id }, target: id };
  },
  'POST /users/tokens/disable': async () => {
    const id = await tokenId();
    return { path: '/users/tokens/disable', body: { token_id: id }, target: id };
  },
  'POST /users/tokens/enable': async () => {
    const id = await tokenId();
    return { path: '/users/tokens/enable', body: { token_id: id }, target: id };
  },
  'POST /bots': () => ({ path: '/bots', body: { username: name() }, target: ({ user_id }) => user_id }),
};

const rowOf = async (requestId: unknown): Promise<Audit | null> =>
  server.app
    .get(DataSource)
    .getRepository(Audit)
    .findOneBy({ requestId: String(requestId) });

async function call(method: string, made: Call, raw: string): Promise<{ answer: any; row: Audit }> {
  const client = made.client ?? server.admin;
  const answer = await client.send(method, made.path, undefined, {
    raw,
    headers: { 'content-type': 'application/json', ...made.headers },
  });
  const row = await rowOf(answer.headers['x-request-id']);
  if (!row) throw new Error(`No row of ${method} ${made.path}, which answered ${answer.status}.`);
  return { answer, row };
}

describe('the audit row', () => {
  it('is listed here for every route whose path does not name the target', async () => {
    const { paths } = (await server.anonymous.get('/openapi.json')).body;
    const named = routesOf(server).filter(({ method, path, audited, auditTarget }) => {
      if (!audited || auditTarget?.split('/').every((name) => path.includes(`:${name}`))) return false;
      const documented = paths[`/api/v4${path.replace(/:(\w+)/g, '{$1}')}`][method.toLowerCase()];
      return documented.requestBody !== undefined;
    });
    expect(named.length).toBeGreaterThan(15);
    expect(Object.keys(CALLS)).toEqual(
      expect.arrayContaining(named.map(({ method, path }) => `${method} ${path}`)),
    );
  });

  for (const route of Object.keys(CALLS).filter(isChecked))
    it(`of ${route} is the same however the body is written`, async () => {
      const method = route.split(' ')[0]!;
      const kept: unknown[] = [];
      for (const [style, write] of Object.entries(BODIES)) {
        if (style.includes('upper case') && EXACT.has(route)) continue;
        const made = await CALLS[route]!();
        const { answer, row } = await call(method, made, write(made.body));
        if (route !== 'POST /remotecluster/confirm_invite')
          expect([style, answer.status < 300 ? '' : answer.text]).toEqual([style, '']);
        const expected =
          typeof made.target === 'string' ? made.target : (made.target ?? (({ id }) => id))(answer.body);
        expect([style, row.target]).toEqual([style, expected]);
        kept.push(Object.keys(JSON.parse(row.parameters || '{}')));
      }
      expect([...new Set(kept.map((names) => JSON.stringify(names)))]).toHaveLength(1);
    });
});

function inUpperCase(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(inUpperCase);
  if (typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [key.toUpperCase(), value]));
}

describe('the audit row of a call with many targets', () => {
  const rowAfter = async (
    send: (client: ApiClient) => Promise<{ headers: any }>,
    client = server.admin,
  ): Promise<any> => {
    const { headers } = await send(client);
    const { body } = await server.admin.get('/audits?per_page=50');
    return body.find(({ request_id }: any) => request_id === headers['x-request-id']);
  };

  it('lists the users that are added to a team, even if they are refused', async () => {
    const ids = [await userId(), await userId()];
    const members = ids.map((user_id) => ({ team_id: team.id, user_id }));
    const path = `/teams/${team.id}/members/batch`;
    const stranger = await buildUser(server);
    for (const [query, client, status] of [
      ['', stranger.client, 403],
      ['', server.admin, 201],
      ['?graceful=true', server.admin, 201],
    ] as const) {
      const row = await rowAfter((by) => by.post(`${path}${query}`, members), client);
      expect(row).toMatchObject({ action: 'add_team_members', target: team.id, status_code: status });
      expect(row.parameters).toEqual({ user_ids: ids, total: 2 });
    }
  });

  it('lists only the users that are added to a channel', async () => {
    const ids = [await memberId(), await memberId()];
    const path = `/channels/${team.channelId}/members`;
    const row = await rowAfter((by) => by.post(path, { user_ids: ids, user_id: server.adminId }));
    expect(row).toMatchObject({ action: 'add_channel_member', target: team.channelId, status_code: 201 });
    expect(row.parameters).toEqual({ user_ids: ids, total: 2 });
  });

  it('lists 100 deliveries and their number', async () => {
    const ids = Array.from({ length: 150 }, newId);
    const row = await rowAfter((by) =>
      by.post('/hooks/outgoing/deliveries/retry', { ids: [...ids, ...ids.slice(0, 10)] }),
    );
    expect(row.parameters).toEqual({
      ...{ ids: ids.slice(0, 100), total: 150 },
      ...{ retried_count: 0, refused_count: 150 },
    });
  });
});
