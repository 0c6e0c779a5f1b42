import type { Server } from 'node:http';
import type { ApiExpressAdapter } from '../common/http/api-express.adapter.js';
import type { HttpRequest } from '../common/http/http-request.js';
import { OpenConnections } from '../common/http/open-connections.js';

/** The server on METRICS_PORT, which serves only the metrics. The caller starts listening. */
export class MetricsServer {
  readonly server: Server;
  private readonly connections: OpenConnections;

  constructor(adapter: ApiExpressAdapter) {
    this.server = adapter.createServer((request) => {
      (request as HttpRequest).isForMetrics = true;
    });
    this.connections = new OpenConnections(this.server);
  }

  /** Accepts no new connections; resolves once the open ones have ended or are no longer in use. */
  drain(): Promise<void> {
    return this.connections.drain();
  }

  /** Accepts no new requests; resolves once all running ones are answered. */
  finish(): Promise<void> {
    return this.connections.finish();
  }

  /** Closes all connections at once. */
  cut(): void {
    this.connections.cut();
  }
}
