import { EventBus } from '../../src/platform/events/event-bus.js';
import {
  RemoteClusterCameOnline,
  RemoteClusterWentOffline,
} from '../../src/remote-cluster/remote-cluster.events.js';
import type { ForeignPeer, PeerConnection, PeerInvite } from '../fakes/foreign-peer.js';
import { announcedBy } from '../support/announcements.js';
import type { Answer } from '../support/api-client.mjs';
import { rememberKeys } from '../support/invite-keys.js';
import type { TestDatabase } from '../support/test-database.js';
import { eventually, startTestServer, type TestServer } from '../support/test-server.js';
import { buildAdministrator, buildConnection } from './remote-clusters.js';

/** Starts a server that peers on 127.0.0.1 can reach at the address in its invites. */
export async function startPeeringServer(
  env: Record<string, string> = {},
  reuse?: TestDatabase,
): Promise<TestServer> {
  const server = await startTestServer({ ALLOWED_INTERNAL_HOSTS: '127.0.0.1', ...env }, reuse);
  rememberKeys(server);
  Object.assign(server.settings, { siteUrl: server.url }); // the port is not known before
  return server;
}

export async function mainTeamId(server: TestServer): Promise<string> {
  return (await server.admin.get('/teams/name/main')).body.id as string;
}

/** The peer opens an invite of the server without confirming it. */
export async function openedBy(peer: ForeignPeer, server: TestServer): Promise<PeerConnection> {
  const { invite, password } = await buildConnection(server.admin, await mainTeamId(server), {
    name: 'tallinn',
    password: '',
  });
  return peer.open(invite, password);
}

/** The peer accepts an invite of the server. */
export async function acceptedBy(peer: ForeignPeer, server: TestServer): Promise<PeerConnection> {
  const connection = await openedBy(peer, server);
  const answer = await peer.confirm(connection);
  if (answer.status !== 200) throw new Error(`Not confirmed: ${answer.text}`);
  return connection;
}

/** Accepts an invite on the server. When a user reaches the limit of attempts, continues as another one. */
export async function acceptInvite(
  server: TestServer,
  { invite, password }: Pick<PeerInvite, 'invite' | 'password'>,
  fields: Record<string, unknown> = {},
): Promise<Answer> {
  const body = { name: 'porto', default_team_id: await mainTeamId(server), invite, password, ...fields };
  const accept = (): Promise<Answer> =>
    (acceptors.get(server) ?? server.admin).post('/api/v4/remotecluster/accept_invite', body);
  const answer = await accept();
  if (answer.status !== 429) return answer;
  acceptors.set(server, (await buildAdministrator(server)).client);
  return accept();
}
const acceptors = new WeakMap<TestServer, TestServer['admin']>();

/** The server accepts an invite of the peer. */
export async function invitedBy(
  peer: ForeignPeer,
  server: TestServer,
  version: 2 | 3 = 3,
): Promise<PeerConnection> {
  const offer = peer.invite(version);
  const answer = await acceptInvite(server, offer);
  if (answer.status !== 201) throw new Error(`Not accepted: ${answer.text}`);
  return offer.connection;
}

/** The server's record of a connection. */
export async function recordOf(
  server: TestServer,
  { remoteId }: Pick<PeerConnection, 'remoteId'>,
): Promise<any> {
  return (await server.admin.get(`/api/v4/remotecluster/${remoteId}`)).body;
}

/** Makes a connection and waits until it is announced that the peer is online. */
export async function announcedOnline(
  server: TestServer,
  connect: () => Promise<PeerConnection>,
): Promise<PeerConnection> {
  let connection: PeerConnection | undefined;
  await announcedBy(server, [RemoteClusterCameOnline], async (heard) => {
    const { remoteId } = (connection = await connect());
    await eventually(() => heard.some((event) => event.remoteId === remoteId));
  });
  return connection!;
}

/** Records the announcements of a connection, `online` or `offline`, from now on. */
export function presenceOf(server: TestServer, { remoteId }: Pick<PeerConnection, 'remoteId'>): string[] {
  const heard: string[] = [];
  for (const bus of server.everywhere(EventBus)) {
    bus.listen('after commit', RemoteClusterCameOnline, (event) => {
      if (event.remoteId === remoteId) heard.push('online');
    });
    bus.listen('after commit', RemoteClusterWentOffline, (event) => {
      if (event.remoteId === remoteId) heard.push('offline');
    });
  }
  return heard;
}
