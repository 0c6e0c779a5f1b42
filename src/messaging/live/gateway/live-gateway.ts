import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Express } from 'express';
import { type WebSocket, WebSocketServer } from 'ws';
import { presentedToken } from '../../auth/presented-token.js';
import { isId } from '../../../platform/common/ids.js';
import { CloseCode, LiveSocket, type ResumePoint, WriteBatch } from '../connections/live-socket.js';
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
import { LiveActions } from '../actions/live-actions.js';
import { isUnclean } from '../../../platform/common/http/clean-path.js';
import { hasPendingAnswer } from '../../../platform/common/http/broken-request.js';
import { writeRawError } from '../../../platform/common/http/raw-answer.js';

/**
 * Whether a page from `origin` may connect: its host must match the request or the site URL. Non-browser
 * clients send no origin and may connect. Without this check, any site could use a visitor's cookie. If the
 * site uses TLS, a page without TLS is refused: a man in the middle could have served it.
 */
export function isOwnOrigin(
  origin: string | undefined,
  host: string | undefined,
  siteUrl: string | undefined,
): boolean {
  if (origin === undefined) return true;
  const page = parse(origin);
  if (!page) return false;
  const site = siteUrl === undefined ? undefined : parse(siteUrl);
  if (site?.protocol === 'https:' && page.hostname === site.hostname && page.protocol === 'http:')
    return false;
  if (host !== undefined && parse(`${page.protocol}//${host}`)?.host === page.host) return true;
  return site !== undefined && site.host === page.host;
}

function parse(url: string): URL | undefined {
  try {
    const parsed = new URL(url);
    return parsed.protocol === 'http:' || parsed.protocol === 'https:' ? parsed : undefined;
  } catch {
    return undefined;
  }
}

const HOP_HEADERS = ['upgrade', 'http2-settings'];

/**
 * Serves a request to upgrade to another protocol as a plain request, which RFC 9110 (7.8) allows. Once there
 * is an `upgrade` listener, Node passes it every request with an Upgrade header, which some clients send by
 * default: Java's requests HTTP/2 this way.
 */
export function serveWithoutUpgrade(
  server: Server,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`];
  for (let i = 0; i < request.rawHeaders.length; i += 2) {
    const name = request.rawHeaders[i] ?? '';
    const value = request.rawHeaders[i + 1] ?? '';
    if (HOP_HEADERS.includes(name.toLowerCase())) continue;
    const kept = name.toLowerCase() === 'connection' ? withoutHops(value) : value;
    if (name.toLowerCase() !== 'connection' || kept !== '') lines.push(`${name}: ${kept}`);
  }
  if (socket.destroyed || socket.readableEnded) return void socket.destroy();
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}

function withoutHops(value: string): string {
  return value
    .split(',')
    .map((token) => token.trim())
    .filter((token) => !HOP_HEADERS.includes(token.toLowerCase()))
    .join(', ');
}

const PATH = '/api/v4/websocket';

function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '';
}

/** Undefined unless both parameters are present and valid; the connection is then new. */
function resumePoint(query: URLSearchParams): ResumePoint | undefined {
  const connectionId = query.get('connection_id');
  const seq = query.get('sequence_number') ?? '';
  return isId(connectionId) && /^\d{1,15}$/.test(seq) ? { connectionId, seq: Number(seq) } : undefined;
}

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
    private readonly actions: LiveActions,
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
      if (hasPendingAnswer(socket)) return void socket.destroy(); // a response is still being written
      const isWebSocket = request.headers.upgrade?.toLowerCase() === 'websocket';
      if (!isWebSocket || isUnclean(pathOf(request))) {
        return serveWithoutUpgrade(server, request, socket, head);
      }
      socket.on('error', () => socket.destroy());
      this.upgrade(request, socket, head).catch((error: unknown) => this.refuse(socket, error));
    });
    this.sweeps.start(this.limits.sweepEveryMs);
  }

  /** Closes all sockets before the HTTP server, which would otherwise wait for them forever. */
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
    const { method, url = '', headers } = request;
    const path = pathOf(request);
    if (method !== 'GET' || path !== PATH) throw new RouteNotFound('the path of this WebSocket');
    const token = presentedToken(headers, path)?.token; // never from the query (docs/contract/conventions.md#credentials)
    const resume = resumePoint(new URLSearchParams(url.slice(path.length + 1)));
    if (this.isStopping || (token === undefined && this.connections.isFull)) throw tooManyConnections();
    if (!isOwnOrigin(headers.origin, headers.host, this.settings.siteUrl)) throw foreignOrigin();
    const address = clientBlock(this.ipOf(request));
    const proof = token === undefined ? null : await this.authentication.prove(token);
    if (this.isStopping) throw tooManyConnections();
    if (proof) this.requirePlaceOf(proof.userId, resume);
    this.requirePlace(address, proof !== null);
    this.webSockets.handleUpgrade(request, socket, head, (webSocket) => {
      const client = new LiveSocket(webSocket, socket, this.batch, this.limits, { address, resume });
      this.open(webSocket, client, proof);
    });
  }

  /** The client's address behind trusted proxies. Express gives only the requests that it routes its own prototype. */
  private ipOf(request: IncomingMessage): string {
    const { request: prototype } = this.http.httpAdapter.getInstance<Express>();
    return (Object.setPrototypeOf(request, prototype) as HttpRequest).ip ?? '';
  }

  private requirePlaceOf(userId: string, resume: ResumePoint | undefined): void {
    const { maxSocketsPerUser, maxFramesPerUser, frameWindowMs } = this.limits;
    if (this.connections.isFullFor(userId, resume)) throw tooManyOfUser(maxSocketsPerUser);
    if (this.connections.isFlooding(userId)) throw tooManyFrames(maxFramesPerUser, frameWindowMs);
  }

  /** Unauthenticated connections have a lower limit, and also a limit per address. */
  private requirePlace(address: string, isSignedIn: boolean): void {
    if (isSignedIn ? !this.connections.makeRoom(address) : this.connections.isFull)
      throw tooManyConnections();
    if (isSignedIn) return;
    if (this.connections.isFullOf(address)) throw tooManyAnonymous(this.limits.maxAnonymousPerAddress);
    if (this.connections.isFullOfAnonymous) throw tooManyConnections();
  }

  private open(webSocket: WebSocket, socket: LiveSocket, proof: Proof | null): void {
    this.connections.addSocket(socket);
    const client = new LiveClient(webSocket, socket, this.actions, this.limits);
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
