import { Injectable } from '@nestjs/common';
import { type DomainEvent, EventBus } from '../platform/events/event-bus.js';
import { DatabaseCache, idKeys } from '../platform/database/database-cache.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import type { RemoteCluster } from './remote-cluster.entity.js';
import { peerNotReached, RemoteClusterNotFound } from './remote-clusters.errors.js';
import { RemoteClustersRepository } from './remote-clusters.repository.js';
import { Clock } from '../platform/common/clock.js';
import { RemoteClusterDto, type Standing } from './dto/remote-cluster.dto.js';
import { isOnline } from './remote-cluster.rules.js';
import { RemoteClusterSettings } from './remote-cluster.settings.js';

const MAX_CACHED_BYTES = 4 * 1024 * 1024;

/** Finds and changes secure connections, and caches the live ones. */
@Injectable()
export class RemoteClusterRecords {
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

  /** Throws RemoteClusterNotFound if there is no such connection or it is deleted. */
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

  /** Whether `earlierId` is a deleted connection to the same address as `peer`. */
  async isSameServer(peer: RemoteCluster, earlierId: string): Promise<boolean> {
    const earlier = await this.repository.find(earlierId);
    return earlier !== null && earlier.deleteAt > 0 && earlier.siteUrl === peer.siteUrl;
  }

  /**
   * Whether `peer` replaces the deleted connection `earlierId` to the same server, and so owns its data. A
   * peer can claim any address, so this throws `peerNotReached` until the peer has answered a ping there.
   */
  async hasReplaced(peer: RemoteCluster, earlierId: string): Promise<boolean> {
    if (!(await this.isSameServer(peer, earlierId))) return false;
    const current = await this.repository.findRow(peer.id);
    if (!current?.lastPingAt) throw peerNotReached();
    return true;
  }

  async insert(cluster: RemoteCluster, event?: DomainEvent): Promise<void> {
    await this.write(
      cluster,
      async () => {
        await this.repository.insert(cluster);
        return true;
      },
      event,
    );
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

/** Builds API views of connections, with their current state. */
@Injectable()
export class RemoteClusterViews {
  constructor(
    private readonly clock: Clock,
    private readonly settings: RemoteClusterSettings,
  ) {}

  of(cluster: RemoteCluster): RemoteClusterDto {
    const { inviteTtlMs } = this.settings;
    const isPending = cluster.state === 'pending' && cluster.deleteAt === 0;
    const expiresAt = isPending ? cluster.inviteIssuedAt + inviteTtlMs : 0;
    return RemoteClusterDto.from(cluster, { ...this.standingOf(cluster), invite_expires_at: expiresAt });
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
}

/** Returns the `remoteId` of every connection over which a channel is shared. */
type Lookup = (channelId: string) => Promise<readonly string[]>;

/**
 * Finds the connections over which a channel is shared. The shared channels module registers the lookup;
 * until then, no channel is shared.
 */
@Injectable()
export class ConnectionsOfChannels {
  private lookup: Lookup = () => Promise.resolve([]);

  register(lookup: Lookup): void {
    this.lookup = lookup;
  }

  list(channelId: string): Promise<readonly string[]> {
    return this.lookup(channelId);
  }
}
