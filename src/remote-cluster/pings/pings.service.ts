import { setMaxListeners } from 'node:events';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { On, OnEverywhere } from '../../platform/events/listeners.js';
import { stackOf } from '../../platform/common/errors/stack-of.js';
import { Clock } from '../../platform/common/clock.js';
import { EventBus } from '../../platform/events/event-bus.js';
import { RemoteClusterSettings } from '../remote-cluster.settings.js';
import { isDatabaseUnavailable } from '../../platform/database/database-errors.js';
import { type Schedule, type ScheduledRun, Schedules } from '../../platform/database/schedules/schedules.js';
import { RemoteClusterCameOnline } from '../events/remote-cluster-came-online.event.js';
import { RemoteClusterConfirmed } from '../events/remote-cluster-confirmed.event.js';
import { RemoteClusterDeleted } from '../events/remote-cluster-deleted.event.js';
import { RemoteClusterWentOffline } from '../events/remote-cluster-went-offline.event.js';
import { PeerMessages } from '../messages/peer-messages.service.js';
import { newFrame } from '../peer/frame.js';
import { PeerClient, PeerFailure } from '../peer/peer-client.js';
import type { RemoteCluster } from '../remote-cluster.entity.js';
import { isOnline } from '../remote-cluster.rules.js';
import { RemoteClusterRecords } from '../remote-cluster-records.js';
import { SecretUnreadable } from '../../platform/secrets/secret-box.js';
import { RemoteClusterTokens } from '../remote-cluster-tokens.js';
import { RemoteClusterNotFound } from '../remote-clusters.errors.js';
import { RemoteClustersRepository } from '../remote-clusters.repository.js';
import { PeerMetrics } from '../peer-metrics.js';

const PING_TIMEOUT_MS = 15_000;
const MAX_AT_ONCE = 64;
const FAILURE = 'A ping failed.';

/**
 * Pings every confirmed peer each PEER_PING_INTERVAL and announces when a peer comes online or goes offline
 * (docs/contract/secure-connections.md#ping). Of several processes one does a round.
 */
