import { Injectable } from '@nestjs/common';
import { OnEvent } from '@nestjs/event-emitter';
import { LiveEventsService } from '../messaging/live/live-events.service.js';
import type { RemoteClusterChanged } from './events/remote-cluster-changed.event.js';

/** Tells connected system administrators what becomes of secure connections. */
@Injectable()
export class LiveEventsListener {
  constructor(private readonly live: LiveEventsService) {}

  @OnEvent('remote_cluster.created')
  @OnEvent('remote_cluster.confirmed')
  @OnEvent('remote_cluster.updated')
  @OnEvent('remote_cluster.deleted')
  @OnEvent('remote_cluster.online')
  @OnEvent('remote_cluster.offline')
  onRemoteClusterChanged({ change, remoteId }: RemoteClusterChanged): void {
    this.live.publish({
      event: `remote_cluster_${change}`,
      broadcast: { split: 'admins' },
      data: { remote_id: remoteId },
    });
  }
}
