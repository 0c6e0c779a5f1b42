import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { MetricsService } from '../../platform/metrics/metrics.service.js';

/** Metrics of the outbound client. What is called without a new connection uses one that was kept open. */
@Injectable()
export class OutboundMetrics {
  private readonly calls: Counter;
  private readonly connections: Counter;

  constructor({ registry }: MetricsService) {
    const registers = [registry];
    this.calls = new Counter({
      name: 'hookline_outbound_calls_total',
      help: 'Calls to other servers, those that did not reach them included.',
      registers,
    });
    this.connections = new Counter({
      name: 'hookline_outbound_connections_opened_total',
      help: 'Connections that were opened for calls to other servers.',
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
