import { setMaxListeners } from 'node:events';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { On, OnEverywhere } from '../../platform/events/listeners.js';
import type { JsonObject } from '../../platform/common/json.js';
import { stackOf } from '../../platform/common/errors/stack-of.js';
import { Clock } from '../../platform/common/clock.js';
import { EventBus } from '../../platform/events/event-bus.js';
import { RemoteClusterSettings } from '../remote-cluster.settings.js';
import { isDatabaseUnavailable } from '../../platform/database/database-errors.js';
import { type Schedule, Schedules } from '../../platform/database/schedules/schedules.js';
import {
  RemoteClusterConfirmed,
  RemoteClusterDeleted,
  RemoteClustersCounted,
} from '../remote-cluster.events.js';
import { PeerMessages } from '../messages/peer-messages.service.js';
import { newFrame } from '../peer/frame.js';
import { PeerClient, PeerFailure } from '../peer/peer-client.js';
import type { RemoteCluster } from '../remote-cluster.entity.js';
import { isOnline } from '../remote-cluster.rules.js';
import { RemoteClusterRecords } from '../remote-cluster-records.js';
import { SecretUnreadable } from '../../platform/secrets/secret-box.js';
import { RemoteClusterTokens } from '../remote-cluster-tokens.js';
import { RemoteClustersRepository } from '../remote-clusters.repository.js';
import { PeerMetrics } from '../peer-metrics.js';
import { PeerPresence } from './peer-presence.js';

const PING_TIMEOUT_MS = 15_000;
const MAX_AT_ONCE = 64;
const FAILURE = 'A ping failed.';

export interface PingOutcome {
  readonly isAnswered: boolean;
  /** The time until the answer or the failure. */
  readonly roundTripMs: number;
  /** How far the peer's clock is ahead, if its answer includes the time. */
  readonly skewMs: number | undefined;
  /** A user-facing reason why there is no valid answer; empty if there is one. */
  readonly error: string;
  /** The HTTP status of an invalid answer, otherwise 0. */
  readonly status: number;
}

/**
 * Pings every confirmed peer each PEER_PING_INTERVAL (docs/contract/secure-connections.md#ping). Only one
 * process runs each round.
 */
@Injectable()
export class PingsService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(PingsService.name);
  private readonly abort = new AbortController();
  private readonly running = new Map<string, Promise<void>>();
  private readonly due = new Map<string, RemoteCluster>();
  private readonly rounds: Schedule;

  constructor(
    private readonly repository: RemoteClustersRepository,
    private readonly clusters: RemoteClusterRecords,
    private readonly presence: PeerPresence,
    private readonly peers: PeerClient,
    private readonly tokens: RemoteClusterTokens,
    private readonly messages: PeerMessages,
    private readonly metrics: PeerMetrics,
    private readonly events: EventBus,
    private readonly clock: Clock,
    private readonly settings: RemoteClusterSettings,
    schedules: Schedules,
  ) {
    const work = (): Promise<void> => this.startRound();
    this.rounds = schedules.add({ name: 'pings', owner: PingsService.name, failure: FAILURE, work });
    setMaxListeners(0, this.abort.signal); // one listener per call
  }

  async onApplicationBootstrap(): Promise<void> {
    if (!this.settings.enableRemoteClusters) return;
    await this.presence.start();
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
      if (cluster?.id === rowId) await this.pingOnce(cluster);
    });
  }

  /** Pings a peer now. Undefined if a ping to it is in progress in any process, or the server is stopping. */
  pingNow(cluster: RemoteCluster): Promise<PingOutcome | undefined> {
    if (this.running.has(cluster.id) || this.abort.signal.aborted) return Promise.resolve(undefined);
    const ping = this.pingOnce(cluster);
    void this.runOnce(cluster.id, () => ping.catch(() => undefined)); // the caller handles the error
    return ping;
  }

  @OnEverywhere(RemoteClusterDeleted)
  onDeleted({ rowId, remoteId }: RemoteClusterDeleted): void {
    this.due.delete(rowId);
    this.metrics.forget(remoteId);
  }

  private async startRound(): Promise<void> {
    const isOnlineNow = (cluster: RemoteCluster): boolean =>
      isOnline(cluster, this.clock.now(), this.settings.peerOfflineAfterMs);
    for (const cluster of this.due.values())
      // no slot was free for their pings since the last round
      if (cluster.isAnnouncedOnline && !isOnlineNow(cluster)) await this.presence.notHeardOf(cluster);
    this.due.clear();
    const clusters = await this.repository.listConfirmed();
    const online = clusters.filter(isOnlineNow).length;
    await this.events.publish(new RemoteClustersCounted(online, clusters.length - online));
    for (const cluster of clusters) if (!this.running.has(cluster.id)) this.due.set(cluster.id, cluster);
    this.startDue();
  }

  /** Starts due pings while slots are free. A hanging peer blocks only its own slot. */
  private startDue(): void {
    for (const [id, cluster] of this.due) {
      if (this.running.size >= MAX_AT_ONCE || this.abort.signal.aborted) return;
      this.due.delete(id);
      void this.runOnce(id, () => this.pingOnce(cluster)).finally(() => this.startDue());
    }
  }

  /** Does the work for a row, or joins what is in progress for it. Never throws. */
  private runOnce(id: string, work: () => Promise<unknown>): Promise<void> {
    let running = this.running.get(id);
    if (!running) {
      running = work()
        .then(() => undefined)
        .catch((error: unknown) => this.report(error))
        .finally(() => this.running.delete(id));
      this.running.set(id, running);
    }
    return running;
  }

  private async pingOnce(cluster: RemoteCluster): Promise<PingOutcome | undefined> {
    const until = await this.presence.claim(cluster);
    if (until === undefined) return undefined;
    const sentAt = this.clock.now();
    const startedAt = performance.now();
    const timeoutMs = Math.min(PING_TIMEOUT_MS, until - sentAt);
    if (timeoutMs <= 0) return undefined; // claiming took so long that another process may have taken over
    const reply = await this.call(cluster, sentAt, timeoutMs);
    const roundTripMs = performance.now() - startedAt;
    if (!(reply instanceof Error)) {
      const now = this.clock.now();
      if (!(await this.presence.answered(cluster, until, now))) return undefined;
      const skewMs = skewOf(reply['recv_at'], sentAt, now);
      this.metrics.answered(cluster.remoteId, roundTripMs, skewMs);
      this.messages.peerAnswers(cluster.id);
      return { isAnswered: true, roundTripMs, skewMs, error: '', status: 0 };
    }
    if (this.abort.signal.aborted) {
      await this.presence.release(cluster, until);
      return undefined;
    }
    this.metrics.failed();
    await this.presence.failed(cluster, until);
    const status = reply instanceof PeerFailure ? reply.status : 0;
    return { isAnswered: false, roundTripMs, skewMs: undefined, error: reply.message, status };
  }

  private async call(cluster: RemoteCluster, sentAt: number, timeoutMs: number): Promise<JsonObject | Error> {
    const { remoteId, siteUrl } = cluster;
    const frame = newFrame(remoteId, 'ping', sentAt, { sent_at: sentAt, recv_at: 0 });
    try {
      const token = this.tokens.remoteToken(cluster);
      const address = { remoteId, siteUrl, token };
      return await this.peers.send(address, 'ping', frame, timeoutMs, this.abort.signal);
    } catch (error) {
      if (error instanceof SecretUnreadable) this.report(error);
      else if (!(error instanceof PeerFailure)) throw error;
      this.logger.debug(`The peer of the connection ${remoteId} did not answer a ping: ${error.message}`);
      return error;
    }
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
