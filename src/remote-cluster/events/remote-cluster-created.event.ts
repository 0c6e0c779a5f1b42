import type { DomainEvent } from '../../platform/events/domain-event.js';

/** A secure connection and its first invite were created. */
export class RemoteClusterCreated implements DomainEvent {
  readonly name = 'remote_cluster.created';
  constructor(
    readonly remoteId: string,
    /** The key of the row. Deleted connections with the same `remoteId` have other keys. */
    readonly rowId: string,
  ) {}
}
