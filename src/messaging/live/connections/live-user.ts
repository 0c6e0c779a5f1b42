import { type MembershipAccess, NO_ACCESS } from '../../permissions/membership-access.service.js';
import type { FrameWindow, Receiver } from '../live-event.js';
import type { LiveConnection } from './live-connection.js';

/** A user with at least one connection, open or parked, and their memberships. */
export class LiveUser implements Receiver {
  readonly connections = new Set<LiveConnection>();
  username = '';
  takesChannelMentions = true;
  isAdmin = false;
  /** May see only users with whom they share a channel. */
  isGuest = false;
  access: MembershipAccess = NO_ACCESS;

  constructor(
    readonly id: string,
    readonly frames: FrameWindow,
  ) {}

  /** The number of open sockets. */
  get socketCount(): number {
    let count = 0;
    for (const connection of this.connections) if (connection.socket) count++;
    return count;
  }
}
