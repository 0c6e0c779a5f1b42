import { Injectable } from '@nestjs/common';
import { LiveEventsService } from '../messaging/live/live-events.service.js';
import { OnEverywhere } from '../platform/events/listeners.js';
import { RemoteClusterCameOnline } from './events/remote-cluster-came-online.event.js';
import { RemoteClusterConfirmed } from './events/remote-cluster-confirmed.event.js';
import { RemoteClusterCreated } from './events/remote-cluster-created.event.js';
import { RemoteClusterDeleted } from './events/remote-cluster-deleted.event.js';
import { RemoteClusterUpdated } from './events/remote-cluster-updated.event.js';
import { RemoteClusterWentOffline } from './events/remote-cluster-went-offline.event.js';

/** Sends changes of secure connections to the live connections of system administrators. */
@Injectable()
export class LiveEventsListener {
  constructor(private readonly live: LiveEventsService) {}

  @OnEverywhere(RemoteClusterCreated)
  @OnEverywhere(RemoteClusterConfirmed)
  @OnEverywhere(RemoteClusterUpdated)
  @OnEverywhere(RemoteClusterDeleted)
  @OnEverywhere(RemoteClusterCameOnline)
  @OnEverywhere(RemoteClusterWentOffline)
  onRemoteClusterChanged({ name, remoteId }: { readonly name: string; readonly remoteId: string }): void {
    this.live.publish({
      event: name.replace('.', '_'),
      broadcast: { split: 'admins' },
      data: { remote_id: remoteId },
    });
  }
}
