import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { type WebSocket, WebSocketServer } from 'ws';
import type { HttpRequest } from '../../../platform/common/http/http-request.js';
import { clientBlock } from '../../../platform/common/ip-address.js';
import { stackOf } from '../../../platform/common/errors/stack-of.js';
import { AppError } from '../../../platform/common/errors/app-error.js';
import {
  badRequest,
  DatabaseUnavailable,
  internalError,
  RouteNotFound,
} from '../../../platform/common/errors/common-errors.js';
import { Settings } from '../../../platform/config/settings.js';
import { isDatabaseUnavailable } from '../../../platform/database/database-errors.js';
import { PeriodicTask } from '../../../platform/database/periodic-task.js';
import { LiveConnections } from '../connections/live-connections.js';
import { CloseCode, LiveSocket, type ResumePoint } from '../connections/live-socket.js';
import { WriteBatch } from '../connections/write-batch.js';
import { LiveAuthentication, type Proof } from '../live-authentication.js';
import { LiveLimits } from '../live-limits.js';
import {
  foreignOrigin,
  tooManyAnonymous,
  tooManyConnections,
  tooManyFrames,
  tooManyOfUser,
} from '../live.errors.js';
import { LiveClient } from './live-client.js';
import { LiveRouter } from './live-router.js';
import { isOwnOrigin } from './origin.js';
import { isUnclean } from '../../../platform/common/http/clean-path.js';
import { hasPendingAnswer } from '../../../platform/common/http/broken-request.js';
import { writeRawError } from '../../../platform/common/http/raw-answer.js';
import { serveWithoutUpgrade } from './without-upgrade.js';
import { pathOf, readUpgradeRequest } from './upgrade-request.js';

/** Accepts WebSockets on the server's port, and closes them when the server stops. */
@Injectable()
export class LiveGateway implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(LiveGateway.name);
  private readonly webSockets: WebSocketServer;
  private readonly batch = new WriteBatch();
  private readonly sweeps = new PeriodicTask(LiveGateway.name, 'Connections cannot be checked.', () =>
    this.checkPulses(),
  );
  private isStopping = false;

  constructor(
    private readonly http: HttpAdapterHost,
    private readonly settings: Settings,
    private readonly limits: LiveLimits,
    private readonly connections: LiveConnections,
    private readonly authentication: LiveAuthentication,
    private readonly router: LiveRouter,
  ) {
    this.webSockets = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      autoPong: false, // pings count as frames
      maxPayload: limits.maxFrameBytes,
    });
    this.webSockets.on('wsClientError', (error, socket) =>
      this.refuse(socket, badRequest(`This is not a valid WebSocket handshake: ${error.message}.`)),
    );
  }

  onApplicationBootstrap(): void {
    const server = this.http.httpAdapter.getHttpServer() as Server;
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      if (hasPendingAnswer(socket)) return void socket.destroy(); // two answers cannot share it
      const isWebSocket = request.headers.upgrade?.toLowerCase() === 'websocket';
      if (!isWebSocket || isUnclean(pathOf(request))) {
        return serveWithoutUpgrade(server, request, socket, head);
      }
      socket.on('error', () => socket.destroy());
      this.upgrade(request, socket, head).catch((error: unknown) => this.refuse(socket, error));
    });
    this.sweeps.start(this.limits.sweepEveryMs);
  }

  /** Closes all sockets before the HTTP server closes, which would otherwise wait for them forever. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await this.sweeps.stop();
    this.connections.endAll(CloseCode.GoingAway, 'The server is stopping.');
    const sockets = [...this.connections.allSockets()];
    for (const socket of sockets) socket.close(CloseCode.GoingAway, 'The server is stopping.');
    const deadline = performance.now() + this.limits.closeWithinMs;
    while (sockets.some((socket) => !socket.isClosed) && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    for (const socket of sockets) socket.terminate();
  }

  private async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { isOurs, token, resume } = readUpgradeRequest(request);
    if (!isOurs) throw new RouteNotFound('the path of this WebSocket');
    if (this.isStopping || (token === undefined && this.connections.isFull)) throw tooManyConnections();
    const { origin, host } = request.headers;
    if (!isOwnOrigin(origin, host, this.settings.siteUrl)) throw foreignOrigin();
    const address = clientBlock((request as HttpRequest).ip ?? '');
    const proof = token === undefined ? null : await this.authentication.prove(token);
    if (this.isStopping) throw tooManyConnections();
    if (proof) this.requirePlaceOf(proof.userId, resume);
    this.requirePlace(address, proof !== null);
    this.webSockets.handleUpgrade(request, socket, head, (webSocket) => {
      const client = new LiveSocket(webSocket, socket, this.batch, this.limits, { address, resume });
      this.open(webSocket, client, proof);
    });
  }

  private requirePlaceOf(userId: string, resume: ResumePoint | undefined): void {
    const { maxSocketsPerUser, maxFramesPerUser, frameWindowMs } = this.limits;
    if (this.connections.isFullFor(userId, resume)) throw tooManyOfUser(maxSocketsPerUser);
    if (this.connections.isFlooding(userId)) throw tooManyFrames(maxFramesPerUser, frameWindowMs);
  }

  /** Connections that have not signed in have fewer places, and each address only some of these. */
  private requirePlace(address: string, isSignedIn: boolean): void {
    if (isSignedIn ? !this.connections.makeRoom(address) : this.connections.isFull)
      throw tooManyConnections();
    if (isSignedIn) return;
    if (this.connections.isFullOf(address)) throw tooManyAnonymous(this.limits.maxAnonymousPerAddress);
    if (this.connections.isFullOfAnonymous) throw tooManyConnections();
  }

  private open(webSocket: WebSocket, socket: LiveSocket, proof: Proof | null): void {
    this.connections.addSocket(socket);
    const client = new LiveClient(webSocket, socket, this.router, this.limits);
    webSocket.once('close', () => this.connections.removeSocket(socket));
    client.listen();
    if (proof) this.authentication.admit(socket, proof);
  }

  private refuse(socket: Duplex, error: unknown): void {
    const answer = isDatabaseUnavailable(error) ? new DatabaseUnavailable(error) : error;
    if (!(answer instanceof AppError)) {
      this.logger.error('An upgrade failed.', stackOf(error));
    }
    writeRawError(socket, answer instanceof AppError ? answer : internalError(), this.settings.developerMode);
  }

  private checkPulses(): void {
    const now = performance.now();
    this.connections.sweepParked(now);
    for (const socket of this.connections.allSockets()) {
      if (socket.checkPulse(now)) void this.authentication.recheck(socket);
    }
  }
}
