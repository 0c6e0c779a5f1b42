import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { MetricsService } from '../../platform/metrics/metrics.service.js';

/** Metrics of the outbound client. Calls without a new connection reuse an open one. */
@Injectable()
export class OutboundMetrics {
  private readonly calls: Counter;
  private readonly connections: Counter;

  constructor({ registry }: MetricsService) {
    const registers = [registry];
    this.calls = new Counter({
      name: 'hookline_outbound_calls_total',
      help: 'Calls to other servers, including failed connections.',
      registers,
    });
    this.connections = new Counter({
      name: 'hookline_outbound_connections_opened_total',
      help: 'New connections for calls to other servers.',
      registers,
    });
  }

  called(): void {
    this.calls.inc();
  }

  connected(): void {
    this.connections.inc();
  }
}
