import {
  applyDecorators,
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  UseGuards,
} from '@nestjs/common';
import { RemoteClusterSettings } from '../remote-cluster.settings.js';
import {
  frameOfOtherConnection,
  peerIdMissing,
  peerTokenInvalid,
  remoteClustersDisabled,
} from '../remote-clusters.errors.js';
import { definePermissions, GuardedBy } from '../../platform/access/access.js';
import { ApiBody, ApiHeader } from '@nestjs/swagger';
import { presentedToken } from '../../messaging/auth/presented-token.js';
import { sessionExpired } from '../../platform/common/errors/common-errors.js';
import type { HttpRequest } from '../../platform/common/http/http-request.js';
import type { RemoteCluster } from '../remote-cluster.entity.js';
import { isPlainId } from '../remote-cluster.rules.js';
import { RemoteClusterRecords } from '../remote-cluster-records.js';
import { RemoteClusterTokens } from '../remote-cluster-tokens.js';
import { PeerPresence } from '../pings/peer-presence.js';
import { documented } from '../../platform/common/dto/documented-param.js';
import { noteReceived } from '../../platform/common/dto/unknown-fields.js';
import { FrameDto } from '../dto/remote-cluster.dto.js';
import { type Frame, parseFrame } from './frame.js';

/**
 * Answers 501 while ENABLE_REMOTE_CLUSTERS is false. Runs after the permission check and before the body is read
 * (docs/contract/secure-connections.md#administration).
 */
@Injectable()
export class RemoteClustersEnabledGuard implements CanActivate {
  constructor(private readonly settings: RemoteClusterSettings) {}

  canActivate(): boolean {
    if (!this.settings.enableRemoteClusters) throw remoteClustersDisabled();
    return true;
  }
}

export const RemoteClusterPermission = definePermissions({
  ManageSecureConnections: ['manage_secure_connections'],
});

export const REMOTE_ID_HEADER = 'X-RemoteCluster-Id';
export const REMOTE_TOKEN_HEADER = 'X-RemoteCluster-Token';

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
    private readonly presence: PeerPresence,
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
    if (cluster.state !== 'pending') this.presence.noteCall(cluster); // an invite alone does not make a peer
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
      description: 'The token by which this server knows the peer.',
    }),
  );

export const CurrentPeer = createParamDecorator(
  (_: unknown, context: ExecutionContext): RemoteCluster =>
    context.switchToHttp().getRequest<PeerRequest>().peer,
);

const readFrame = createParamDecorator((_: unknown, context: ExecutionContext): Frame => {
  const { peer, body } = context.switchToHttp().getRequest<PeerRequest>();
  noteReceived(body, { remote_id: peer.remoteId });
  const frame = parseFrame(body);
  noteReceived(body, { remote_id: frame.remoteId, msg: { id: frame.id, topic: frame.topic } });
  if (frame.remoteId !== peer.remoteId) throw frameOfOtherConnection('remote_id');
  return frame;
});

/** The frame in the body; its connection must match the headers. */
export const PeerFrame = (): ParameterDecorator => documented(readFrame(), ApiBody({ type: FrameDto }));
