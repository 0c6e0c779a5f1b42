import type { DomainEvent } from '../../platform/events/domain-event.js';

/** The handshake of a secure connection was completed on this side. */
export class RemoteClusterConfirmed implements DomainEvent {
  readonly name = 'remote_cluster.confirmed';
  constructor(
    readonly remoteId: string,
    /** The key of the row. Deleted connections with the same `remoteId` have other keys. */
    readonly rowId: string,
  ) {}
}
