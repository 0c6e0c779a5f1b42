import { type OperationOptions, StatusOkDto } from '../platform/common/dto/operation.js';
import { CheckedPeerDto } from './dto/checked-peer.dto.js';
import { CreatedRemoteClusterDto, RemoteClusterDto } from './dto/remote-cluster.dto.js';

/** What the API description says of the operations. */
export const DOCS = {
  getRemoteClusters: {
    summary: 'List secure connections, by display name',
    ok: [RemoteClusterDto],
    errors: [501],
  },
  createRemoteCluster: {
    summary: 'Make a secure connection, and the invite for the other server',
    description:
      'Give the invite and its password to the administrator of the other server by different ways; there it is accepted. It can be confirmed for `INVITE_TTL`. `SITE_URL` must be set.',
    created: CreatedRemoteClusterDto,
    errors: [422, 429, 501],
  },
  remoteClusterAcceptInvite: {
    summary: 'Accept the invite of another server',
    description:
      'Calls the other server, which confirms. If it cannot be reached or refuses, the answer is a 500 and nothing is stored. At most 10 attempts a minute for each user.',
    created: RemoteClusterDto,
    errors: [422, 429, 500, 501],
  },
  generateRemoteClusterInvite: {
    summary: 'Make a further invite for a connection that is not confirmed yet',
    description: 'Earlier invites stay valid until one of them is confirmed. The answer is the bare invite.',
    errors: [404, 422, 429, 501],
  },
  checkRemoteCluster: {
    summary: 'Try a secure connection now',
    description:
      'Pings the other server once, as the server does by itself every `PEER_PING_INTERVAL`, and tells when it last called. Six times a minute for each connection.',
    ok: CheckedPeerDto,
    errors: [400, 404, 409, 429, 501],
  },
  getRemoteCluster: {
    summary: 'Get a secure connection, a deleted one too',
    ok: RemoteClusterDto,
    errors: [404, 501],
  },
  patchRemoteCluster: {
    summary: 'Change the display name or the team of a secure connection',
    ok: RemoteClusterDto,
    errors: [404, 501],
  },
  deleteRemoteCluster: {
    summary: 'Delete a secure connection',
    description:
      'Its tokens are dead at once, its channels are not shared with it any more, and what waits for it is cancelled. The other server is not told: it shows the connection as offline until it is deleted there too.',
    ok: StatusOkDto,
    errors: [404, 501],
  },
} satisfies Record<string, OperationOptions>;
