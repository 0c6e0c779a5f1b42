import { Injectable } from '@nestjs/common';
import { newId } from '../../../platform/common/ids.js';
import { MetricsService } from '../../../platform/metrics/metrics.service.js';
import { LiveLimits } from '../live-limits.js';
import { LiveConnection, type LiveSession } from './live-connection.js';
import { LivePresence } from './live-presence.js';
import { CloseCode, type LiveSocket } from './live-socket.js';
import { LiveUser } from './live-user.js';

/** How a socket became a connection: a new one, or one that goes on where it was. */
export type Admission = { readonly connection: LiveConnection; readonly isNew: boolean };

/**
 * Every socket, and every connection by user and by id, parked ones included. Nothing here waits for anything, so a
 * session that ends loses its connections at once.
 */
@Injectable()
export class LiveConnections {
  /** Called when a user gets a first connection, and when the last one is gone, the parked ones included. */
  onUserEntered: (user: LiveUser) => void = () => undefined;
  onUserLeft: (user: LiveUser) => void = () => undefined;
  /** Rises with each end of sessions: a token that was looked up before may be invalid since. */
  endings = 0;
  private readonly sockets = new Set<LiveSocket>();
  private readonly byId = new Map<string, LiveConnection>();
  private readonly byUser = new Map<string, LiveUser>();
  private anonymousCount = 0;

  constructor(
    private readonly limits: LiveLimits,
    private readonly presence: LivePresence,
    private readonly metrics: MetricsService,
  ) {}

  /** Whether anybody would receive an event, now or after resuming. */
  get hasAny(): boolean {
    return this.byId.size > 0;
  }

  get isFull(): boolean {
    return this.sockets.size >= this.limits.maxSockets;
  }

  get isFullOfAnonymous(): boolean {
    return this.anonymousCount >= this.limits.maxAnonymousSockets;
  }

  users(): Iterable<LiveUser> {
    return this.byUser.values();
  }

  user(userId: string): LiveUser | undefined {
    return this.byUser.get(userId);
  }

  allSockets(): Iterable<LiveSocket> {
    return this.sockets;
  }

  /** A socket that has not said who it is. */
  addSocket(socket: LiveSocket): void {
    this.sockets.add(socket);
    this.anonymousCount++;
    this.metrics.liveConnections(this.sockets.size);
  }

  /** Gives the socket its user; null when the user has too many. The first events go out with `attach`. */
  admit(socket: LiveSocket, userId: string, session: LiveSession): Admission | null {
    const resumed = this.resumable(socket, userId);
    const user = this.byUser.get(userId);
    if (!resumed && user && user.socketCount >= this.limits.maxSocketsPerUser) return null;
    this.anonymousCount--;
    if (resumed) {
      this.replaceSocket(resumed, socket, session);
      return { connection: resumed, isNew: false };
    }
    const connection = this.open(user ?? this.enter(userId), session);
    connection.attach(socket, 0);
    this.notePresence(userId);
    return { connection, isNew: true };
  }

  /** The socket is closed. Its connection waits for the client to come back. */
  removeSocket(socket: LiveSocket): void {
    if (!this.sockets.delete(socket)) return;
    this.metrics.liveConnections(this.sockets.size);
    const { connection } = socket;
    if (!connection) {
      this.anonymousCount--;
    } else if (connection.socket === socket) {
      connection.park(performance.now());
      this.dropOldestParked(connection.user);
      this.notePresence(connection.user.id);
    }
  }

  /** Ends connections of a user for good: all of them, or those of some sessions. */
  end(userId: string, sessionIds: readonly string[], code: number, reason: string): void {
    this.endings++;
    const user = this.byUser.get(userId);
    if (!user) return;
    for (const connection of [...user.connections]) {
      if (sessionIds.length > 0 && !sessionIds.includes(connection.session.sessionId)) continue;
      this.drop(connection, code, reason);
    }
  }

  /** Ends every connection for good, so that clients start over. */
  endAll(code: number, reason: string): void {
    for (const connection of [...this.byId.values()]) this.drop(connection, code, reason);
  }

  /** Frees what can no longer be resumed. */
  sweepParked(now: number): void {
    for (const connection of [...this.byId.values()]) {
      const { parkedAt } = connection;
      if (parkedAt === undefined) continue;
      if (connection.isLost || now - parkedAt > this.limits.resumeWithinMs) this.forget(connection);
    }
  }

  private resumable(socket: LiveSocket, userId: string): LiveConnection | undefined {
    const { resume } = socket;
    const connection = resume && this.byId.get(resume.connectionId);
    if (!connection || connection.user.id !== userId) return undefined;
    if (connection.canResume(resume.seq, performance.now())) return connection;
    this.drop(connection, CloseCode.GoingAway, 'Replaced by a new connection.');
    return undefined;
  }

  private replaceSocket(connection: LiveConnection, socket: LiveSocket, session: LiveSession): void {
    const former = connection.socket;
    connection.session = session;
    connection.attach(socket, socket.resume?.seq ?? 0);
    former?.terminate(); // a half-open one; its place is taken already
    this.notePresence(connection.user.id);
  }

  private enter(userId: string): LiveUser {
    const user = new LiveUser(userId);
    this.byUser.set(userId, user);
    this.onUserEntered(user);
    return user;
  }

  private open(user: LiveUser, session: LiveSession): LiveConnection {
    const connection = new LiveConnection(newId(), user, session, this.limits);
    user.connections.add(connection);
    this.byId.set(connection.id, connection);
    return connection;
  }

  private drop(connection: LiveConnection, code: number, reason: string): void {
    const { socket, user } = connection;
    connection.socket = undefined;
    this.forget(connection);
    socket?.close(code, reason);
    this.notePresence(user.id);
  }

  private notePresence(userId: string): void {
    this.presence.note(userId, () => (this.byUser.get(userId)?.socketCount ?? 0) > 0);
  }

  private forget(connection: LiveConnection): void {
    const { user } = connection;
    this.byId.delete(connection.id);
    user.connections.delete(connection);
    if (user.connections.size > 0) return;
    this.byUser.delete(user.id);
    this.onUserLeft(user);
  }

  private dropOldestParked(user: LiveUser): void {
    const parked = [...user.connections].filter(({ parkedAt }) => parkedAt !== undefined);
    if (parked.length <= this.limits.maxParkedPerUser) return;
    parked.sort((a, b) => (a.parkedAt ?? 0) - (b.parkedAt ?? 0));
    for (const connection of parked.slice(0, parked.length - this.limits.maxParkedPerUser))
      this.forget(connection);
  }
}
