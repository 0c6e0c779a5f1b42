import { Injectable } from '@nestjs/common';
import { AuditService } from '../platform/audit/audit.service.js';
import { definedOnly } from '../platform/common/defined-only.js';
import { Clock } from '../platform/common/clock.js';
import type { Page } from '../platform/common/dto/params.js';
import { InvalidBodyParam, InvalidUrlParam } from '../platform/common/errors/common-errors.js';
import { newId } from '../platform/common/ids.js';
import { Settings } from '../platform/config/settings.js';
import { DeliveriesService } from '../delivery/dispatch/deliveries.service.js';
import type { Actor } from '../messaging/permissions/actor.js';
import { RemoteClusterRecords } from './remote-cluster-records.js';
import type {
  ClusterQuery,
  CreateRemoteClusterDto,
  PatchRemoteClusterDto,
} from './dto/write-remote-cluster.dto.js';
import { recordOf, RemoteClusterDto, type Standing } from './dto/remote-cluster.dto.js';
import {
  RemoteClusterCameOnline,
  RemoteClusterConfirmed,
  RemoteClusterCreated,
  RemoteClusterDeleted,
  RemoteClusterUpdated,
  RemoteClusterWentOffline,
} from './remote-cluster.events.js';
import { derivationOf, encodeInvite, InviteCodec, newPassword, requirePassword } from './invite.js';
import type { RemoteCluster } from './remote-cluster.entity.js';
import { RemoteClusterTokens } from './remote-cluster-tokens.js';
import {
  cleanDisplayName,
  isOnline,
  normalizeTopics,
  requireOwnSiteUrl,
  requireValidCluster,
} from './remote-cluster.rules.js';
import { RemoteClusterSettings } from './remote-cluster.settings.js';
import { SecretUnreadable } from '../platform/secrets/secret-box.js';
import { alreadyConfirmed, inviteTokenUnreadable, RemoteClusterNotFound } from './remote-clusters.errors.js';
import { RemoteClustersRepository } from './remote-clusters.repository.js';
import { LiveEventsService } from '../messaging/live/live-events.service.js';
import { OnEverywhere } from '../platform/events/listeners.js';

const PENDING = 'pending_';

/** A new connection with its invite. `password` is set only if the server generated it. */
export interface CreatedCluster {
  readonly cluster: RemoteCluster;
  readonly invite: string;
  readonly password: string | undefined;
}

/** Administration of secure connections (docs/contract/secure-connections.md#administration). */
@Injectable()
export class RemoteClustersService {
  constructor(
    private readonly repository: RemoteClustersRepository,
    private readonly records: RemoteClusterRecords,
    private readonly tokens: RemoteClusterTokens,
    private readonly codec: InviteCodec,
    private readonly deliveries: DeliveriesService,
    private readonly audit: AuditService,
    private readonly clock: Clock,
    private readonly settings: RemoteClusterSettings,
    private readonly platform: Settings,
    private readonly live: LiveEventsService,
  ) {}

  /** Throws InvalidUrlParam if `topic` is not the name of a topic. */
  async list(query: ClusterQuery, page: Page): Promise<RemoteCluster[]> {
    const { inChannel, notInChannel } = query;
    const topic = query.topic === undefined || query.topic === '' ? undefined : normalizeTopics(query.topic);
    if (topic === '' || topic === '*') throw new InvalidUrlParam('topic', 'it must name a topic');
    const onlineSince = query.excludeOffline
      ? this.clock.now() - this.settings.peerOfflineAfterMs
      : undefined;
    const among = inChannel === undefined ? undefined : await this.records.ofChannel(inChannel);
    const except = notInChannel === undefined ? [] : await this.records.ofChannel(notInChannel);
    const filter = { ...query, topic, onlineSince, among, except };
    return this.repository.list(filter, page.offset, page.perPage);
  }

  /** Also finds deleted connections. Throws RemoteClusterNotFound. */
  get(remoteId: string): Promise<RemoteCluster> {
    return this.records.get(remoteId);
  }

  /** Throws `siteUrlMissing`, InvalidBodyParam and ValidationFailed. */
  async create(actor: Actor, input: CreateRemoteClusterDto): Promise<CreatedCluster> {
    const siteUrl = requireOwnSiteUrl(this.platform);
    const teamId = input.default_team_id;
    if (teamId === '') throw new InvalidBodyParam('remote_cluster.default_team_id');
    const password = requirePassword(input.password) || newPassword();
    const token = newId();
    const [id, remoteId] = [newId(), newId()];
    const cluster = await this.records.build(actor, input, {
      id,
      remoteId,
      state: 'pending',
      siteUrl: `${PENDING}${newId()}`,
      ownSiteUrl: siteUrl,
      tokenHash: this.tokens.hash(token),
      sealedToken: this.tokens.sealInviteToken(id, token),
      sealedRemoteToken: '',
    });
    const invite = await this.sealInvite(remoteId, siteUrl, token, password);
    this.audit.concerns({ id: remoteId, record: { remote_cluster: recordOf(cluster) } });
    await this.records.insert(cluster, new RemoteClusterCreated(remoteId, cluster.id));
    return { cluster, invite, password: input.password === '' ? password : undefined };
  }

