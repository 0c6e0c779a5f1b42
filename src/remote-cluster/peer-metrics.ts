import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram } from 'prom-client';
import { MetricsService } from '../platform/metrics/metrics.service.js';

const ROUND_TRIP_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];

/** What is known of one peer. */
interface Peer {
  isOnline: boolean;
  /** How far its clock is ahead of ours. */
  skewSeconds: number;
}

/** Metrics of the peers of secure connections, all together: which one it is, the API and the log say. */
@Injectable()
export class PeerMetrics {
  private readonly peers = new Map<string, Peer>();
  private readonly pings: Counter;
  private readonly roundTrip: Histogram;
  private readonly messages: Counter;

  constructor(metrics: MetricsService) {
    const registers = [metrics.registry];
    const peers = (): Peer[] => [...this.peers.values()];
    new Gauge({
      name: 'hookline_peers',
      help: 'Peers of secure connections, by whether they answer pings.',
      aggregator: 'max',
      labelNames: ['state'],
      registers,
      collect() {
        const online = peers().filter(({ isOnline }) => isOnline).length;
        this.set({ state: 'online' }, online);
        this.set({ state: 'offline' }, peers().length - online);
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
      help: 'From a ping to its answer.',
      buckets: ROUND_TRIP_SECONDS,
      registers,
    });
    this.messages = new Counter({
      name: 'hookline_peer_messages_total',
      help: 'Messages to and from peers by outcome: each attempt to send one, and each one received.',
      labelNames: ['direction', 'outcome'],
      registers,
    });
    new Gauge({
      name: 'hookline_peer_clock_skew_seconds',
      help: 'How far the clock of a peer is ahead of ours: that of the peer whose clock differs most.',
      aggregator: 'max',
      registers,
      collect() {
        const skews = peers().map(({ skewSeconds }) => skewSeconds);
        this.set(skews.reduce((most, skew) => (Math.abs(skew) > Math.abs(most) ? skew : most), 0));
      },
    });
  }

  online(remoteId: string, isOnline: boolean): void {
    this.of(remoteId).isOnline = isOnline;
  }

  answered(remoteId: string, roundTripMs: number, skewMs: number | undefined): void {
    this.pings.inc({ outcome: 'answered' });
    this.roundTrip.observe(roundTripMs / 1000);
    if (skewMs !== undefined) this.of(remoteId).skewSeconds = skewMs / 1000;
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

  private of(remoteId: string): Peer {
    let peer = this.peers.get(remoteId);
    if (!peer) this.peers.set(remoteId, (peer = { isOnline: false, skewSeconds: 0 }));
    return peer;
  }
}
