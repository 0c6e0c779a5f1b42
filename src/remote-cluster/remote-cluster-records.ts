import { Injectable } from '@nestjs/common';
import type { Actor } from '../messaging/permissions/actor.js';
import { UsersService } from '../messaging/users/users.service.js';
import { Clock } from '../platform/common/clock.js';
import { InvalidBodyParam } from '../platform/common/errors/common-errors.js';
import { type DomainEvent, EventBus } from '../platform/events/event-bus.js';
import { DatabaseCache, idKeys } from '../platform/database/database-cache.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import type { CreateRemoteClusterDto } from './dto/write-remote-cluster.dto.js';
import type { RemoteCluster } from './remote-cluster.entity.js';
import { cleanDisplayName, cleanName, requireValidCluster } from './remote-cluster.rules.js';
import { peerNotReached, RemoteClusterNotFound } from './remote-clusters.errors.js';
import { RemoteClustersRepository } from './remote-clusters.repository.js';

const MAX_CACHED_BYTES = 4 * 1024 * 1024;

/** Peers accept at most this length. */
const MAX_SITE_URL_LENGTH = 512;

type Input = Pick<CreateRemoteClusterDto, 'name' | 'display_name' | 'default_team_id' | 'creator_id'>;
type Handshake = Pick<
  RemoteCluster,
  'id' | 'remoteId' | 'state' | 'siteUrl' | 'ownSiteUrl' | 'tokenHash' | 'sealedToken' | 'sealedRemoteToken'
>;

/** The fields of a connection that identify the server of the peer. */
export type Peer = Pick<RemoteCluster, 'id' | 'remoteId' | 'siteUrl' | 'name'>;

/** Builds, finds and changes secure connections, and caches the live ones. */
@Injectable()
export class RemoteClusterRecords {
  /** The `remoteId` of every connection over which a channel is shared. Set by the module of shared channels. */
  ofChannel: (channelId: string) => Promise<readonly string[]> = () => Promise.resolve([]);
  private readonly live: DatabaseCache<RemoteCluster | null>;

  constructor(
    private readonly repository: RemoteClustersRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly events: EventBus,
    private readonly users: UsersService,
    private readonly clock: Clock,
  ) {
    this.live = new DatabaseCache(unitOfWork, {
      name: 'remote_clusters',
      maxBytes: MAX_CACHED_BYTES,
      keys: idKeys(null),
      keepsMisses: true,
    });
  }

  /** Finds deleted connections too. Throws RemoteClusterNotFound. */
  async get(remoteId: string): Promise<RemoteCluster> {
    return required(await this.repository.find(remoteId));
  }

  /** Throws RemoteClusterNotFound if the connection does not exist or is deleted. */
  async getLive(remoteId: string): Promise<RemoteCluster> {
    return required(await this.findLive(remoteId));
  }

  listConfirmed(): Promise<RemoteCluster[]> {
    return this.repository.listConfirmed();
  }

  /** Cached. The result is shared: do not change it. */
  findLive(remoteId: string): Promise<RemoteCluster | null> {
    return this.live.get(remoteId, () => this.repository.findLive(remoteId));
  }

  /** Locks a live connection until the open unit of work ends. Throws RemoteClusterNotFound. */
  async getLiveForUpdate(remoteId: string): Promise<RemoteCluster> {
    return required(await this.repository.findLiveForUpdate(remoteId));
  }

  /** Like `getLiveForUpdate`, but does not require the connection to exist. */
  async lockLive(remoteId: string): Promise<void> {
    await this.repository.findLiveForUpdate(remoteId);
  }

  /** Whether `remoteId` is this connection, or a deleted one to the same address. */
  async isSameServer(peer: Peer, remoteId: string): Promise<boolean> {
    if (remoteId === peer.remoteId) return true;
    const earlier = remoteId === '' ? null : await this.repository.find(remoteId);
    return earlier !== null && earlier.deleteAt > 0 && earlier.siteUrl === peer.siteUrl;
  }

  /**
   * Whether the peer owns what came over `remoteId`: its connection, or a deleted one to the same server that it
   * replaces. A peer can claim any address, so this throws `peerNotReached` until the peer has answered a ping there.
   */
  async owns(peer: Peer, remoteId: string): Promise<boolean> {
    if (remoteId === peer.remoteId) return true;
    if (!(await this.isSameServer(peer, remoteId))) return false;
    const current = await this.repository.findRow(peer.id);
    if (!current?.lastPingAt) throw peerNotReached();
    return true;
  }

  /**
   * Combines the administrator's input with the values fixed by the handshake. Stores nothing. Throws
   * InvalidBodyParam and ValidationFailed.
   */
  async build(actor: Actor, input: Input, handshake: Handshake): Promise<RemoteCluster> {
    const now = this.clock.now();
    const cluster = {
      liveId: handshake.remoteId,
      ...handshake,
      ownSiteUrl: handshake.ownSiteUrl.slice(0, MAX_SITE_URL_LENGTH),
      name: cleanName(input.name),
      displayName: cleanDisplayName(input.display_name) || cleanDisplayName(input.name),
      defaultTeamId: input.default_team_id,
      createAt: now,
      deleteAt: 0,
      lastPingAt: 0,
      lastHeardAt: 0,
      presenceSince: 0,
      pingedUntil: 0,
      isAnnouncedOnline: false,
      topics: '',
      creatorId: await this.creatorOf(actor, input.creator_id),
      pluginId: '',
      options: 0,
      inviteIssuedAt: now,
    };
    requireValidCluster(cluster);
    return cluster;
  }

  async insert(cluster: RemoteCluster, event?: DomainEvent): Promise<void> {
    await this.write(cluster, () => this.repository.insert(cluster).then(() => true), event);
  }

  /** Updates columns. Throws RemoteClusterNotFound if the connection was deleted in the meantime. */
  async update(cluster: RemoteCluster, columns: Partial<RemoteCluster>, event?: DomainEvent): Promise<void> {
    const update = async (): Promise<boolean> => {
      const isChange = Object.keys(columns).length > 0;
      if (isChange && !(await this.repository.update(cluster.id, columns))) throw new RemoteClusterNotFound();
      return true;
    };
    await this.write(cluster, update, event);
  }

  /**
   * Runs `write`, which changes the row of a connection, and publishes `event` in the same transaction.
   * Returns the result of `write`: false if nothing was changed, in which case nothing is published.
   */
  write(cluster: RemoteCluster, write: () => Promise<boolean>, event?: DomainEvent): Promise<boolean> {
    return this.unitOfWork.run(async () => {
      if (!(await write())) return false;
      this.live.forget(cluster.remoteId);
      if (event) await this.events.publish(event);
      return true;
    });
  }

  private async creatorOf(actor: Actor, creatorId: string): Promise<string> {
    if (actor.kind === 'user') return actor.userId;
    if (creatorId === '')
      throw new InvalidBodyParam('creator_id', 'local mode has no user, so the creator must be given');
    if (!(await this.users.find(creatorId)))
      throw new InvalidBodyParam('creator_id', 'the user does not exist');
    return creatorId;
  }
}

function required(cluster: RemoteCluster | null): RemoteCluster {
  if (!cluster) throw new RemoteClusterNotFound();
  return cluster;
}
