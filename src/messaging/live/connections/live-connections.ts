import { Injectable } from '@nestjs/common';
import { newId } from '../../../platform/common/ids.js';
import { MetricsService } from '../../../platform/metrics/metrics.service.js';
import { FrameWindow } from '../live-event.js';
import { LiveLimits } from '../live-limits.js';
import { LiveConnection, type LiveSession, LiveUser } from './live-connection.js';
import { LivePresence } from './live-presence.js';
import { CloseCode, type LiveSocket, type ResumePoint } from './live-socket.js';

/** The connection of a socket that has signed in; not new if it was resumed. */
export type Admission = { readonly connection: LiveConnection; readonly isNew: boolean };

/** All sockets and connections, including parked ones. Synchronous: connections end with their session. */
@Injectable()
export class LiveConnections {
  /** Called when a user gets their first connection, and when their last one is removed. Parked ones count. */
  onUserEntered: (user: LiveUser) => void = () => undefined;
  onUserLeft: (user: LiveUser) => void = () => undefined;
  /** Increases whenever sessions end: a token looked up before may have become invalid. */
  endings = 0;
  private readonly sockets = new Set<LiveSocket>();
  /** Oldest first. */
  private readonly byAddress = new Map<string, Set<LiveSocket>>();
  private readonly byId = new Map<string, LiveConnection>();
  private readonly byUser = new Map<string, LiveUser>();
  private anonymousCount = 0;
  private nextExpiry = Infinity;
  private readonly anonymousByAddress = new Map<string, number>();

  constructor(
    private readonly limits: LiveLimits,
    private readonly presence: LivePresence,
    private readonly metrics: MetricsService,
  ) {}

  get hasAny(): boolean {
    return this.byId.size > 0;
  }

  /** Whether a connection still exists, open or parked. */
  has(connection: LiveConnection): boolean {
    return this.byId.get(connection.id) === connection;
  }

  get isFull(): boolean {
    return this.sockets.size >= this.limits.maxSockets;
  }

  get isFullOfAnonymous(): boolean {
    return this.anonymousCount >= this.limits.maxAnonymousSockets;
  }

  isFullOf(address: string): boolean {
    return (this.anonymousByAddress.get(address) ?? 0) >= this.limits.maxAnonymousPerAddress;
  }

  /** Whether the user has reached the socket limit. Resuming an existing connection is always allowed. */
  isFullFor(userId: string, resume?: ResumePoint): boolean {
    const user = this.byUser.get(userId);
    if (!user || user.socketCount < this.limits.maxSocketsPerUser) return false;
    return !resume || this.byId.get(resume.connectionId)?.user !== user;
  }

  /** Counts a new socket as frames of its user. Returns whether the user exceeds the frame limit. */
  isFlooding(userId: string): boolean {
    const { framesPerSocket, maxFramesPerUser } = this.limits;
    const frames = this.byUser.get(userId)?.frames;
    return (frames?.add(performance.now(), framesPerSocket) ?? 0) > maxFramesPerUser;
  }

