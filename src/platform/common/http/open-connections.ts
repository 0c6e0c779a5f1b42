import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Logger } from '@nestjs/common';

/** The connections of an HTTP server, so that a stop can let what runs finish and leave nothing hanging. */
export class OpenConnections {
  private readonly logger = new Logger('Http');
  private readonly sockets = new Set<Socket>();
  private running = 0;
  private isFinishing = false;
  private onQuiet: (() => void) | undefined;

  /** Watches `server`, which must not have served anything yet. */
  constructor(private readonly server: Server) {
    server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
    server.on('error', (error: NodeJS.ErrnoException) => {
      if (server.listening)
        this.logger.warn(`A connection could not be taken: ${error.code ?? error.message}.`);
    });
    server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
      this.running++;
      if (this.isFinishing) response.setHeader('Connection', 'close');
      response.once('close', () => this.onAnswered());
    });
  }

  /**
   * Takes no new connection, closes the idle ones, and ends once every running request is answered. Connections that
   * were upgraded stay open: they are their module's to close.
   */
  async finish(): Promise<void> {
    this.isFinishing = true;
    this.server.close();
    this.server.closeIdleConnections();
    if (this.running > 0) await new Promise<void>((resolve) => (this.onQuiet = resolve));
    this.server.closeAllConnections(); // those that never sent a whole request
  }

  /** Cuts every connection, upgraded ones as well. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  private onAnswered(): void {
    this.running--;
    if (!this.isFinishing) return;
    if (this.running === 0)
      setImmediate(() => this.onQuiet?.()); // the last bytes are with the kernel by then
    else setImmediate(() => this.server.closeIdleConnections());
  }
}
