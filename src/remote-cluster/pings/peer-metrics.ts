import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram } from 'prom-client';
import { MetricsService } from '../../platform/metrics/metrics.service.js';

const ROUND_TRIP_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];

/** Metrics of the peers of secure connections. Their ids are not secret. */
@Injectable()
export class PeerMetrics {
  private readonly onlineGauge: Gauge;
  private readonly pings: Counter;
  private readonly roundTrip: Histogram;
  private readonly skew: Gauge;

  constructor(metrics: MetricsService) {
    const registers = [metrics.registry];
    this.onlineGauge = new Gauge({
      name: 'hookline_peer_online',
      help: '1 while the peer of a secure connection answers pings.',
      labelNames: ['remote_id'],
      registers,
    });
    this.pings = new Counter({
      name: 'hookline_peer_pings_total',
      help: 'Pings to peers by outcome.',
      labelNames: ['remote_id', 'outcome'],
      registers,
    });
    this.roundTrip = new Histogram({
      name: 'hookline_peer_ping_seconds',
      help: 'From a ping to its answer.',
      labelNames: ['remote_id'],
      buckets: ROUND_TRIP_SECONDS,
      registers,
    });
    this.skew = new Gauge({
      name: 'hookline_peer_clock_skew_seconds',
      help: 'How far the clock of a peer is ahead of ours.',
      labelNames: ['remote_id'],
      registers,
    });
  }

  online(remoteId: string, isOnline: boolean): void {
    this.onlineGauge.set({ remote_id: remoteId }, Number(isOnline));
  }

  answered(remoteId: string, roundTripMs: number, skewMs: number | undefined): void {
    this.pings.inc({ remote_id: remoteId, outcome: 'answered' });
    this.roundTrip.observe({ remote_id: remoteId }, roundTripMs / 1000);
    if (skewMs !== undefined) this.skew.set({ remote_id: remoteId }, skewMs / 1000);
  }

  failed(remoteId: string): void {
    this.pings.inc({ remote_id: remoteId, outcome: 'failed' });
  }

  forget(remoteId: string): void {
    const labels = { remote_id: remoteId };
    this.onlineGauge.remove(labels);
    this.roundTrip.remove(labels);
    this.skew.remove(labels);
    for (const outcome of ['answered', 'failed']) this.pings.remove({ ...labels, outcome });
  }
}
