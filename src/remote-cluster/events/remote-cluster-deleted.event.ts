import type { DomainEvent } from '../../platform/events/domain-event.js';

/** A secure connection was deleted, on this side only. */
export class RemoteClusterDeleted implements DomainEvent {
  readonly name = 'remote_cluster.deleted';
  constructor(
    readonly remoteId: string,
    /** The key of the row, which differs from that of an earlier, deleted connection with the same id. */
    readonly rowId: string,
  ) {}
}
