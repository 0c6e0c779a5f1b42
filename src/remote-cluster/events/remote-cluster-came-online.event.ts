import type { DomainEvent } from '../../platform/events/domain-event.js';

/** The peer of a secure connection came online. */
export class RemoteClusterCameOnline implements DomainEvent {
  readonly name = 'remote_cluster.online';
  constructor(
    readonly remoteId: string,
    /** The key of the row. Deleted connections with the same `remoteId` have other keys. */
    readonly rowId: string,
  ) {}
}
