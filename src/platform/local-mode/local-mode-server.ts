import { once } from 'node:events';
import type { Server } from 'node:http';
import { ApiExpressAdapter } from '../common/http/api-express.adapter.js';
import type { HttpRequest } from '../common/http/http-request.js';
import { OpenConnections } from '../common/http/open-connections.js';
import { listenOnSocketFile } from './socket-file.js';

/**
 * Serves the API on a Unix socket. Callers have every permission but no user; the mode of the file restricts
 * who can connect (docs/contract/conventions.md#local-mode). Closing the server removes the file.
 */
export class LocalModeServer {
  private readonly connections: OpenConnections;

  private constructor(private readonly server: Server) {
    this.connections = new OpenConnections(server);
  }

  /** Listens on the socket file `path`. Throws LocalSocketRefused. */
  static async open(adapter: ApiExpressAdapter, path: string): Promise<LocalModeServer> {
    const server = adapter.createServer((request) => {
      (request as HttpRequest).isLocal = true;
    });
    const local = new LocalModeServer(server);
    await listenOnSocketFile(server, path);
    return local;
  }

  /** Accepts no new connections; resolves once the open ones have ended or are no longer in use. */
  drain(): Promise<void> {
    return this.connections.drain();
  }

  /** Accepts no new requests; resolves once all running ones are answered. */
  async finish(): Promise<void> {
    const closed = once(this.server, 'close');
    await this.connections.finish();
    await closed;
  }

  /** Closes all connections at once. */
  cut(): void {
    this.connections.cut();
  }
}
