import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { EventBus } from '../../platform/events/event-bus.js';
import { RemoteClusterCameOnline, RemoteClusterWentOffline } from '../remote-cluster.events.js';
import type { RemoteCluster } from '../remote-cluster.entity.js';
import { RemoteClusterRecords } from '../remote-cluster-records.js';
import { RemoteClusterSettings } from '../remote-cluster.settings.js';
import { RemoteClustersRepository } from '../remote-clusters.repository.js';
import { stackOf } from '../../platform/common/errors/stack-of.js';
import { isDatabaseUnavailable } from '../../platform/database/database-errors.js';

/** Longer than a ping and the writes before and after it. */
const CLAIM_MS = 20_000;

/** Calls of a peer are recorded at most once per interval. */
const RECORD_EVERY_MS = 10_000;

/**
 * Allows one ping at a time per peer, stores its result, and announces each change between online and offline
 * once. Uses compare-and-set on the row, so it works with any number of processes. The claim of a process
 * that dies expires after seconds; results of a lost claim are discarded. Also records when peers call.
 */
@Injectable()
export class PeerPresence implements BeforeApplicationShutdown {
  private readonly logger = new Logger(PeerPresence.name);
  private readonly notedAt = new Map<string, number>();
  private readonly writes = new Set<Promise<void>>();

  constructor(
    private readonly repository: RemoteClustersRepository,
    private readonly clusters: RemoteClusterRecords,
    private readonly unitOfWork: UnitOfWork,
    private readonly events: EventBus,
    private readonly clock: Clock,
    private readonly settings: RemoteClusterSettings,
  ) {}

  /**
   * Claims the ping of a peer. Returns its deadline, which also serves as proof of the claim; undefined if a
   * ping is in progress or the connection was deleted.
   */
  async claim({ id }: RemoteCluster): Promise<number | undefined> {
    const now = this.clock.now();
    const until = now + CLAIM_MS;
    const isMine = await this.unitOfWork.run(() =>
      // A deadline that far ahead means that the clock was set back since.
      this.repository.claimPing(id, now, until, until + CLAIM_MS),
    );
    return isMine ? until : undefined;
  }

  /** Clears claims of dead processes if this is the only process. Must be called before the first claim. */
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

  async failed(cluster: RemoteCluster, until: number): Promise<void> {
    await this.unitOfWork.run(async () => {
      if (await this.repository.endPing(cluster.id, until)) await this.notHeardOf(cluster);
    });
  }

  async release({ id }: RemoteCluster, until: number): Promise<void> {
    await this.unitOfWork.run(() => this.repository.endPing(id, until));
  }

  /** Announces a peer as offline if it has not answered for too long and was not announced yet. */
  async notHeardOf({ id, remoteId }: RemoteCluster): Promise<void> {
    const since = this.clock.now() - this.settings.peerOfflineAfterMs;
    await this.unitOfWork.run(async () => {
      if (await this.repository.announceOffline(id, since))
        await this.events.publish(new RemoteClusterWentOffline(remoteId, id));
    });
  }

  /** Records an authenticated call by a peer, in the background: calls neither wait for it nor fail because of it. */
  noteCall({ id }: RemoteCluster): void {
    const now = this.clock.now();
    const before = this.notedAt.get(id) ?? 0;
    if (Math.abs(now - before) < RECORD_EVERY_MS) return;
    this.notedAt.set(id, now);
    const write: Promise<void> = this.writeCall(id, now).finally(() => this.writes.delete(write));
    this.writes.add(write);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.writes);
  }

  private async writeCall(id: string, now: number): Promise<void> {
    try {
      await this.repository.noteHeard(id, now);
    } catch (error) {
      this.notedAt.delete(id); // the next call tries again
      if (!isDatabaseUnavailable(error))
        this.logger.error('A call of a peer could not be recorded.', stackOf(error));
    }
  }
}
