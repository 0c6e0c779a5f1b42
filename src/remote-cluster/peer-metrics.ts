import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram } from 'prom-client';
import { Clock } from '../platform/common/clock.js';
import { OnEverywhere } from '../platform/events/listeners.js';
import { MetricsService } from '../platform/metrics/metrics.service.js';
import { RemoteClusterSettings } from './remote-cluster.settings.js';
import { RemoteClustersCounted } from './remote-cluster.events.js';

const ROUND_TRIP_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];

/** In ping intervals; a round comes after at most three intervals while the database is available. */
const ROUNDS_KNOWN = 4;

interface Peer {
  readonly answeredAt: number;
  readonly skewSeconds: number;
}

interface Counts {
  readonly online: number;
  readonly offline: number;
}

/**
 * Aggregate metrics of secure connection peers; the API and the log identify individual peers. Any process
 * may ping next, so gauges are the same in each process, or count only recent data.
 */
@Injectable()
export class PeerMetrics {
  private readonly peers = new Map<string, Peer>();
  private counted: Counts | undefined;
  private countedAt = -Infinity;
  private readonly pings: Counter;
  private readonly roundTrip: Histogram;
  private readonly messages: Counter;

  constructor(
    metrics: MetricsService,
    private readonly clock: Clock,
    private readonly settings: RemoteClusterSettings,
  ) {
    const registers = [metrics.registry];
    const peers = new Gauge({
      name: 'hookline_peers',
      help: 'Peers of secure connections, by whether they answer pings.',
      aggregator: 'max',
      labelNames: ['state'],
      registers,
      collect: () => {
        peers.reset(); // unknown values must not hide those of another worker
        for (const [state, count] of Object.entries<number>({ ...this.counts() }))
          peers.set({ state }, count);
      },
    });
    this.pings = new Counter({
      name: 'hookline_peer_pings_total',
      help: 'Pings to peers by outcome.',
      labelNames: ['outcome'],
      registers,
    });
    this.roundTrip = new Histogram({
      name: 'hookline_peer_ping_seconds',
      help: 'Time from a ping to its response.',
      buckets: ROUND_TRIP_SECONDS,
      registers,
    });
    this.messages = new Counter({
      name: 'hookline_peer_messages_total',
      help: 'Messages to and from peers by outcome: each attempt to send one, and each received one.',
      labelNames: ['direction', 'outcome'],
      registers,
    });
    const skew = new Gauge({
      name: 'hookline_peer_clock_skew_seconds',
      help: 'Clock offset of the peer that differs most from ours, ahead or behind.',
      aggregator: 'max',
      registers,
      collect: () => {
        skew.set(this.mostSkew());
      },
    });
  }

  answered(remoteId: string, roundTripMs: number, skewMs: number | undefined): void {
    this.pings.inc({ outcome: 'answered' });
    this.roundTrip.observe(roundTripMs / 1000);
    const skewSeconds = skewMs === undefined ? this.peers.get(remoteId)?.skewSeconds : skewMs / 1000;
    if (skewSeconds !== undefined) this.peers.set(remoteId, { answeredAt: this.clock.now(), skewSeconds });
  }

  failed(): void {
    this.pings.inc({ outcome: 'failed' });
  }

  sent(outcome: 'accepted' | 'refused' | 'retrying'): void {
    this.messages.inc({ direction: 'sent', outcome });
  }

  received(outcome: 'accepted' | 'refused' | 'failed'): void {
    this.messages.inc({ direction: 'received', outcome });
  }

  forget(remoteId: string): void {
    this.peers.delete(remoteId);
  }

  /** A ping round has counted the peers, here or in another process. */
  @OnEverywhere(RemoteClustersCounted)
  onCounted({ online, offline }: RemoteClustersCounted): void {
    this.counted = { online, offline };
    this.countedAt = performance.now();
  }

  /** The counts of the last round; undefined if it was too long ago. */
  private counts(): Counts | undefined {
    const { enableRemoteClusters, peerPingIntervalMs } = this.settings;
    if (!enableRemoteClusters) return { online: 0, offline: 0 };
    return performance.now() - this.countedAt < ROUNDS_KNOWN * peerPingIntervalMs ? this.counted : undefined;
  }

  private mostSkew(): number {
    const since = this.clock.now() - this.settings.peerOfflineAfterMs;
    let most = 0;
    for (const [remoteId, { answeredAt, skewSeconds }] of this.peers) {
      if (answeredAt <= since) this.peers.delete(remoteId);
      else most = Math.max(most, Math.abs(skewSeconds));
    }
    return most;
  }
}
