import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/common/clock.js';
import type { Page } from '../platform/common/dto/params.js';
import { InvalidBodyParam, InvalidUrlParam } from '../platform/common/errors/common-errors.js';
import type { DomainEvent } from '../platform/events/domain-event.js';
import { EventBus } from '../platform/events/event-bus.js';
import { newId } from '../platform/common/ids.js';
import { RemoteClusterSettings } from './remote-cluster.settings.js';
import { Settings } from '../platform/config/settings.js';
import { DatabaseCache } from '../platform/database/database-cache.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { DeliveriesService } from '../delivery/dispatch/deliveries.service.js';
import type { Actor } from '../messaging/permissions/actor.js';
import { UserRecords } from '../messaging/users/user-records.js';
import { ConnectionsOfChannels } from './connections-of-channels.js';
import type { ClusterQuery } from './dto/cluster-query.js';
import type { CreateRemoteClusterDto, PatchRemoteClusterDto } from './dto/write-remote-cluster.dto.js';
import { RemoteClusterCreated } from './events/remote-cluster-created.event.js';
import { RemoteClusterDeleted } from './events/remote-cluster-deleted.event.js';
import { RemoteClusterUpdated } from './events/remote-cluster-updated.event.js';
import { derivationOf, encodeInvite, type Invite } from './invite/invite.js';
import { InviteCodec } from './invite/invite-codec.js';
import type { RemoteCluster } from './remote-cluster.entity.js';
import { cleanDisplayName, cleanName, normalizeTopics, requireValidCluster } from './remote-cluster.rules.js';
import { RemoteClusterTokens } from './remote-cluster-tokens.js';
import {
  AlreadyConfirmed,
  PeerNotReached,
  RemoteClusterNotFound,
  SiteUrlMissing,
} from './remote-clusters.errors.js';
import { RemoteClustersRepository } from './remote-clusters.repository.js';
import { trimSiteUrl } from './site-url.js';

const MAX_CACHED_BYTES = 4 * 1024 * 1024;
const MAX_PASSWORD_LENGTH = 1_024;
const PASSWORD_LENGTH = 16;
const PASSWORD_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const PENDING = 'pending_';

/** A new connection with its invite; `password` only when the server has made one. */
export interface CreatedCluster {
  readonly cluster: RemoteCluster;
  readonly invite: string;
  readonly password: string | undefined;
}

/** Secure connections as administrators manage them (docs/contract/secure-connections.md#administration). */
@Injectable()
export class RemoteClustersService {
  private readonly live: DatabaseCache<RemoteCluster | null>;

  constructor(
    private readonly repository: RemoteClustersRepository,
    private readonly ofChannels: ConnectionsOfChannels,
    private readonly tokens: RemoteClusterTokens,
    private readonly codec: InviteCodec,
    private readonly deliveries: DeliveriesService,
    private readonly users: UserRecords,
    private readonly unitOfWork: UnitOfWork,
    private readonly events: EventBus,
    private readonly clock: Clock,
    private readonly settings: RemoteClusterSettings,
    private readonly platform: Settings,
  ) {
    this.live = new DatabaseCache(unitOfWork, { maxBytes: MAX_CACHED_BYTES, keepsMisses: true });
  }

  /** Where peers find this server. Throws SiteUrlMissing. */
  get ownSiteUrl(): string {
    const { siteUrl } = this.platform;
    if (siteUrl === undefined) throw new SiteUrlMissing();
    return trimSiteUrl(siteUrl);
  }

  async list(query: ClusterQuery, page: Page): Promise<RemoteCluster[]> {
    const { inChannel, notInChannel } = query;
    const topic = query.topic === undefined || query.topic === '' ? undefined : normalizeTopics(query.topic);
    if (topic === '' || topic === '*') throw new InvalidUrlParam('topic', 'it must name a topic');
    const onlineSince = query.excludeOffline
      ? this.clock.now() - this.settings.peerOfflineAfterMs
      : undefined;
    const among = inChannel === undefined ? undefined : await this.ofChannels.list(inChannel);
    const except = notInChannel === undefined ? [] : await this.ofChannels.list(notInChannel);
    const filter = { ...query, topic, onlineSince, among, except };
    return this.repository.list(filter, page.offset, page.perPage);
  }

