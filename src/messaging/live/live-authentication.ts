import { hostname } from 'node:os';
import { Injectable } from '@nestjs/common';
import { AuthenticationService } from '../auth/authentication.service.js';
import { API_VERSION } from '../../platform/common/version.js';
import { Clock } from '../../platform/common/clock.js';
import type { LiveConnection, LiveSession } from './connections/live-connection.js';
import { LiveConnections } from './connections/live-connections.js';
import { CloseCode, type LiveSocket } from './connections/live-socket.js';
import { EventText } from './live-event.js';

const SERVER_VERSION = `${API_VERSION}.${API_VERSION}.hookline.false`;
const HOSTNAME = hostname();

export interface Proof {
  readonly userId: string;
  readonly session: LiveSession;
  /** `LiveConnections.endings` when the token was looked up. The proof is valid while the count is the same. */
  readonly endings: number;
}

/** Signs sockets in by token, and closes connections whose session has ended. */
@Injectable()
export class LiveAuthentication {
  constructor(
    private readonly authentication: AuthenticationService,
    private readonly connections: LiveConnections,
    private readonly clock: Clock,
  ) {}

  async prove(token: string): Promise<Proof | null> {
    for (;;) {
      const { endings } = this.connections;
      const life = await this.authentication.find(token);
      if (!life) return null;
      // A session ended during the lookup, perhaps this one, so look it up again.
      if (endings !== this.connections.endings) continue;
      const { actor, expiresAt } = life;
      return { userId: actor.userId, session: { sessionId: actor.sessionId, token, expiresAt }, endings };
    }
  }

  /** Signs in a socket that was opened without a token; it counts as newly opened for the limits. */
  admitLate(socket: LiveSocket, proof: Proof): void {
    if (this.connections.isFlooding(proof.userId))
      return socket.close(CloseCode.TryAgainLater, 'The user has sent too many frames.');
    this.admit(socket, proof);
  }

  /** Attaches the socket to a connection of the user, and sends `hello` on a new one. Closes the socket if refused. */
  admit(socket: LiveSocket, { userId, session, endings }: Proof): void {
    if (endings !== this.connections.endings)
      return socket.close(CloseCode.TryAgainLater, 'Sessions have ended.');
    const admission = this.connections.admit(socket, userId, session);
    if (!admission) return socket.close(CloseCode.TryAgainLater, 'The user has too many connections.');
    if (!admission.isNew) return;
    const { connection } = admission;
    const data = {
      server_version: SERVER_VERSION,
      connection_id: connection.id,
      server_hostname: HOSTNAME,
    };
    connection.deliver(new EventText('hello', data, { userId }).with(undefined), false);
  }

  /** Closes connections with expired sessions; call it before sending them anything. Never throws. */
  async endExpired(): Promise<void> {
    for (const connection of this.connections.takeExpired(this.clock.now())) await this.check(connection);
  }

  /** Closes the connection if its session has expired. Never throws. */
  async recheck({ connection }: LiveSocket): Promise<void> {
    if (connection) await this.check(connection);
  }

  private async check(connection: LiveConnection): Promise<void> {
    const { session, user } = connection;
    try {
      const life = await this.authentication.find(session.token);
      if (life) return this.connections.prolong(connection, life.expiresAt);
    } catch {
      return; // the database is unavailable; the next sweep checks again
    }
    this.connections.end(user.id, [session.sessionId], CloseCode.PolicyViolation, 'The session has ended.');
  }
}