  /** Makes room for a socket by closing the newest socket of the address that has the most. */
  makeRoom(address: string): boolean {
    if (!this.isFull) return true;
    let most: ReadonlySet<LiveSocket> = this.byAddress.get(address) ?? new Set();
    const own = most.size;
    for (const sockets of this.byAddress.values()) if (sockets.size > most.size) most = sockets;
    const newest = [...most].at(-1);
    if (!newest || most.size <= own + 1) return false;
    newest.close(CloseCode.TryAgainLater, 'The connection is needed for others.');
    this.removeSocket(newest);
    return true;
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

  addSocket(socket: LiveSocket): void {
    this.sockets.add(socket);
    const { address } = socket.origin;
    this.byAddress.set(address, (this.byAddress.get(address) ?? new Set()).add(socket));
    this.countAnonymous(socket, 1);
    this.metrics.liveConnections(this.sockets.size);
  }

  /** Attaches the socket to a new or resumed connection of the user; null if the user has too many sockets. */
  admit(socket: LiveSocket, userId: string, session: LiveSession): Admission | null {
    this.noteExpiry(session.expiresAt);
    const resumed = this.resumable(socket, userId);
    if (!resumed && this.isFullFor(userId)) return null;
    this.countAnonymous(socket, -1);
    if (resumed) {
      this.replaceSocket(resumed, socket, session);
      return { connection: resumed, isNew: false };
    }
    const connection = this.open(this.byUser.get(userId) ?? this.enter(userId), session);
    connection.attach(socket, 0);
    this.notePresence(userId);
    return { connection, isNew: true };
  }

  /** Removes a closed socket, and parks its connection. */
  removeSocket(socket: LiveSocket): void {
    if (!this.sockets.delete(socket)) return;
    const { address } = socket.origin;
    const ofAddress = this.byAddress.get(address);
    ofAddress?.delete(socket);
    if (ofAddress?.size === 0) this.byAddress.delete(address);
    this.metrics.liveConnections(this.sockets.size);
    const { connection } = socket;
    if (!connection) {
      this.countAnonymous(socket, -1);
    } else if (connection.socket === socket) {
      connection.park(performance.now());
      this.dropOldestParked(connection.user);
      this.notePresence(connection.user.id);
    }
  }

  /** Connections whose session expiry has passed, unless it was extended. Returns each once. */
  takeExpired(now: number): readonly LiveConnection[] {
    if (now < this.nextExpiry) return [];
    this.nextExpiry = Infinity;
    const expired: LiveConnection[] = [];
    for (const connection of this.byId.values()) {
      const { expiresAt } = connection.session;
      if (expiresAt > 0 && expiresAt <= now) expired.push(connection);
      else this.noteExpiry(expiresAt);
    }
    return expired;
  }

  prolong(connection: LiveConnection, expiresAt: number): void {
    connection.session = { ...connection.session, expiresAt };
    this.noteExpiry(expiresAt);
  }

  /** Closes a user's connections permanently: those of the sessions, or all if `sessionIds` is empty. */
  end(userId: string, sessionIds: readonly string[], code: number, reason: string): void {
    this.endings++;
    const user = this.byUser.get(userId);
    if (!user) return;
    for (const connection of [...user.connections]) {
      if (sessionIds.length > 0 && !sessionIds.includes(connection.session.sessionId)) continue;
      this.drop(connection, code, reason);
    }
  }

  endAll(code: number, reason: string): void {
    this.endings++;
    for (const connection of [...this.byId.values()]) this.drop(connection, code, reason);
  }

  /** Closes all connections at random times within `withinMs`. None of them can be resumed. */
  endAllWithin(withinMs: number, code: number, reason: string): void {
    for (const connection of [...this.byId.values()]) {
      if (connection.isIncomplete) continue;
      connection.isIncomplete = true;
      if (!connection.socket) this.forget(connection);
      else
        setTimeout(() => {
          if (this.byId.has(connection.id)) this.drop(connection, code, reason);
        }, Math.random() * withinMs).unref();
    }
  }

  /** Removes parked connections that can no longer be resumed. */
  sweepParked(now: number): void {
    for (const connection of [...this.byId.values()]) {
      const { parkedAt } = connection;
      if (parkedAt === undefined) continue;
      if (connection.isLost || now - parkedAt > this.limits.resumeWithinMs) this.forget(connection);
    }
  }

  private countAnonymous({ origin: { address } }: LiveSocket, change: 1 | -1): void {
    this.anonymousCount += change;
    const count = (this.anonymousByAddress.get(address) ?? 0) + change;
    if (count > 0) this.anonymousByAddress.set(address, count);
    else this.anonymousByAddress.delete(address);
  }

  private resumable(socket: LiveSocket, userId: string): LiveConnection | undefined {
    const { resume } = socket.origin;
    const connection = resume && this.byId.get(resume.connectionId);
    if (!connection || connection.user.id !== userId) return undefined;
    if (connection.canResume(resume.seq, performance.now())) return connection;
    this.drop(connection, CloseCode.GoingAway, 'Replaced by a new connection.');
    return undefined;
  }

  private replaceSocket(connection: LiveConnection, socket: LiveSocket, session: LiveSession): void {
    const previous = connection.socket;
    connection.session = session;
    connection.attach(socket, socket.origin.resume?.seq ?? 0);
    previous?.terminate(); // half-open; already detached
    this.notePresence(connection.user.id);
  }

  private noteExpiry(expiresAt: number): void {
    if (expiresAt > 0) this.nextExpiry = Math.min(this.nextExpiry, expiresAt);
  }

  private enter(userId: string): LiveUser {
    const user = new LiveUser(userId, new FrameWindow(this.limits.frameWindowMs));
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
