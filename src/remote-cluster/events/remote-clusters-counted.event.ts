import type { DomainEvent } from '../../platform/events/domain-event.js';

/** A round of pings has begun, and has counted the peers. */
export class RemoteClustersCounted implements DomainEvent {
  readonly name = 'remote_clusters.counted';
  constructor(
    /** Peers that have answered a ping recently. */
    readonly online: number,
    readonly offline: number,
  ) {}
}
