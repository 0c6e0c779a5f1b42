import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { MetricsService } from '../../platform/metrics/metrics.service.js';
import { TeamTriggersCache } from '../matching/team-triggers-cache.js';
import { ENDPOINT_STATES } from './endpoint-index.js';

/** Counts the endpoints of webhooks by state. Metrics readers must not see their names. */
@Injectable()
export class EndpointMetrics {
  constructor({ registry }: MetricsService, cache: TeamTriggersCache) {
    new Gauge({
      name: 'hookline_webhook_endpoints',
      help: 'Endpoints that outgoing webhooks call, by the state of their callback URLs.',
      labelNames: ['state'],
      aggregator: 'max',
      registers: [registry],
      async collect() {
        const all = await cache.endpoints().then(
          (index) => index.all(),
          () => undefined,
        );
        for (const state of ENDPOINT_STATES)
          this.set({ state }, all ? all.filter((endpoint) => endpoint.state === state).length : NaN);
      },
    });
  }
}
