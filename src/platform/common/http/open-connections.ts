import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Logger } from '@nestjs/common';

/** Tracks the connections of an HTTP server, so that it can finish running requests and then close them all. */
export class OpenConnections {
  private readonly logger = new Logger('Http');
  private readonly sockets = new Set<Socket>();
  private running = 0;
  private isFinishing = false;
  private onIdle: (() => void) | undefined;

  /** Tracks `server`, which must not have accepted connections yet. */
  constructor(private readonly server: Server) {
    server.on('connection', (socket: Socket) => {
      if (this.sockets.has(socket)) return; // it goes on after a refused upgrade
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
    server.on('error', (error: NodeJS.ErrnoException) => {
      if (server.listening)
        this.logger.warn(`A connection could not be accepted: ${error.code ?? error.message}.`);
    });
    server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
      this.running++;
      if (this.isFinishing) response.setHeader('Connection', 'close');
      response.once('close', () => this.onAnswered());
    });
  }

  /**
   * Accepts no new connections, closes idle ones, and resolves once every running request is answered. Upgraded
   * connections stay open: their module closes them.
   */
  async finish(): Promise<void> {
    this.isFinishing = true;
    this.server.close();
    this.server.closeIdleConnections();
    if (this.running > 0) await new Promise<void>((resolve) => (this.onIdle = resolve));
    this.server.closeAllConnections(); // connections that never sent a complete request
  }

  /** Destroys all connections, including upgraded ones. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  private onAnswered(): void {
    this.running--;
    if (!this.isFinishing) return;
    if (this.running === 0)
      setImmediate(() => this.onIdle?.()); // by then the kernel has the last bytes
    else setImmediate(() => this.server.closeIdleConnections());
  }
}
