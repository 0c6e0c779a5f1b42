import { once } from 'node:events';
import type { Server } from 'node:http';
import { FastExpressAdapter } from '../common/http/fast-express.adapter.js';
import type { HttpRequest } from '../common/http/http-request.js';
import { OpenConnections } from '../common/http/open-connections.js';
import { listenOnSocketFile } from './socket-file.js';

/**
 * The same API on a Unix socket: whoever may open the file acts with every permission and without a user
 * (docs/contract/conventions.md#local-mode). The file goes with the server.
 */
export class LocalModeServer {
  private readonly connections: OpenConnections;

  private constructor(private readonly server: Server) {
    this.connections = new OpenConnections(server);
  }

  /** Throws LocalSocketRefused with a sentence. */
  static async open(adapter: FastExpressAdapter, path: string): Promise<LocalModeServer> {
    const server = adapter.createServer((request) => {
      (request as HttpRequest).isLocal = true;
    });
    const local = new LocalModeServer(server);
    await listenOnSocketFile(server, path);
    return local;
  }

  /** Takes nothing new and ends once every running request is answered. */
  async finish(): Promise<void> {
    const closed = once(this.server, 'close');
    await this.connections.finish();
    await closed;
  }

  /** Cuts every connection. */
  cut(): void {
    this.connections.cut();
  }
}
