import type { DomainEvent } from '../../platform/events/domain-event.js';

/** Fields of a secure connection have changed. */
export class RemoteClusterUpdated implements DomainEvent {
  readonly name = 'remote_cluster.updated';
  constructor(
    readonly remoteId: string,
    /** The key of the row, which differs from that of an earlier, deleted connection with the same id. */
    readonly rowId: string,
  ) {}
}
