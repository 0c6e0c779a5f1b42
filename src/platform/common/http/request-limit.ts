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

interface Caller {
  running: number;
  /** Functions that start the waiting requests, oldest first. */
  readonly waiting: Set<() => void>;
}

/**
 * Middleware that limits how many requests of one address run at a time (docs/contract/conventions.md#limits).
 * Others wait in a bounded queue. A place becomes free in the next iteration of the event loop, so an address
 * starts at most `MAX_RUNNING` requests per iteration, even if they finish immediately.
 */
export class RequestLimit {
  private readonly callers = new Map<string, Caller>();

  readonly wait = (request: HttpRequest, response: Response, next: NextFunction): void => {
    if (request.isLocal) return next();
    if (response.closed) return;
    const address = clientAddressOf(request);
    const caller = this.callers.get(address) ?? { running: 0, waiting: new Set() };
    this.callers.set(address, caller);
    const start = (): void => {
      caller.running++;
      onRequestDone(response, () => this.release(address, caller));
      next();
    };
    if (caller.running < MAX_RUNNING && caller.waiting.size === 0) return start();
    if (caller.waiting.size >= MAX_WAITING)
      return next(tooManyRequests(`${MAX_WAITING} waiting requests per address`));
    caller.waiting.add(start);
    response.once('close', () => caller.waiting.delete(start));
  };

  private release(address: string, caller: Caller): void {
    caller.running--;
    const [next] = caller.waiting;
    if (next && caller.waiting.delete(next)) next();
    else if (caller.running === 0) this.callers.delete(address);
  }
}

/** Calls `then` in the iteration after the response was sent, or after the work for a disconnected client. */
function onRequestDone(response: Response, then: () => void): void {
  let isOver = false;
  const end = (): void => {
    if (!isOver) setImmediate(then);
    isOver = true;
  };
  response.once('prefinish', end); // a slow reader does not count
  response.once('close', () => afterWork(response, end));
}

function afterWork(
  response: Response,
  then: () => void,
  triesLeft = MAX_WORK_AFTER_DISCONNECT_MS / POLL_INTERVAL_MS,
): void {
  if (response.writableEnded || triesLeft === 0) return then();
  setTimeout(() => afterWork(response, then, triesLeft - 1), POLL_INTERVAL_MS).unref();
}
