import { Injectable } from '@nestjs/common';

/** Every bound of the event stream. A class of its own, so that a test can wait for less than a minute. */
@Injectable()
export class LiveLimits {
  /** A socket that has not said who it is by then is closed. */
  authenticateWithinMs = 5_000;
  pingEveryMs = 60_000;
  /** Silence after which a socket counts as dead. */
  deadAfterMs = 100_000;
  /** How often pulses and parked connections are looked at. */
  sweepEveryMs = 5_000;
  /** How long a lost connection can be taken up again. */
  resumeWithinMs = 60_000;
  /** Events kept for that, for each connection. */
  resumeEvents = 128;
  /** And their size, in characters. */
  resumeChars = 256 * 1024;
  maxFrameBytes = 8 * 1024;
  maxSockets = 10_000;
  maxAnonymousSockets = 1_000;
  maxSocketsPerUser = 50;
  /** Lost connections kept for each user; the oldest goes first. */
  maxParkedPerUser = 10;
  /** Bytes waiting for a slow client above which it gets no typing, status and view events. */
  slowBytes = 256 * 1024;
  /** And above which it is disconnected. */
  maxBufferedBytes = 4 * 1024 * 1024;
  /** Frames of one client: in work at the same time, and within ten seconds. */
  maxPendingFrames = 64;
  maxFramesPerWindow = 300;
  frameWindowMs = 10_000;
  /** Events waiting to be delivered. Beyond it all clients are told to start over. */
  maxQueuedEvents = 20_000;
  /** How long clients may take to say goodbye when the server stops. */
  goodbyeMs = 1_000;
}
