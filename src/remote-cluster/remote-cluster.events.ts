import type { DomainEvent } from '../platform/events/event-bus.js';

/** The peer of a secure connection came online. */
export class RemoteClusterCameOnline implements DomainEvent {
  readonly name = 'remote_cluster.online';
  constructor(
    readonly remoteId: string,
    /** The key of the row. Deleted connections with the same `remoteId` have other keys. */
    readonly rowId: string,
  ) {}
}

/** The handshake of a secure connection was completed on this side. */
export class RemoteClusterConfirmed implements DomainEvent {
  readonly name = 'remote_cluster.confirmed';
  constructor(
    readonly remoteId: string,
    /** The key of the row. Deleted connections with the same `remoteId` have other keys. */
    readonly rowId: string,
  ) {}
}

/** A secure connection and its first invite were created. */
export class RemoteClusterCreated implements DomainEvent {
  readonly name = 'remote_cluster.created';
  constructor(
    readonly remoteId: string,
    /** The key of the row. Deleted connections with the same `remoteId` have other keys. */
    readonly rowId: string,
  ) {}
}

/** A secure connection was deleted on this side. */
export class RemoteClusterDeleted implements DomainEvent {
  readonly name = 'remote_cluster.deleted';
  constructor(
    readonly remoteId: string,
    /** The key of the row. Deleted connections with the same `remoteId` have other keys. */
    readonly rowId: string,
  ) {}
}

/** Fields of a secure connection were changed. */
export class RemoteClusterUpdated implements DomainEvent {
  readonly name = 'remote_cluster.updated';
  constructor(
    readonly remoteId: string,
    /** The key of the row. Deleted connections with the same `remoteId` have other keys. */
    readonly rowId: string,
  ) {}
}

/** The peer of a secure connection went offline. */
export class RemoteClusterWentOffline implements DomainEvent {
  readonly name = 'remote_cluster.offline';
  constructor(
    readonly remoteId: string,
    /** The key of the row. Deleted connections with the same `remoteId` have other keys. */
    readonly rowId: string,
  ) {}
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
