import { type MembershipAccess, NO_ACCESS } from '../../permissions/membership-access.service.js';
import type { EventFrames, FrameWindow, Receiver } from '../live-event.js';
import type { LiveLimits } from '../live-limits.js';
import type { LiveSocket } from './live-socket.js';

/** A user with at least one connection, open or parked, and their memberships. */
export class LiveUser implements Receiver {
  readonly connections = new Set<LiveConnection>();
  username = '';
  takesChannelMentions = true;
  isAdmin = false;
  access: MembershipAccess = NO_ACCESS;

  constructor(
    readonly id: string,
    readonly frames: FrameWindow,
  ) {}

  get socketCount(): number {
    let count = 0;
    for (const connection of this.connections) if (connection.socket) count++;
    return count;
  }
}

/** The signed-in session behind a connection. */
export interface LiveSession {
  readonly sessionId: string;
  /** Kept to check later whether the session is still valid. */
  readonly token: string;
  /** When it expires unless extended, in milliseconds since the epoch; 0 = never. */
  readonly expiresAt: number;
}

/** A client's event stream, numbered without gaps. Without its socket ("parked") it can be resumed for a while. */
export class LiveConnection {
  socket: LiveSocket | undefined;
  parkedAt: number | undefined;
  /** Set if it missed events; it will be closed soon and cannot be resumed. */
  isIncomplete = false;
  private readonly kept: (EventFrames | undefined)[];
  private firstKept = 0;
  private nextSeq = 0;
  private keptChars = 0;
  private parkedSeq = 0;

  constructor(
    readonly id: string,
    readonly user: LiveUser,
    public session: LiveSession,
    private readonly limits: LiveLimits,
  ) {
    this.kept = new Array<EventFrames | undefined>(limits.resumeEvents);
  }

  /** True if it can no longer be resumed, because unsent events were discarded. */
  get isLost(): boolean {
    return this.parkedAt !== undefined && this.firstKept > this.parkedSeq;
  }

  /** Numbers an event, keeps it, and sends it if there is a socket. Returns whether it was sent. */
  deliver(event: EventFrames, isDroppable: boolean): boolean {
    if (isDroppable && (!this.socket || this.socket.isSlow)) return false;
    const seq = this.nextSeq++;
    this.keep(seq, event);
    if (!this.socket) return false;
    this.socket.sendEvent(event, seq);
    return true;
  }

  /** Whether a client that expects event `seq` next can resume at the time `now`. */
  canResume(seq: number, now: number): boolean {
    if (this.isIncomplete) return false;
    if (this.parkedAt !== undefined && now - this.parkedAt > this.limits.resumeWithinMs) return false;
    return seq >= this.firstKept && seq <= this.nextSeq;
  }

  /** Attaches a socket and resends the events starting at `seq`. */
  attach(socket: LiveSocket, seq: number): void {
    this.socket = socket;
    this.parkedAt = undefined;
    socket.connection = this;
    for (let missed = seq; missed < this.nextSeq; missed++) {
      const event = this.kept[missed % this.kept.length];
      if (event) socket.sendEvent(event, missed);
    }
  }

  park(now: number): void {
    this.socket = undefined;
    this.parkedAt = now;
    this.parkedSeq = this.nextSeq;
  }

  private keep(seq: number, event: EventFrames): void {
    const size = this.kept.length;
    while (
      this.firstKept < seq &&
      (seq - this.firstKept >= size || this.keptChars + event.length > this.limits.resumeChars)
    ) {
      const index = this.firstKept++ % size;
      this.keptChars -= this.kept[index]?.length ?? 0;
      this.kept[index] = undefined;
    }
    this.kept[seq % size] = event;
    this.keptChars += event.length;
  }
}
