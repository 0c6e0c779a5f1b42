import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../platform/common/clock.js';
import { type Schedule, Schedules } from '../platform/database/schedules/schedules.js';
import { On } from '../platform/events/listeners.js';
import { RemoteClusterDeleted } from '../remote-cluster/remote-cluster.events.js';
import type { RemoteCluster } from '../remote-cluster/remote-cluster.entity.js';
import { RemoteClusterRecords } from '../remote-cluster/remote-cluster-records.js';
import { RemoteClusterSettings } from '../remote-cluster/remote-cluster.settings.js';
import { FailuresService } from './failures.service.js';

const DAY_MS = 86_400_000;
const PING_TIMEOUT_MS = 15_000;

/** Tells who made a secure connection that its peer has been away for a day, and that it is back. */
@Injectable()
export class PeerWatch implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly rounds: Schedule;
  private startedAt = 0;

  constructor(
    private readonly connections: RemoteClusterRecords,
    private readonly failures: FailuresService,
    private readonly remotes: RemoteClusterSettings,
    private readonly clock: Clock,
    schedules: Schedules,
  ) {
    this.rounds = schedules.add({
      name: 'watch of peers',
      owner: PeerWatch.name,
      failure: 'Absent peers cannot be told.',
      work: () => this.look(),
    });
  }

  onApplicationBootstrap(): void {
    this.startedAt = this.clock.now();
    if (this.remotes.enableRemoteClusters) this.rounds.start(this.remotes.peerPingIntervalMs);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.rounds.stop();
  }

  @On(RemoteClusterDeleted)
  onDeleted({ rowId }: RemoteClusterDeleted): void {
    this.failures.forget(rowId);
  }

  /** After a start, peers get the time to answer first: the server itself may have been away. */
  private async look(): Promise<void> {
    const now = this.clock.now();
    const graceMs = 2 * this.remotes.peerPingIntervalMs + PING_TIMEOUT_MS;
    for (const peer of await this.connections.listConfirmed()) {
      const lastSeenAt = Math.max(peer.lastPingAt, peer.createAt);
      if (now - lastSeenAt < DAY_MS) this.heal(peer);
      else if (now - this.startedAt >= graceMs) this.begin(peer);
    }
  }

  private begin(peer: RemoteCluster): void {
    const text = `The peer of your secure connection ${nameOf(peer)} has not answered for a day. Messages to it wait. You will be told when it is back.`;
    this.failures.begin({ subjectId: peer.id, endpoint: '', userId: peer.creatorId, stage: 1, text });
  }

  private heal(peer: RemoteCluster): void {
    const text = `The peer of your secure connection ${nameOf(peer)} answers again.`;
    this.failures.heal({ subjectId: peer.id, endpoint: '' }, text);
  }
}

function nameOf({ remoteId, name, displayName }: RemoteCluster): string {
  return JSON.stringify(displayName || name || remoteId);
}
