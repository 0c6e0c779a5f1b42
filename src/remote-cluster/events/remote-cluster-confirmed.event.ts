import type { DomainEvent } from '../../platform/events/domain-event.js';

/** The handshake of a secure connection is over, on this side. */
export class RemoteClusterConfirmed implements DomainEvent {
  readonly name = 'remote_cluster.confirmed';
  constructor(
    readonly remoteId: string,
    /** The key of the row, which differs from that of an earlier, deleted connection with the same id. */
    readonly rowId: string,
  ) {}
}
