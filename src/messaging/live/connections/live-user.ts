import type { Receiver } from '../live-event.js';
import type { LiveConnection } from './live-connection.js';

/** A user with at least one connection, parked ones included, and where the user is a member. */
export class LiveUser implements Receiver {
  readonly connections = new Set<LiveConnection>();
  username = '';
  takesChannelMentions = true;
  isAdmin = false;
  /** Sees only those with whom a channel is shared. */
  isGuest = false;
  channelIds: ReadonlySet<string> = new Set();
  teamIds: ReadonlySet<string> = new Set();

  constructor(readonly id: string) {}

  /** Sockets that are open now. */
  get socketCount(): number {
    let count = 0;
    for (const connection of this.connections) if (connection.socket) count++;
    return count;
  }
}
