import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { EventBus } from '../../platform/events/event-bus.js';
import { RemoteClusterCameOnline, RemoteClusterWentOffline } from '../remote-cluster.events.js';
import type { RemoteCluster } from '../remote-cluster.entity.js';
import { RemoteClusterRecords } from '../remote-cluster-records.js';
import { RemoteClusterSettings } from '../remote-cluster.settings.js';
import { RemoteClustersRepository } from '../remote-clusters.repository.js';

/** A ping and what is written before and after it take less. */
const CLAIM_MS = 20_000;

/**
 * Lets one ping at a time go to a peer, stores how it ended, and announces each change between online and offline once:
 * all by compare-and-set on the row, so it does not matter how many processes there are. Of several processes, one that
 * dies keeps its claim for seconds; what comes of a claim that was lost counts for nothing.
 */
@Injectable()
export class PeerPresence {
  constructor(
    private readonly repository: RemoteClustersRepository,
    private readonly clusters: RemoteClusterRecords,
    private readonly unitOfWork: UnitOfWork,
    private readonly events: EventBus,
    private readonly clock: Clock,
    private readonly settings: RemoteClusterSettings,
  ) {}

  /**
   * Claims the ping of a peer. Returns until when it must have ended, which is the proof of the claim as well; undefined
   * if a ping is under way, or the connection was deleted.
   */
  async claim({ id }: RemoteCluster): Promise<number | undefined> {
    const now = this.clock.now();
    const until = now + CLAIM_MS;
    const isMine = await this.unitOfWork.run(() =>
      // An end that far ahead is of a clock that was set back since.
      this.repository.claimPing(id, { now, until, latest: until + CLAIM_MS }),
    );
    return isMine ? until : undefined;
  }

  /** Ends what a process has claimed that died, if this one serves the database alone now. Call it before the first claim. */
  async start(): Promise<void> {
    const { unitOfWork, repository } = this;
    if (!unitOfWork.changes.isShared) await unitOfWork.run(() => repository.endAllPings());
  }

  /** The peer has answered. Returns false if the claim was lost, or the connection deleted. */
  answered(cluster: RemoteCluster, until: number, at: number): Promise<boolean> {
    const { id, remoteId } = cluster;
    return this.clusters.write(cluster, async () => {
      if (!(await this.repository.endPing(id, until, { lastPingAt: at }))) return false;
      if (await this.repository.announceOnline(id, at))
        await this.events.publish(new RemoteClusterCameOnline(remoteId, id));
      return true;
    });
  }

  /** The peer has not answered. */
  async failed(cluster: RemoteCluster, until: number): Promise<void> {
    await this.unitOfWork.run(async () => {
      if (await this.repository.endPing(cluster.id, until)) await this.notHeardOf(cluster);
    });
  }

  /** The ping was not made, or not to its end: others may try. */
  async release({ id }: RemoteCluster, until: number): Promise<void> {
    await this.unitOfWork.run(() => this.repository.endPing(id, until));
  }

  /** Announces a peer as offline that has not answered for long, if nobody has yet. */
  async notHeardOf({ id, remoteId }: RemoteCluster): Promise<void> {
    const since = this.clock.now() - this.settings.peerOfflineAfterMs;
    await this.unitOfWork.run(async () => {
      if (await this.repository.announceOffline(id, since))
        await this.events.publish(new RemoteClusterWentOffline(remoteId, id));
    });
  }
}
