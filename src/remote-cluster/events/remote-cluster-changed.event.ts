import type { DomainEvent } from '../../platform/common/events/event-bus.js';

export type RemoteClusterChange = 'created' | 'confirmed' | 'updated' | 'deleted' | 'online' | 'offline';

/**
 * `remote_cluster.created | confirmed | updated | deleted | online | offline`: a secure connection changed.
 * `confirmed` comes on both sides once the handshake is over; `online` and `offline` once for each change.
 */
export class RemoteClusterChanged implements DomainEvent {
  readonly name: `remote_cluster.${RemoteClusterChange}`;
  constructor(
    readonly change: RemoteClusterChange,
    readonly remoteId: string,
    /** The key of the row, which differs from that of an earlier, deleted connection with the same id. */
    readonly rowId: string,
  ) {
    this.name = `remote_cluster.${change}`;
  }
}
