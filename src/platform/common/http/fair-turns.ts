import { performance } from 'node:perf_hooks';
import type { NextFunction, Response } from 'express';
import { TooManyRequests } from '../errors/common-errors.js';
import { clientAddressOf } from './client-address.js';
import type { HttpRequest } from './http-request.js';

/** What one address may have running while the server is busy and others want something too. */
const RUNNING_AT_MOST = 8;
const WAITING_AT_MOST = 1_000;
/** The bytes of the bodies that one address may have in memory, and that all may have. */
const BYTES_OF_ONE = 48 * 1024 * 1024;
const BYTES_OF_ALL = 128 * 1024 * 1024;
/** How long an address counts after its last request. */
const ACTIVE_MS = 2_000;
/** How often the load is measured, and the part of the time from which on the server is busy. */
const SAMPLE_MS = 50;
const BUSY = 0.7;

type Waiting = readonly [response: Response, next: NextFunction];

/** The requests of one address. */
interface Caller {
  readonly address: string;
  running: number;
  bytes: number;
  readonly waiting: Waiting[];
}

/**
 * Keeps one caller from using up the server (docs/contract/conventions.md#limits). While the event loop is busy and more
 * than one address sends requests, each address has only so many running, and its others wait for their turn. A caller
 * who is alone, or a server with time to spare, knows no such limit. The bytes of unanswered bodies are bounded at any
 * time. An address is an IPv4 address or the /64 of an IPv6 address; TRUSTED_PROXIES decides whose.
 */
export class FairTurns {
  private readonly callers = new Map<string, Caller>();
  private bytes = 0;
  private lastAddress = '';
  private sharedUntil = 0;

  constructor(private readonly isBusy: () => boolean = loopIsBusy()) {}

  /** The middleware that waits for the turn of a request; it comes after the body has been read. */
  readonly wait = (request: HttpRequest, response: Response, next: NextFunction): void => {
    if (request.isLocal) return next();
    const caller = this.callerOf(request);
    const now = performance.now();
    if (this.lastAddress !== '' && caller.address !== this.lastAddress) this.sharedUntil = now + ACTIVE_MS;
    this.lastAddress = caller.address;
    if (caller.running < RUNNING_AT_MOST || !this.isScarce(now)) return this.start(caller, response, next);
    if (caller.waiting.length < WAITING_AT_MOST) caller.waiting.push([response, next]);
    else next(new TooManyRequests());
  };

  /** Returns a function that says whether so many more bytes of this body fit. They count until it is answered. */
  body(request: HttpRequest, response: Response): (bytes: number) => boolean {
    if (request.isLocal) return () => true;
    const caller = this.callerOf(request);
    let taken = 0;
    response.once('close', () => {
      caller.bytes -= taken;
      this.bytes -= taken;
      this.forget(caller);
    });
    return (bytes) => {
      if (caller.bytes + bytes > BYTES_OF_ONE || this.bytes + bytes > BYTES_OF_ALL) return false;
      taken += bytes;
      caller.bytes += bytes;
      this.bytes += bytes;
      return true;
    };
  }

  private isScarce(now: number): boolean {
    return now < this.sharedUntil && this.isBusy();
  }

  private start(caller: Caller, response: Response, next: NextFunction): void {
    caller.running++;
    let isOver = false;
    const end = (): void => {
      if (isOver) return;
      isOver = true;
      caller.running--;
      this.startWaiting(caller);
      this.forget(caller);
    };
    response.once('prefinish', end); // whoever reads slowly keeps no place
    response.once('close', end);
    next();
  }

  private startWaiting(caller: Caller): void {
    const { waiting } = caller;
    while (waiting.length > 0 && (caller.running < RUNNING_AT_MOST || !this.isScarce(performance.now()))) {
      const [response, next] = waiting.shift() as Waiting;
      if (!response.closed) this.start(caller, response, next);
    }
  }

  private callerOf(request: HttpRequest): Caller {
    const address = clientAddressOf(request);
    const known = this.callers.get(address);
    if (known) return known;
    const caller: Caller = { address, running: 0, bytes: 0, waiting: [] };
    this.callers.set(address, caller);
    return caller;
  }

  private forget(caller: Caller): void {
    if (caller.running + caller.bytes + caller.waiting.length === 0) this.callers.delete(caller.address);
  }
}

/** Whether the event loop was busy for most of the last moments. */
function loopIsBusy(): () => boolean {
  let sampledAt = 0;
  let sample = performance.eventLoopUtilization();
  let isBusy = false;
  return () => {
    const now = performance.now();
    if (now - sampledAt < SAMPLE_MS) return isBusy;
    const current = performance.eventLoopUtilization();
    isBusy = performance.eventLoopUtilization(current, sample).utilization > BUSY;
    [sample, sampledAt] = [current, now];
    return isBusy;
  };
}
