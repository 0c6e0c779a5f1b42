import type { DomainEvent } from '../../platform/events/domain-event.js';

/** Fields of a secure connection were changed. */
export class RemoteClusterUpdated implements DomainEvent {
  readonly name = 'remote_cluster.updated';
  constructor(
    readonly remoteId: string,
    /** The key of the row. Deleted connections with the same `remoteId` have other keys. */
    readonly rowId: string,
  ) {}
}
