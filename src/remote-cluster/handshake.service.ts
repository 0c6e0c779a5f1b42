import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { type SharedCount, SharedCounts } from '../platform/scaling/shared-counts.js';
import {
  acceptanceFailed,
  confirmationExpired,
  confirmationNotPending,
  frameOfOtherConnection,
  inviteKnown,
  inviteOfOtherServer,
  inviteOfThisServer,
  peerTokenInvalid,
  refreshedTokenInvalid,
  tooManyInvites,
} from './remote-clusters.errors.js';
import { AuditService } from '../platform/audit/audit.service.js';
import { stackOf } from '../platform/common/errors/stack-of.js';
import { Clock } from '../platform/common/clock.js';
import { InvalidBodyParam } from '../platform/common/errors/common-errors.js';
import { newId } from '../platform/common/ids.js';
import { Settings } from '../platform/config/settings.js';
import type { JsonObject } from '../platform/common/json.js';
import { isDuplicateKey } from '../platform/database/database-errors.js';
import { OwnerLock } from '../platform/database/owner-lock.js';
import type { Actor } from '../messaging/permissions/actor.js';
import { TeamsService } from '../messaging/teams/teams.service.js';
import { recordOf } from './dto/remote-cluster.dto.js';
import type { AcceptInviteDto } from './dto/write-remote-cluster.dto.js';
import { RemoteClusterConfirmed } from './remote-cluster.events.js';
import { hasTokenRefresh, type Invite, InviteCodec, parseInvite, requirePassword } from './invite.js';
import { type Frame, isObject, newFrame } from './peer/frame.js';
import { PeerClient, PeerFailure } from './peer/peer-client.js';
import type { RemoteCluster } from './remote-cluster.entity.js';
import { RemoteClusterTokens } from './remote-cluster-tokens.js';
import { RemoteClusterRecords } from './remote-cluster-records.js';
import { RemoteClustersRepository } from './remote-clusters.repository.js';
import {
  isPeerUrl,
  isPlainId,
  isSameSite,
  plainHost,
  requireOwnSiteUrl,
  trimSiteUrl,
} from './remote-cluster.rules.js';
import { isIP } from 'node:net';
import { RemoteClusterSettings } from './remote-cluster.settings.js';
import { AddressGuard } from '../delivery/outbound/address-guard.js';
import { portOf } from '../delivery/outbound/callable-url.js';

const ATTEMPTS = { max: 10, windowMs: 60_000 };
const MAX_CALLERS = 1_000;
const CONFIRM_TIMEOUT_MS = 15_000;
const PAYLOAD_VERSION = 3;
/** An acceptance that takes longer than this was interrupted. */
const MAX_ACCEPTANCE_MS = 60_000;

/** The acceptor's side of the handshake (docs/contract/secure-connections.md#handshake). */
@Injectable()
export class AcceptanceService implements OnApplicationBootstrap {
  private readonly logger = new Logger(AcceptanceService.name);
  private readonly attempts: SharedCount;

  constructor(
    private readonly clusters: RemoteClusterRecords,
    private readonly repository: RemoteClustersRepository,
    private readonly tokens: RemoteClusterTokens,
    private readonly codec: InviteCodec,
    private readonly peers: PeerClient,
    private readonly teams: TeamsService,
    private readonly audit: AuditService,
    private readonly clock: Clock,
    private readonly ownerLock: OwnerLock,
    private readonly platform: Settings,
    counts: SharedCounts,
  ) {
    this.attempts = counts.open('invites', MAX_CALLERS);
  }

  /**
   * Removes connections whose acceptance was interrupted by a crash; the caller can try again. If other
   * processes may be working on some, `save` removes the stale ones later.
   */
  async onApplicationBootstrap(): Promise<void> {
    const isAlone = this.ownerLock.slot === undefined;
    const before = isAlone ? Number.MAX_SAFE_INTEGER : this.clock.now() - MAX_ACCEPTANCE_MS;
    const removed = await this.repository.removeAllUnaccepted(before);
    if (removed > 0)
      this.logger.warn(`Removed ${removed} secure connections whose acceptance was interrupted.`);
  }

  /**
   * Stores the connection before calling the inviter, which may ping this server before it answers. On
   * failure, removes exactly this row. Throws `acceptanceFailed`, or an error about the input.
   */
  async accept(actor: Actor, input: AcceptInviteDto): Promise<RemoteCluster> {
    await this.requireTeam(input.default_team_id);
    const invite = await this.open(actor, input);
    const ownSiteUrl = requireOwnSiteUrl(this.platform);
    const token = newId();
    const remoteToken = hasTokenRefresh(invite) ? newId() : invite.token;
    const id = newId();
    const cluster = await this.clusters.build(actor, input, {
      id,
      remoteId: invite.remoteId,
      state: 'confirming',
      siteUrl: trimSiteUrl(invite.siteUrl),
      ownSiteUrl,
      tokenHash: this.tokens.hash(token),
      sealedToken: '',
      sealedRemoteToken: this.tokens.sealRemoteToken(id, remoteToken),
    });
    if (isSameSite(cluster.siteUrl, ownSiteUrl)) throw inviteOfThisServer();
    await this.save(cluster);
    try {
      await this.confirm(invite, {
        remote_id: invite.remoteId,
        remote_team_id: '',
        site_url: ownSiteUrl,
        token,
        ...(hasTokenRefresh(invite) ? { refreshed_token: remoteToken, version: PAYLOAD_VERSION } : {}),
      });
      return await this.finish(cluster);
    } catch (error) {
      await this.remove(cluster);
      throw error;
    }
  }