  /**
   * Issues another invite for a pending connection, with the same token. Throws InvalidBodyParam, `siteUrlMissing`,
   * RemoteClusterNotFound, `alreadyConfirmed` and `inviteTokenUnreadable`.
   */
  async generateInvite(remoteId: string, password: string): Promise<string> {
    if (password === '') throw new InvalidBodyParam('password');
    requirePassword(password);
    const siteUrl = requireOwnSiteUrl(this.platform);
    const cluster = await this.records.getLive(remoteId);
    if (cluster.state !== 'pending') throw alreadyConfirmed();
    const token = this.tokenOf(cluster);
    const invite = await this.sealInvite(remoteId, siteUrl, token, password);
    await this.records.write(cluster, async () => {
      const reissue = { inviteIssuedAt: this.clock.now(), ownSiteUrl: siteUrl.slice(0, 512) };
      if (await this.repository.update(cluster.id, reissue, { state: 'pending' })) return true;
      await this.records.getLive(remoteId);
      throw alreadyConfirmed();
    });
    return invite;
  }

  /** Throws RemoteClusterNotFound and ValidationFailed. */
  async patch(remoteId: string, input: PatchRemoteClusterDto): Promise<RemoteCluster> {
    const before = await this.records.getLive(remoteId);
    const { display_name: displayName, default_team_id: defaultTeamId } = input;
    // Update only the fields sent, so that a concurrent change of the other column is kept.
    const columns = definedOnly({
      displayName: displayName === undefined ? undefined : cleanDisplayName(displayName) || before.name,
      defaultTeamId,
    });
    const changed = { ...before, ...columns };
    requireValidCluster(changed);
    const [record, prior] = [recordOf(changed), recordOf(before)];
    this.audit.concerns({ id: remoteId, record, prior });
    await this.records.update(before, columns, new RemoteClusterUpdated(remoteId, before.id));
    return this.records.get(remoteId);
  }

  /**
   * Invalidates the connection's tokens and cancels messages waiting for the peer, which is not notified.
   * Throws RemoteClusterNotFound.
   */
  async delete(remoteId: string): Promise<void> {
    const cluster = await this.records.getLive(remoteId);
    this.audit.concerns({ id: remoteId, prior: recordOf(cluster) });
    const remove = async (): Promise<boolean> => {
      const deleteAt = this.clock.now();
      if (!(await this.repository.update(cluster.id, { deleteAt, liveId: cluster.id })))
        throw new RemoteClusterNotFound();
      await this.deliveries.cancel(cluster.id, 'connection_deleted');
      return true;
    };
    await this.records.write(cluster, remove, new RemoteClusterDeleted(remoteId, cluster.id));
  }

  /** Returns the API view of a connection, with its current state. */
  viewOf(cluster: RemoteCluster): RemoteClusterDto {
    const { inviteTtlMs } = this.settings;
    const isPending = cluster.state === 'pending' && cluster.deleteAt === 0;
    const expiresAt = isPending ? cluster.inviteIssuedAt + inviteTtlMs : 0;
    return RemoteClusterDto.from(cluster, { ...this.standingOf(cluster), invite_expires_at: expiresAt });
  }

  /** Pushes changes to connected system administrators. */
  @OnEverywhere(RemoteClusterCreated)
  @OnEverywhere(RemoteClusterConfirmed)
  @OnEverywhere(RemoteClusterUpdated)
  @OnEverywhere(RemoteClusterDeleted)
  @OnEverywhere(RemoteClusterCameOnline)
  @OnEverywhere(RemoteClusterWentOffline)
  onRemoteClusterChanged({ name, remoteId }: { readonly name: string; readonly remoteId: string }): void {
    this.live.publish({
      event: name.replace('.', '_'),
      broadcast: { split: 'admins' },
      data: { remote_id: remoteId },
    });
  }

  private standingOf(cluster: RemoteCluster): Omit<Standing, 'invite_expires_at'> {
    const { state, createAt, deleteAt, inviteIssuedAt, lastPingAt, presenceSince } = cluster;
    if (deleteAt > 0) return { standing: 'deleted', standing_since: deleteAt };
    if (state === 'pending') return { standing: 'invited', standing_since: inviteIssuedAt };
    const confirmedAt = presenceSince || createAt;
    return isOnline(cluster, this.clock.now(), this.settings.peerOfflineAfterMs)
      ? { standing: 'online', standing_since: confirmedAt }
      : { standing: 'offline', standing_since: lastPingAt || confirmedAt };
  }

  private tokenOf(cluster: RemoteCluster): string {
    try {
      return this.tokens.inviteToken(cluster);
    } catch (error) {
      throw error instanceof SecretUnreadable ? inviteTokenUnreadable() : error;
    }
  }

  private sealInvite(remoteId: string, siteUrl: string, token: string, password: string): Promise<string> {
    const version = this.settings.legacyInvites ? 2 : 3;
    const plaintext = encodeInvite({ remoteId, siteUrl, token, version });
    return this.codec.seal(plaintext, password, derivationOf(version));
  }
}
