import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EventDeliveries } from '../outgoing-hooks/events/event-deliveries.js';
import { EventRights } from '../outgoing-hooks/events/event-rights.js';
import { InTransaction } from '../platform/events/listeners.js';
import { RemoteClusterPermission } from '../remote-cluster/peer/remote-peer.guard.js';
import {
  RemoteClusterCameOnline,
  RemoteClusterWentOffline,
} from '../remote-cluster/remote-cluster.events.js';
import { RemoteClusterRecords } from '../remote-cluster/remote-cluster-records.js';

/** Announces peers that go offline or come online to outgoing webhooks, in the transaction of the change. */
@Injectable()
export class ConnectionEventsListener implements OnModuleInit {
  constructor(
    private readonly events: EventDeliveries,
    private readonly rights: EventRights,
    private readonly clusters: RemoteClusterRecords,
  ) {}

  onModuleInit(): void {
    this.rights.connectionPermission = RemoteClusterPermission.ManageSecureConnections;
  }

  @InTransaction(RemoteClusterWentOffline)
  onOffline({ remoteId }: RemoteClusterWentOffline): Promise<void> {
    return this.announce('connection.offline', remoteId);
  }

  @InTransaction(RemoteClusterCameOnline)
  onOnline({ remoteId }: RemoteClusterCameOnline): Promise<void> {
    return this.announce('connection.online', remoteId);
  }

  private async announce(event: 'connection.offline' | 'connection.online', remoteId: string): Promise<void> {
    const cluster = await this.clusters.findLive(remoteId);
    if (!cluster) return;
    const connection = { id: remoteId, name: cluster.displayName };
    await this.events.announceConnection(event, connection);
  }
}
