import type { DomainEvent } from '../../platform/events/domain-event.js';

/** The peer of a secure connection went offline. */
export class RemoteClusterWentOffline implements DomainEvent {
  readonly name = 'remote_cluster.offline';
  constructor(
    readonly remoteId: string,
    /** The key of the row. Deleted connections with the same `remoteId` have other keys. */
    readonly rowId: string,
  ) {}
}
