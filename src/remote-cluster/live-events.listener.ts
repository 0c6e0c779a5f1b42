import { Injectable } from '@nestjs/common';
import { LiveEventsService } from '../messaging/live/live-events.service.js';
import { OnEverywhere } from '../platform/events/listeners.js';
import {
  RemoteClusterCameOnline,
  RemoteClusterConfirmed,
  RemoteClusterCreated,
  RemoteClusterDeleted,
  RemoteClusterUpdated,
  RemoteClusterWentOffline,
} from './remote-cluster.events.js';

/** Pushes changes of secure connections to connected system administrators. */
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
