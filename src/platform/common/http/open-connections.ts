import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { type Socket, Server as NetServer } from 'node:net';
import { Logger } from '@nestjs/common';
import { clientBlock } from '../ip-address.js';

/** Extra time after the advertised keep-alive timeout, when clients no longer use idle connections. */
const DRAIN_SPARE_MS = 1_000;
const WARN_EVERY_MS = 60_000;

/** How many connections one address may have. */
export interface ConnectionLimit {
  readonly perAddress: number;
  readonly isProxy: (address: string) => boolean;
}

/**
 * Tracks the connections of an HTTP server, to finish running requests and then close all of them. With a
 * limit, excess connections of an address are closed at once (docs/contract/conventions.md#limits).
 */
export class OpenConnections {
  private readonly logger = new Logger('Http');
  private readonly sockets = new Set<Socket>();
  private readonly ofAddress = new Map<string, number>();
  private warnedAt = -Infinity;
  private running = 0;
  private isDraining = false;
  private isFinishing = false;
  private onIdle: (() => void) | undefined;

  /** Tracks `server`, which must not have accepted connections yet. */
  constructor(
    private readonly server: Server,
    private readonly limit?: ConnectionLimit,
  ) {
    server.on('connection', (socket: Socket) => {
      if (this.sockets.has(socket)) return; // reused after a refused upgrade
      if (!this.counts(socket)) return void socket.destroy();
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
    server.on('error', (error: NodeJS.ErrnoException) => {
      if (server.listening)
        this.logger.warn(`A connection could not be accepted: ${error.code ?? error.message}.`);
    });
    server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
      if (this.isFinishing || this.isDraining) response.setHeader('Connection', 'close');
      if (response.socket) this.onStarted(response);
      else response.once('socket', () => this.onStarted(response)); // pipelined
    });
  }

  /**
   * Accepts no new connections and lets the open ones end on their own: responses announce `Connection:
   * close`, and idle connections close when clients expect it, so no request is lost. Resolves when all have
   * ended, or after the keep-alive timeout plus a margin.
   */
  async drain(): Promise<void> {
    this.isDraining = true;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.server.keepAliveTimeout + DRAIN_SPARE_MS);
      // http.Server.close would close idle connections at once.
      NetServer.prototype.close.call(this.server, () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** Accepts no new connections, and resolves once every running request is answered. Upgraded ones stay open. */
  async finish(): Promise<void> {
    this.isFinishing = true;
    this.server.close();
    this.server.closeIdleConnections();
    if (this.running > 0) await new Promise<void>((resolve) => (this.onIdle = resolve));
    this.server.closeAllConnections(); // connections that never sent a complete request
  }

  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  /** Counts the connection with those of its address. False if there are too many. */
  private counts(socket: Socket): boolean {
    const { remoteAddress } = socket;
    if (!this.limit || remoteAddress === undefined || this.limit.isProxy(remoteAddress)) return true;
    const address = clientBlock(remoteAddress);
    const open = this.ofAddress.get(address) ?? 0;
    if (open >= this.limit.perAddress) {
      this.warn(address);
      return false;
    }
    this.ofAddress.set(address, open + 1);
    socket.once('close', () => {
      const left = (this.ofAddress.get(address) ?? 1) - 1;
      if (left > 0) this.ofAddress.set(address, left);
      else this.ofAddress.delete(address);
    });
    return true;
  }

  private warn(address: string): void {
    const now = performance.now();
    if (now - this.warnedAt < WARN_EVERY_MS) return;
    this.warnedAt = now;
    this.logger.warn(
      `Connections of ${address} are closed: it has ${this.limit?.perAddress} (CONNECTIONS_PER_ADDRESS).`,
    );
  }

  private onStarted(response: ServerResponse): void {
    if (response.socket?.destroyed) return; // never closes
    this.running++;
    response.once('close', () => this.onAnswered());
  }

  private onAnswered(): void {
    this.running--;
    if (!this.isFinishing) return;
    // By then the kernel has the last bytes, and a request already in transit may have arrived.
    setImmediate(() => {
      if (this.running === 0) this.onIdle?.();
      else this.server.closeIdleConnections();
    });
  }
}
