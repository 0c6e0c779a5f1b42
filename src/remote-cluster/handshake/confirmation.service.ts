import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import { InvalidBodyParam } from '../../platform/common/errors/common-errors.js';
import { RemoteClusterSettings } from '../remote-cluster.settings.js';
import { Settings } from '../../platform/config/settings.js';
import { AddressGuard } from '../../delivery/outbound/address-guard.js';
import { portOf } from '../../delivery/outbound/callable-url.js';
import { RemoteClusterConfirmed } from '../remote-cluster.events.js';
import { type Frame, isObject } from '../peer/frame.js';
import type { RemoteCluster } from '../remote-cluster.entity.js';
import { isPeerUrl, isPlainId, isSameSite, plainHost, trimSiteUrl } from '../remote-cluster.rules.js';
import { RemoteClusterRecords } from '../remote-cluster-records.js';
import { RemoteClusterTokens } from '../remote-cluster.factory.js';
import {
  confirmationExpired,
  confirmationNotPending,
  frameOfOtherConnection,
  refreshedTokenInvalid,
} from '../remote-clusters.errors.js';
import { RemoteClustersRepository } from '../remote-clusters.repository.js';

/** The payload sent by the acceptor. */
interface Payload {
  readonly remoteId: string;
  readonly siteUrl: string;
  readonly token: string;
  readonly refreshedToken: unknown;
}

/** The inviter's side of the handshake (docs/contract/secure-connections.md#confirm-invite). */
@Injectable()
export class ConfirmationService {
  constructor(
    private readonly clusters: RemoteClusterRecords,
    private readonly repository: RemoteClustersRepository,
    private readonly tokens: RemoteClusterTokens,
    private readonly guard: AddressGuard,
    private readonly clock: Clock,
    private readonly settings: RemoteClusterSettings,
    private readonly platform: Settings,
  ) {}

  /**
   * Confirms a pending connection. Succeeds only once, and changes nothing if it throws.
   */
  async confirm(cluster: RemoteCluster, frame: Frame): Promise<void> {
    if (this.clock.now() - cluster.inviteIssuedAt > this.settings.inviteTtlMs) throw confirmationExpired();
    const { remoteId, siteUrl, token, refreshedToken } = this.parse(frame.payload);
    if (remoteId !== frame.remoteId) throw frameOfOtherConnection('msg.payload.remote_id');
    if (cluster.state !== 'pending') throw confirmationNotPending();
    // Without a new token, anyone who has the invite could keep using its token.
    if (
      !isPlainId(refreshedToken) ||
      refreshedToken === token ||
      this.tokens.matches(cluster, refreshedToken)
    )
      throw refreshedTokenInvalid();
    const now = this.clock.now();
    const confirmation = {
      siteUrl: trimSiteUrl(siteUrl),
      tokenHash: this.tokens.hash(refreshedToken),
      sealedRemoteToken: this.tokens.sealRemoteToken(cluster.id, token),
      presenceSince: now,
      lastHeardAt: now,
    };
    const event = new RemoteClusterConfirmed(cluster.remoteId, cluster.id);
    const confirm = (): Promise<boolean> => this.repository.confirm(cluster, confirmation);
    if (!(await this.clusters.write(cluster, confirm, event))) throw confirmationNotPending();
  }

  private parse(payload: unknown): Payload {
    if (!isObject(payload)) throw invalid('it must be an object');
    const { remote_id: remoteId, site_url: siteUrl, token, refreshed_token: refreshedToken } = payload;
    if (!isPlainId(remoteId)) throw invalid('remote_id must be 26 letters and digits');
    if (!isPeerUrl(siteUrl)) throw invalid('site_url must be an http or https URL of a server');
    if (!this.isCallable(siteUrl))
      throw invalid('site_url is an internal address that this server must not call');
    if (this.platform.siteUrl !== undefined && isSameSite(siteUrl, this.platform.siteUrl))
      throw invalid('site_url is that of this server');
    if (!isPlainId(token)) throw invalid('token must be 26 letters and digits');
    return { remoteId, siteUrl, token, refreshedToken };
  }

  /** Checks addresses early so that the acceptor gets an error. Each call resolves and checks names again. */
  private isCallable(siteUrl: string): boolean {
    const { hostname: host, port, protocol } = new URL(siteUrl);
    const hostname = plainHost(host);
    const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
    const address = isLocal ? '127.0.0.1' : hostname;
    return isIP(address) === 0 || this.guard.allows(hostname, address, portOf(protocol, port));
  }
}

function invalid(reason: string): InvalidBodyParam {
  return new InvalidBodyParam('msg.payload', reason);
}