  /** Deleted ones as well. Throws RemoteClusterNotFound. */
  async get(remoteId: string): Promise<RemoteCluster> {
    const cluster = await this.repository.find(remoteId);
    if (!cluster) throw new RemoteClusterNotFound();
    return cluster;
  }

  /** A live one. Throws RemoteClusterNotFound. */
  async getLive(remoteId: string): Promise<RemoteCluster> {
    const cluster = await this.findLive(remoteId);
    if (!cluster) throw new RemoteClusterNotFound();
    return cluster;
  }

  /** From memory where possible. The result is shared: do not change it. */
  findLive(remoteId: string): Promise<RemoteCluster | null> {
    return this.live.get(remoteId, () => this.repository.findLive(remoteId));
  }

  /** A live one, which nobody deletes until the open unit of work ends. Throws RemoteClusterNotFound. */
  async lockLive(remoteId: string): Promise<RemoteCluster> {
    const cluster = await this.repository.findLiveForUpdate(remoteId);
    if (!cluster) throw new RemoteClusterNotFound();
    return cluster;
  }

  /** Whether `earlierId` is a deleted connection to the address of this peer. */
  async isSameServer(peer: RemoteCluster, earlierId: string): Promise<boolean> {
    const earlier = await this.repository.find(earlierId);
    return earlier !== null && earlier.deleteAt > 0 && earlier.siteUrl === peer.siteUrl;
  }

  /**
   * Whether `earlierId` is a deleted connection to the server of this peer: then the peer is who it was. A peer may say
   * to be at any address; it is believed once it has answered there. Throws PeerNotReached until then.
   */
  async hasReplaced(peer: RemoteCluster, earlierId: string): Promise<boolean> {
    if (!(await this.isSameServer(peer, earlierId))) return false;
    const now = await this.repository.findRow(peer.id);
    if (!now?.lastPingAt) throw new PeerNotReached();
    return true;
  }

  async create(actor: Actor, input: CreateRemoteClusterDto): Promise<CreatedCluster> {
    const siteUrl = this.ownSiteUrl;
    const teamId = input.default_team_id ?? '';
    if (teamId === '') throw new InvalidBodyParam('remote_cluster.default_team_id');
    const password = requirePassword(input.password ?? '') || newPassword();
    const token = newId();
    const remoteId = newId();
    const cluster = await this.build(actor, input, {
      remoteId,
      state: 'pending',
      siteUrl: `${PENDING}${newId()}`,
      tokenHash: this.tokens.hash(token),
      sealedToken: this.tokens.seal(token),
      sealedRemoteToken: '',
    });
    requireValidCluster(cluster);
    const invite = await this.seal({ remoteId, siteUrl, token, version: this.inviteVersion }, password);
    await this.insert(cluster, new RemoteClusterCreated(remoteId, cluster.id));
    return { cluster, invite, password: input.password ? undefined : password };
  }

  /** A further invite for a pending connection, with the same token. */
  async generateInvite(remoteId: string, password: string | undefined): Promise<string> {
    if (password === undefined || password === '') throw new InvalidBodyParam('password');
    requirePassword(password);
    const siteUrl = this.ownSiteUrl;
    const cluster = await this.getLive(remoteId);
    if (cluster.state !== 'pending') throw new AlreadyConfirmed();
    const token = this.tokens.inviteToken(cluster);
    const invite = await this.seal({ remoteId, siteUrl, token, version: this.inviteVersion }, password);
    if (!(await this.repository.issueAgain(cluster.id, this.clock.now()))) {
      await this.getLive(remoteId);
      throw new AlreadyConfirmed();
    }
    this.live.forget(remoteId);
    return invite;
  }

  /** Gives the record as it was and as it is. */
  async patch(
    remoteId: string,
    input: PatchRemoteClusterDto,
  ): Promise<{ before: RemoteCluster; after: RemoteCluster }> {
    const cluster = await this.getLive(remoteId);
    const changed: RemoteCluster = {
      ...cluster,
      ...(input.display_name === undefined
        ? {}
        : { displayName: cleanDisplayName(input.display_name) || cluster.name }),
      ...(input.default_team_id === undefined ? {} : { defaultTeamId: input.default_team_id }),
    };
    requireValidCluster(changed);
    // Only what was sent: another call may change the other one at the same time.
    await this.change(
      cluster,
      {
        ...(input.display_name === undefined ? {} : { displayName: changed.displayName }),
        ...(input.default_team_id === undefined ? {} : { defaultTeamId: changed.defaultTeamId }),
      },
      new RemoteClusterUpdated(remoteId, cluster.id),
    );
    return { before: cluster, after: await this.get(remoteId) };
  }

