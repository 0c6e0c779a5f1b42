import {
  applyDecorators,
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  UseGuards,
} from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { presentedToken } from '../../messaging/auth/presented-token.js';
import { sessionExpired } from '../../platform/common/errors/common-errors.js';
import type { HttpRequest } from '../../platform/common/http/http-request.js';
import { GuardedBy } from '../../platform/access/access.js';
import type { RemoteCluster } from '../remote-cluster.entity.js';
import { isPlainId } from '../remote-cluster.rules.js';
import { RemoteClusterRecords } from '../remote-cluster-records.js';
import { RemoteClusterTokens } from '../remote-cluster.factory.js';
import { peerIdMissing, peerTokenInvalid } from '../remote-clusters.errors.js';
import { RemoteClustersEnabledGuard } from '../remote-clusters-enabled.guard.js';
import { PeerCalls } from './peer-calls.js';

export const REMOTE_ID_HEADER = 'X-RemoteCluster-Id';
export const REMOTE_TOKEN_HEADER = 'X-RemoteCluster-Token';

/** A request authenticated by the guard. */
export interface PeerRequest extends HttpRequest {
  peer: RemoteCluster;
}

/** A hash that matches no token; comparing with it gives unknown connections the timing of known ones. */
const UNKNOWN = { tokenHash: '0'.repeat(64) };

/** Authenticates the peer of a live connection (docs/contract/secure-connections.md#peer-authentication). */
@Injectable()
export class RemotePeerGuard implements CanActivate {
  constructor(
    private readonly clusters: RemoteClusterRecords,
    private readonly tokens: RemoteClusterTokens,
    private readonly calls: PeerCalls,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<PeerRequest>();
    const id = request.get(REMOTE_ID_HEADER) ?? '';
    const token = request.get(REMOTE_TOKEN_HEADER) ?? '';
    if (presentedToken(request.headers, request.url) || token === '') throw sessionExpired();
    if (id === '') throw peerIdMissing();
    const cluster = isPlainId(id) ? await this.clusters.findLive(id) : null;
    if (!this.tokens.matches(cluster ?? UNKNOWN, token) || !cluster) throw peerTokenInvalid();
    request.peer = cluster;
    if (cluster.state !== 'pending') this.calls.note(cluster); // an invite alone does not make a peer
    return true;
  }
}

/** Restricts a route to the peers of secure connections. */
export const RemotePeer = (): MethodDecorator & ClassDecorator =>
  applyDecorators(
    GuardedBy('the peer of a secure connection', RemotePeerGuard),
    UseGuards(RemoteClustersEnabledGuard),
    ApiHeader({ name: REMOTE_ID_HEADER, required: true, description: 'The connection.' }),
    ApiHeader({
      name: REMOTE_TOKEN_HEADER,
      required: true,
      description: 'The token this server knows the peer by.',
    }),
  );

/** The connection of the calling peer. */
export const CurrentPeer = createParamDecorator(
  (_: unknown, context: ExecutionContext): RemoteCluster =>
    context.switchToHttp().getRequest<PeerRequest>().peer,
);
