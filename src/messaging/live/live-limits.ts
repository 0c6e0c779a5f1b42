import { Injectable } from '@nestjs/common';

/** The limits of the event stream. They are fields of a provider so that tests can lower them. */
@Injectable()
export class LiveLimits {
  /** A socket that has not signed in by then is closed. */
  authenticateWithinMs = 5_000;
  pingEveryMs = 60_000;
  /** A socket that sends nothing for this long is dead. */
  deadAfterMs = 100_000;
  /** How often sockets and parked connections are checked. */
  sweepEveryMs = 5_000;
  /** How long a lost connection can be resumed. */
  resumeWithinMs = 60_000;
  /** Events kept for resuming, per connection. */
  resumeEvents = 128;
  /** Total size of those events, in characters. */
  resumeChars = 256 * 1024;
  maxFrameBytes = 8 * 1024;
  maxSockets = 10_000;
  maxAnonymousSockets = 1_000;
  /** Of these, from one address. */
  maxAnonymousPerAddress = 200;
  maxSocketsPerUser = 30;
  /** Parked connections kept per user; the oldest are dropped first. */
  maxParkedPerUser = 10;
  /** With more unsent bytes than this, a client gets no droppable events. */
  slowBytes = 256 * 1024;
  /** With more unsent bytes than this, a client is disconnected. */
  maxBufferedBytes = 4 * 1024 * 1024;
  /** The sockets of one user share this for what is unsent, in equal parts. */
  maxBufferedPerUser = 16 * 1024 * 1024;
  /** Frames of one client that wait for their answer. */
  maxPendingFrames = 64;
  /** Frames of one client within `frameWindowMs`. */
  maxFramesPerWindow = 300;
  /** Frames of all clients of one user within `frameWindowMs`. */
  maxFramesPerUser = 900;
  /** Opening a socket counts as so many frames. */
  framesPerSocket = 10;
  frameWindowMs = 10_000;
  /** Everybody in a channel hears of typing, so it is told only so often of each user. */
  typingEveryMs = 1_000;
  /** Events waiting to be delivered. If there are more, all clients are disconnected and start over. */
  maxQueuedEvents = 20_000;
  /** Clients that all have to reconnect are disconnected one after the other, within this time. */
  reconnectWithinMs = 2_000;
  /** How long to wait for a client to close; then its socket is cut. */
  closeWithinMs = 1_000;
}