@Injectable()
export class PingsService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(PingsService.name);
  private readonly abort = new AbortController();
  /** The last announced state of each peer, by row. */
  private readonly online = new Map<string, boolean>();
  private readonly running = new Map<string, Promise<void>>();
  private readonly due = new Map<string, RemoteCluster>();
  /** Deleted rows that a list or a ping in progress may still hold. */
  private readonly deleted = new Set<string>();
  private isListing = false;
  private readonly rounds: Schedule;
  /** When another process did the last round; 0 if it was this one. */
  private lastRoundAt = 0;

  constructor(
    private readonly repository: RemoteClustersRepository,
    private readonly clusters: RemoteClusterRecords,
    private readonly peers: PeerClient,
    private readonly tokens: RemoteClusterTokens,
    private readonly messages: PeerMessages,
    private readonly metrics: PeerMetrics,
    private readonly events: EventBus,
    private readonly clock: Clock,
    private readonly settings: RemoteClusterSettings,
    schedules: Schedules,
  ) {
    const work = (run: ScheduledRun): Promise<void> => this.startRound(run);
    this.rounds = schedules.add({ name: 'pings', owner: PingsService.name, failure: FAILURE, work });
    setMaxListeners(0, this.abort.signal); // one listener for each call
  }

  onApplicationBootstrap(): void {
    if (!this.settings.enableRemoteClusters) return;
    this.rounds.start(this.settings.peerPingIntervalMs);
    void this.rounds.runIfDue();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.abort.abort();
    await this.rounds.stop();
    await Promise.all(this.running.values());
  }

  /** Pings a new connection without waiting for the next round. */
  @On(RemoteClusterConfirmed)
  onConfirmed({ remoteId, rowId }: RemoteClusterConfirmed): void {
    void this.runOnce(rowId, async () => {
      const cluster = await this.clusters.findLive(remoteId);
      if (cluster?.id === rowId && !this.deleted.has(rowId)) await this.pingOnce(cluster);
    });
  }

  @OnEverywhere(RemoteClusterDeleted)
  onDeleted({ rowId, remoteId }: RemoteClusterDeleted): void {
    if (this.isListing || this.running.has(rowId)) this.deleted.add(rowId);
    this.online.delete(rowId);
    this.due.delete(rowId);
    this.metrics.forget(remoteId);
  }

  private async startRound({ wasHere, lastAt }: ScheduledRun): Promise<void> {
    if (!wasHere) this.online.clear(); // what was announced since is in the rows
    this.lastRoundAt = wasHere ? 0 : lastAt;
    this.due.clear();
    this.isListing = true;
    try {
      for (const cluster of await this.repository.listConfirmed()) {
        await this.updateOnline(cluster, cluster.lastPingAt);
        if (!this.running.has(cluster.id) && !this.deleted.has(cluster.id)) this.due.set(cluster.id, cluster);
      }
    } finally {
      this.isListing = false;
      for (const id of this.deleted) if (!this.running.has(id)) this.deleted.delete(id);
    }
    this.startDue();
  }

  /** Starts as many due pings as there is room for. A peer that hangs delays no other beyond its own slot. */
  private startDue(): void {
    for (const [id, cluster] of this.due) {
      if (this.running.size >= MAX_AT_ONCE || this.abort.signal.aborted) return;
      this.due.delete(id);
      void this.ping(cluster).finally(() => this.startDue());
    }
  }

  private ping(cluster: RemoteCluster): Promise<void> {
    return this.runOnce(cluster.id, () => this.pingOnce(cluster));
  }

  /** Does the work for a row, or joins what is in progress for it. Never throws; does nothing for a deleted row. */
  private runOnce(id: string, work: () => Promise<void>): Promise<void> {
    if (this.deleted.has(id)) return Promise.resolve();
    let running = this.running.get(id);
    if (!running) {
      running = work()
        .catch((error: unknown) => this.report(error))
        .finally(() => {
          this.running.delete(id);
          if (!this.isListing) this.deleted.delete(id);
        });
      this.running.set(id, running);
    }
    return running;
  }

  private async pingOnce(cluster: RemoteCluster): Promise<void> {
    const { id, remoteId, siteUrl } = cluster;
    const sentAt = this.clock.now();
    const startedAt = performance.now();
    const frame = newFrame(remoteId, 'ping', sentAt, { sent_at: sentAt, recv_at: 0 });
    try {
      const token = this.tokens.remoteToken(cluster);
      const reply = await this.peers.send(
        { remoteId, siteUrl, token },
        'ping',
        frame,
        PING_TIMEOUT_MS,
        this.abort.signal,
      );
      if (this.deleted.has(id)) return;
      const now = this.clock.now();
      this.metrics.answered(remoteId, performance.now() - startedAt, skewOf(reply['recv_at'], sentAt, now));
      await this.clusters.update(cluster, { lastPingAt: now });
      await this.updateOnline(cluster, now);
      this.messages.peerAnswers(id);
    } catch (error) {
      if (error instanceof RemoteClusterNotFound) return; // deleted in the meantime
      if (error instanceof SecretUnreadable) this.report(error);
      else if (!(error instanceof PeerFailure)) throw error;
      if (this.abort.signal.aborted || this.deleted.has(id)) return;
      this.metrics.failed();
      this.logger.debug(`The peer of the connection ${remoteId} did not answer a ping: ${error.message}`);
      await this.updateOnline(cluster, cluster.lastPingAt);
    }
  }

  /**
   * Announces a change between online and offline. After a start, the state in the row counts as announced; after the
   * round of another process, the state as it was then.
   */
  private async updateOnline(cluster: RemoteCluster, lastPingAt: number): Promise<void> {
    const { id, remoteId } = cluster;
    if (this.deleted.has(id)) return;
    const now = this.clock.now();
    const isOnlineNow = isOnline({ ...cluster, lastPingAt }, now, this.settings.peerOfflineAfterMs);
    const wasOnline =
      this.online.get(id) ?? isOnline(cluster, this.lastRoundAt || now, this.settings.peerOfflineAfterMs);
    this.online.set(id, isOnlineNow);
    if (isOnlineNow === wasOnline) return;
    const event = isOnlineNow
      ? new RemoteClusterCameOnline(remoteId, id)
      : new RemoteClusterWentOffline(remoteId, id);
    await this.events.publish(event);
  }

  private report(error: unknown): void {
    if (isDatabaseUnavailable(error) || this.abort.signal.aborted) return; // the next round tries again
    this.logger.error(FAILURE, stackOf(error));
  }
}

/** How far the peer's clock is ahead of ours, assuming that request and reply took equally long. */
function skewOf(receivedAt: unknown, sentAt: number, now: number): number | undefined {
  if (typeof receivedAt !== 'number' || !Number.isFinite(receivedAt) || receivedAt <= 0) return undefined;
  return receivedAt - (sentAt + now) / 2;
}
