import type { DomainEvent } from '../../platform/events/domain-event.js';

/** A secure connection was deleted on this side. */
export class RemoteClusterDeleted implements DomainEvent {
  readonly name = 'remote_cluster.deleted';
  constructor(
    readonly remoteId: string,
    /** The key of the row. Deleted connections with the same `remoteId` have other keys. */
    readonly rowId: string,
  ) {}
}
