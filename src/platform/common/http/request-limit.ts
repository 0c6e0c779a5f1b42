import type { NextFunction, Response } from 'express';
import { tooManyRequests } from '../errors/common-errors.js';
import { clientAddressOf } from './client-address.js';
import type { HttpRequest } from './http-request.js';

/** Concurrent requests of one address; fewer than the database connections. */
export const MAX_RUNNING = 16;
const MAX_WAITING = 1_000;
/** After its client disconnects, a request still counts until its work ends, up to this time. */
const MAX_WORK_AFTER_DISCONNECT_MS = 60_000;
const POLL_INTERVAL_MS = 20;

/** As long as connections keep arriving, waiting requests start only once in this many iterations of the event loop. */
const MAX_POSTPONED = 512;

interface Caller {
  readonly address: string;
  running: number;
  /** Requests of `running` whose places become free in the next iteration of the event loop. */
  finished: number;
  /** Whether it has started a request since connections last stopped arriving. */
  hasStarted: boolean;
  /** Functions that start the waiting requests, oldest first. */
  readonly waiting: Set<() => void>;
}

/**
 * Middleware that limits how many requests of one address run at a time (docs/contract/conventions.md#limits). Others
 * wait in a bounded queue. A place becomes free in the next iteration of the event loop, so an address starts at most
 * `MAX_RUNNING` requests per iteration, even if they finish immediately. Node accepts one connection per iteration, in
 * order: while connections arrive, an address starts one request and its others wait, or the connections of other
 * addresses would be accepted only after them.
 */
export class RequestLimit {
  private readonly callers = new Map<string, Caller>();
  /** Callers with a change in the next iteration. */
  private readonly due = new Set<Caller>();
  private isScheduled = false;
  private isAccepting = false;
  private postponed = 0;

  /** Call it for each new connection. */
  readonly onConnection = (): void => {
    this.isAccepting = true;
  };

  readonly wait = (request: HttpRequest, response: Response, next: NextFunction): void => {
    if (request.isLocal) return next();
    if (response.closed) return;
    const caller = this.callerAt(clientAddressOf(request));
    const start = (): void => {
      caller.running++;
      caller.hasStarted = true;
      this.schedule(caller);
      let isReleased = false;
      const release = (): void => {
        if (!isReleased) this.release(caller);
        isReleased = true;
      };
      request.yieldPlace = release;
      onRequestDone(response, release);
      next();
    };
    const isPostponed = caller.hasStarted && (this.isAccepting || this.postponed > 0);
    if (!isPostponed && caller.running < MAX_RUNNING && caller.waiting.size === 0) return start();
    if (caller.waiting.size >= MAX_WAITING)
      return next(tooManyRequests(`${MAX_WAITING} waiting requests per address`));
    caller.waiting.add(start);
    response.once('close', () => caller.waiting.delete(start));
  };

  private callerAt(address: string): Caller {
    const known = this.callers.get(address);
    if (known) return known;
    const caller = { address, running: 0, finished: 0, hasStarted: false, waiting: new Set<() => void>() };
    this.callers.set(address, caller);
    return caller;
  }

  private release(caller: Caller): void {
    caller.finished++;
    this.schedule(caller);
  }

  private schedule(caller: Caller): void {
    this.due.add(caller);
    if (!this.isScheduled) setImmediate(this.run);
    this.isScheduled = true;
  }

  /** Frees places and starts waiting requests, unless a connection was accepted in this iteration. */
  private readonly run = (): void => {
    this.postponed = this.isAccepting && this.postponed < MAX_POSTPONED ? this.postponed + 1 : 0;
    this.isAccepting = false;
    if (this.postponed > 0) return void setImmediate(this.run);
    const callers = [...this.due];
    this.due.clear();
    this.isScheduled = false;
    for (const caller of callers) {
      caller.hasStarted = false;
      caller.running -= caller.finished;
      caller.finished = 0;
      for (const start of caller.waiting) {
        if (caller.running >= MAX_RUNNING) break;
        caller.waiting.delete(start);
        start();
      }
      if (caller.running === 0) this.callers.delete(caller.address);
    }
  };
}

/** Calls `then`, perhaps twice, when the response was sent, or after the work for a disconnected client. */
function onRequestDone(response: Response, then: () => void): void {
  response.once('prefinish', then); // a slow reader does not count
  response.once('close', () => afterWork(response, then));
}

function afterWork(
  response: Response,
  then: () => void,
  triesLeft = MAX_WORK_AFTER_DISCONNECT_MS / POLL_INTERVAL_MS,
): void {
  if (response.writableEnded || triesLeft === 0) return then();
  setTimeout(() => afterWork(response, then, triesLeft - 1), POLL_INTERVAL_MS).unref();
}
