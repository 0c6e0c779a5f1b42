import { Injectable } from '@nestjs/common';
import { type DomainEvent, EventBus } from '../platform/events/event-bus.js';
import { DatabaseCache, idKeys } from '../platform/database/database-cache.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import type { RemoteCluster } from './remote-cluster.entity.js';
import { peerNotReached, RemoteClusterNotFound } from './remote-clusters.errors.js';
import { RemoteClustersRepository } from './remote-clusters.repository.js';

const MAX_CACHED_BYTES = 4 * 1024 * 1024;

/** The fields of a connection that identify the server of the peer. */
export type Peer = Pick<RemoteCluster, 'id' | 'remoteId' | 'siteUrl' | 'name'>;

/** Finds and changes secure connections, and caches the live ones. */
@Injectable()
export class RemoteClusterRecords {
  /** The `remoteId` of every connection over which a channel is shared. Set by the module of shared channels. */
  ofChannel: (channelId: string) => Promise<readonly string[]> = () => Promise.resolve([]);
  private readonly live: DatabaseCache<RemoteCluster | null>;

  constructor(
    private readonly repository: RemoteClustersRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly events: EventBus,
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

  /** The confirmed live connections. */
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
}

function required(cluster: RemoteCluster | null): RemoteCluster {
  if (!cluster) throw new RemoteClusterNotFound();
  return cluster;
}
