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
  resumeEvents = 128;
  /** Total size of those events, in characters. */
  resumeChars = 256 * 1024;
  maxFrameBytes = 8 * 1024;
  maxSockets = 10_000;
  maxAnonymousSockets = 1_000;
  /** The maximum of these from one address. */
  maxAnonymousPerAddress = 200;
  maxSocketsPerUser = 30;
  /** Parked connections kept per user; the oldest are dropped first. */
  maxParkedPerUser = 10;
  /** Above this many unsent bytes, a client gets no droppable events. */
  slowBytes = 256 * 1024;
  /** Above this many unsent bytes, a client is disconnected. */
  maxBufferedBytes = 4 * 1024 * 1024;
  /** Unsent bytes of one user, divided equally among the user's sockets. */
  maxBufferedPerUser = 16 * 1024 * 1024;
  /** Frames of one client awaiting a reply. */
  maxPendingFrames = 64;
  /** Frames of one client within `frameWindowMs`. */
  maxFramesPerWindow = 300;
  /** Frames of all clients of one user within `frameWindowMs`. */
  maxFramesPerUser = 900;
  /** Opening a socket counts as this many frames. */
  framesPerSocket = 10;
  frameWindowMs = 10_000;
  /** Typing events go to the whole channel, so they are rate-limited per user. */
  typingEveryMs = 1_000;
  /** Events waiting to be delivered. If there are more, all clients are disconnected and start over. */
  maxQueuedEvents = 20_000;
  /** When all clients must reconnect, their disconnects are spread over this time. */
  reconnectWithinMs = 2_000;
  /** How long to wait for a client to close before its socket is terminated. */
  closeWithinMs = 1_000;
}
