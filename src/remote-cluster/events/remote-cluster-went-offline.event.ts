import type { DomainEvent } from '../../platform/events/domain-event.js';

/** The peer of a secure connection no longer answers. */
export class RemoteClusterWentOffline implements DomainEvent {
  readonly name = 'remote_cluster.offline';
  constructor(
    readonly remoteId: string,
    /** The key of the row, which differs from that of an earlier, deleted connection with the same id. */
    readonly rowId: string,
  ) {}
}
