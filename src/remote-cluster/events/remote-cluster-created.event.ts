import type { DomainEvent } from '../../platform/events/domain-event.js';

/** A secure connection was made, and an invite to it. */
export class RemoteClusterCreated implements DomainEvent {
  readonly name = 'remote_cluster.created';
  constructor(
    readonly remoteId: string,
    /** The key of the row, which differs from that of an earlier, deleted connection with the same id. */
    readonly rowId: string,
  ) {}
}