  private async requireTeam(teamId: string): Promise<void> {
    if (teamId === '') throw new InvalidBodyParam('remoteCluster.default_team_id');
    const team = await this.teams.find(teamId);
    if (!team || team.deleteAt > 0)
      throw new InvalidBodyParam('remoteCluster.default_team_id', 'the team does not exist');
  }

  /** Limits attempts, because each costs up to two key derivations and may guess the password. */
  private async open({ userId }: Actor, input: AcceptInviteDto): Promise<Invite> {
    const password = requirePassword(input.password);
    const now = this.clock.now();
    const waitMs = this.attempts.waitMs(userId, ATTEMPTS, now);
    if (waitMs > 0) throw tooManyInvites(Math.ceil(waitMs / 1000));
    this.attempts.note(userId, ATTEMPTS, now);
    return parseInvite(await this.codec.open(input.invite, password));
  }

  private async save(cluster: RemoteCluster): Promise<void> {
    const taken = inviteKnown();
    let known = await this.repository.find(cluster.remoteId);
    if (known?.state === 'confirming' && known.createAt < this.clock.now() - MAX_ACCEPTANCE_MS) {
      await this.remove(known);
      known = await this.repository.find(cluster.remoteId);
    }
    if (known?.deleteAt === 0) throw taken;
    // Otherwise this peer would take over everything that came over the earlier connection.
    if (known && known.siteUrl !== cluster.siteUrl) throw inviteOfOtherServer();
    try {
      await this.clusters.insert(cluster);
    } catch (error) {
      throw isDuplicateKey(error) ? taken : error;
    }
  }

  private async confirm({ remoteId, siteUrl, token }: Invite, payload: JsonObject): Promise<void> {
    const frame = newFrame(remoteId, 'invitation', this.clock.now(), payload);
    try {
      const reply = await this.peers.send(
        { remoteId, siteUrl, token },
        'confirm_invite',
        frame,
        CONFIRM_TIMEOUT_MS,
      );
      if (reply['status'] !== 'OK') throw new PeerFailure('The peer refused.');
    } catch (error) {
      if (error instanceof PeerFailure)
        throw acceptanceFailed(error.message, isInviteSpent(error), error.errorId);
      throw error;
    }
  }

  private async finish(cluster: RemoteCluster): Promise<RemoteCluster> {
    const event = new RemoteClusterConfirmed(cluster.remoteId, cluster.id);
    const presenceSince = this.clock.now();
    const confirmed: RemoteCluster = { ...cluster, state: 'confirmed', presenceSince };
    const finish = async (): Promise<boolean> => {
      const change = { state: 'confirmed', presenceSince } as const;
      if (!(await this.repository.update(cluster.id, change, { state: 'confirming' }))) return false;
      this.audit.concerns({ id: cluster.remoteId, record: recordOf(confirmed) });
      return true;
    };
    if (!(await this.clusters.write(cluster, finish, event)))
      throw acceptanceFailed('the connection was deleted meanwhile.');
    return confirmed;
  }

  private async remove(cluster: RemoteCluster): Promise<void> {
    try {
      await this.clusters.write(cluster, () => this.repository.removeUnaccepted(cluster.id));
    } catch (error) {
      this.logger.error(
        'An unconfirmed connection could not be removed. The next start removes it.',
        stackOf(error),
      );
    }
  }
}

/**
 * Whether the inviter rejected the invite itself: its token is invalid, or it has expired or was already
 * used. Other errors have other ids, and errors of a proxy in front of the inviter have none.
 */
function isInviteSpent({ status, errorId }: PeerFailure): boolean {
  const spent = [peerTokenInvalid(), confirmationExpired(), confirmationNotPending()];
  return spent.some((error) => error.id === errorId && error.status === status);
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
    const { id, tokenHash } = cluster;
    const confirmation = {
      state: 'confirmed',
      siteUrl: trimSiteUrl(siteUrl),
      tokenHash: this.tokens.hash(refreshedToken),
      sealedRemoteToken: this.tokens.sealRemoteToken(id, token),
      presenceSince: now,
      lastHeardAt: now,
      sealedToken: '',
    } as const;
    const event = new RemoteClusterConfirmed(cluster.remoteId, cluster.id);
    // Only one caller succeeds: the token or the state has changed for others.
    const confirm = (): Promise<boolean> =>
      this.repository.update(id, confirmation, { state: 'pending', tokenHash });
    if (!(await this.clusters.write(cluster, confirm, event))) throw confirmationNotPending();
  }

  private parse(payload: unknown) {
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