  /** Its tokens are dead at once, what waits for the peer is cancelled; the peer is not told. Gives what it was. */
  async delete(remoteId: string): Promise<RemoteCluster> {
    const cluster = await this.getLive(remoteId);
    await this.unitOfWork.run(async () => {
      const deleteAt = this.clock.now();
      if (!(await this.repository.update(cluster.id, { deleteAt, liveId: cluster.id })))
        throw new RemoteClusterNotFound();
      await this.deliveries.cancel(cluster.id, 'connection_deleted');
      this.forget(remoteId);
      await this.events.publish(new RemoteClusterDeleted(remoteId, cluster.id));
    });
    return cluster;
  }

  /** A connection made of what an administrator says and what the handshake fixes. */
  async build(
    actor: Actor,
    input: Pick<CreateRemoteClusterDto, 'name' | 'display_name' | 'default_team_id' | 'creator_id'>,
    fixed: Pick<
      RemoteCluster,
      'remoteId' | 'state' | 'siteUrl' | 'tokenHash' | 'sealedToken' | 'sealedRemoteToken'
    >,
  ): Promise<RemoteCluster> {
    const now = this.clock.now();
    const name = input.name ?? '';
    return {
      id: newId(),
      liveId: fixed.remoteId,
      ...fixed,
      name: cleanName(name),
      displayName: cleanDisplayName(input.display_name ?? '') || cleanDisplayName(name),
      defaultTeamId: input.default_team_id ?? '',
      createAt: now,
      deleteAt: 0,
      lastPingAt: 0,
      topics: '',
      creatorId: await this.creatorOf(actor, input.creator_id ?? ''),
      pluginId: '',
      options: 0,
      inviteIssuedAt: now,
    };
  }

  /** Stores a new one. */
  async insert(cluster: RemoteCluster, event?: DomainEvent): Promise<void> {
    await this.unitOfWork.run(async () => {
      await this.repository.insert(cluster);
      this.forget(cluster.remoteId);
      if (event) await this.events.publish(event);
    });
  }

  /** Throws RemoteClusterNotFound when it was deleted meanwhile. */
  async change(cluster: RemoteCluster, columns: Partial<RemoteCluster>, event?: DomainEvent): Promise<void> {
    await this.unitOfWork.run(async () => {
      const isChanged =
        Object.keys(columns).length === 0 || (await this.repository.update(cluster.id, columns));
      if (!isChanged) throw new RemoteClusterNotFound();
      this.forget(cluster.remoteId);
      if (event) await this.events.publish(event);
    });
  }

  /** To be called by whoever changes a row. */
  forget(remoteId: string): void {
    this.live.forget(remoteId);
  }

  private get inviteVersion(): number {
    return this.settings.legacyInvites ? 2 : 3;
  }

  private seal(invite: Invite, password: string): Promise<string> {
    return this.codec.seal(encodeInvite(invite), password, derivationOf(invite.version));
  }

  private async creatorOf(actor: Actor, creatorId: string): Promise<string> {
    if (actor.kind === 'user') return actor.userId;
    if (creatorId === '')
      throw new InvalidBodyParam('creator_id', 'local mode has no user, so the creator must be named');
    if (!(await this.users.find(creatorId)))
      throw new InvalidBodyParam('creator_id', 'there is no such user');
    return creatorId;
  }
}

/** Throws InvalidBodyParam for one that is too long. */
export function requirePassword(password: string): string {
  if (password.length > MAX_PASSWORD_LENGTH)
    throw new InvalidBodyParam('password', `it may have ${MAX_PASSWORD_LENGTH} characters at most`);
  return password;
}

/** About 95 bits. */
function newPassword(): string {
  return Array.from({ length: PASSWORD_LENGTH }, () =>
    PASSWORD_ALPHABET.charAt(randomInt(PASSWORD_ALPHABET.length)),
  ).join('');
}
