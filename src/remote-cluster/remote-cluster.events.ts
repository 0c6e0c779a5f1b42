import type { DomainEvent } from '../platform/events/event-bus.js';

abstract class OfConnection {
  constructor(
    readonly remoteId: string,
    /** The key of the row. Deleted connections with the same `remoteId` have other keys. */
    readonly rowId: string,
  ) {}
}

/** The peer of a secure connection came online. */
export class RemoteClusterCameOnline extends OfConnection implements DomainEvent {
  readonly name = 'remote_cluster.online';
}

/** The handshake of a secure connection was completed on this side. */
export class RemoteClusterConfirmed extends OfConnection implements DomainEvent {
  readonly name = 'remote_cluster.confirmed';
}

/** A secure connection and its first invite were created. */
export class RemoteClusterCreated extends OfConnection implements DomainEvent {
  readonly name = 'remote_cluster.created';
}

/** A secure connection was deleted on this side. */
export class RemoteClusterDeleted extends OfConnection implements DomainEvent {
  readonly name = 'remote_cluster.deleted';
}

/** Fields of a secure connection were changed. */
export class RemoteClusterUpdated extends OfConnection implements DomainEvent {
  readonly name = 'remote_cluster.updated';
}

/** The peer of a secure connection went offline. */
export class RemoteClusterWentOffline extends OfConnection implements DomainEvent {
  readonly name = 'remote_cluster.offline';
}

/** A ping round has started and counted the peers. */
export class RemoteClustersCounted implements DomainEvent {
  readonly name = 'remote_clusters.counted';
  constructor(
    /** Peers that answered a ping recently. */
    readonly online: number,
    readonly offline: number,
  ) {}
}
