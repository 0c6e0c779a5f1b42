import { performance } from 'node:perf_hooks';
import type { ServerResponse } from 'node:http';
import type { NextFunction, Response } from 'express';
import type { AppError } from '../errors/app-error.js';
import { tooManyRequests } from '../errors/common-errors.js';
import { type Claimant, type LoopTurn, loopTurn } from '../loop-turn.js';
import { clientAddressOf } from './client-address.js';
import type { HttpRequest } from './http-request.js';
import { loopIsBusy } from './loop-is-busy.js';

/** Places of one address while the server is busy and other addresses send requests too. */
const PLACES = 16;
/**
 * Places of one address otherwise; running work finishes before a newcomer's first request. After a busy
 * period, places return one request at a time; starting all waiting requests would cause overload again.
 */
const PLACES_AT_EASE = 256;
const ONE_MORE_EVERY_MS = 50;
/** A longer request waits for something external; others of its address may run meanwhile. */
const LONG_AFTER_MS = 1_000;
/** A request takes 16 places; a small post through a webhook one: it is cheap and shares its commit. */
const USUAL_PLACES = 16;
/** Maximum concurrent regular requests per address; fewer than the database connections. */
export const MOST_REQUESTS = PLACES_AT_EASE / USUAL_PLACES;
const SMALL_POST = /^\/hooks\/[a-z0-9]{26}(?:\?|$)/;
const SMALL_BYTES = 16 * 1024;
const WAITING_AT_MOST = 1_000;
/** After its client disconnects, a request keeps its places until its work ends, up to this time. */
const ENDS_WITHIN_MS = 60_000;
const LOOK_AGAIN_MS = 20;
/** Limits on the bytes of bodies in memory, per address and in total. */
const MIB = 1024 * 1024;
const BYTES_OF_ONE = 48 * MIB;
const BYTES_OF_ALL = 128 * MIB;
/** How long an address counts as active after its last request. */
const ACTIVE_MS = 2_000;
/** Pause of an address that has used its places, before its next requests. */
const REST_MS = 5;

interface Waiting {
  readonly request: HttpRequest;
  readonly response: Response;
  readonly next: NextFunction;
  readonly places: number;
}

/** The byte counter of one body, as its reader sees it. */
export interface CountedBody {
  /** Counts further bytes. Returns the refusal if they do not fit. */
  readonly take: (bytes: number) => AppError | undefined;
  /** Marks the body as complete; it can no longer be cut off. */
  readonly finish: () => void;
}

const BYTES = `${BYTES_OF_ONE / MIB} MiB of an address, and ${BYTES_OF_ALL / MIB} MiB in all,`;
const UNCOUNTED: CountedBody = { take: () => undefined, finish: () => undefined };

/** A body that is still arriving. */
interface OpenBody {
  bytes: number;
  readonly cut: () => void;
}

/** The requests of one address. */
class Caller implements Claimant {
  /** Places taken by its running requests. */
  running = 0;
  /** Places among `running` that belong to long requests. */
  long = 0;
  bytes = 0;
  /** Oldest first. */
  readonly open = new Set<OpenBody>();
  /** Responses to requests with a body that have not closed yet. */
  unclosed = 0;
  readonly waiting: Waiting[] = [];
  isResting = false;

  constructor(
    readonly address: string,
    private readonly isShared: () => boolean,
  ) {}

  get isHeavy(): boolean {
    return (this.running > USUAL_PLACES || this.waiting.length > 0) && this.isShared();
  }
}

/** A property, not a WeakMap: WeakMap values survive until a full garbage collection. */
interface CountedResponse extends ServerResponse {
  /** The caller whose body was counted. */
  caller?: Caller;
  countAnswer?: () => CountedBody;
}

/**
 * Counts the bytes of a long response together with the bodies of its address until the client has received
 * them; undefined for requests that are not counted.
 */
export const countAnswer = (response: CountedResponse): CountedBody | undefined => response.countAnswer?.();

/**
 * Prevents one caller from exhausting the server (docs/contract/conventions.md#limits). While the event loop
 * is busy and several addresses send requests, each address may run a limited number; its other requests
 * wait, and pause before they start, because fast responses would otherwise follow each other without a gap.
 * A single caller, or a server with spare capacity, is not limited. The bytes of unanswered bodies are always
 * bounded: when the total is reached, the address with the most bytes in unfinished bodies loses its oldest
 * one. An address is an IPv4 address or the /64 of an IPv6 address; TRUSTED_PROXIES decides whose.
 */
export class FairTurns {
  private readonly callers = new Map<string, Caller>();
  private bytes = 0;
  private lastAddress = '';
  private sharedUntil = 0;
  private lastBusyAt = -Infinity;

  constructor(
    private readonly isBusy: () => boolean = loopIsBusy(),
    private readonly turn: Pick<LoopTurn, 'isLong' | 'next' | 'claim' | 'release'> = loopTurn,
  ) {}

  /** Middleware that delays a request until its address has a free place. Runs after the body is read. */
  readonly wait = (request: HttpRequest, response: Response, next: NextFunction): void => {
    if (request.isLocal) return next();
    if (response.closed) return;
    const { caller = this.callerOf(request) } = response as CountedResponse;
    const now = performance.now();
    if (this.lastAddress !== '' && caller.address !== this.lastAddress) this.sharedUntil = now + ACTIVE_MS;
    this.lastAddress = caller.address;
    const waiting = { request, response, next, places: placesOf(request) };
    if (caller.waiting.length === 0 && this.hasPlaces(caller, waiting)) return this.start(caller, waiting);
    if (caller.waiting.length >= WAITING_AT_MOST)
      return next(tooManyRequests(`${WAITING_AT_MOST} of an address`));
    caller.waiting.push(waiting);
    response.once('close', () => leave(caller, waiting)); // its body no longer counts
    if (!caller.isResting && !this.isScarce()) this.startWaiting(caller);
  };

  /** Counts the bytes of a body while it arrives and until the request is answered. */
  body(request: HttpRequest, response: Response): CountedBody {
    if (request.isLocal || response.closed) return UNCOUNTED; // a closed response would never release them
    const caller = this.callerOf(request);
    (response as CountedResponse).caller = caller;
    const body: OpenBody = { bytes: 0, cut: () => request.destroy() };
    caller.open.add(body);
    caller.unclosed++;
    response.once('close', () => {
      caller.unclosed--;
      this.release(caller, body);
      this.forget(caller);
    });
    return {
      take: (bytes) => (this.take(caller, body, bytes) ? undefined : tooManyRequests(BYTES)),
      finish: () => caller.open.delete(body),
    };
  }

  private take(caller: Caller, body: OpenBody, bytes: number): boolean {
    if (caller.bytes + bytes > BYTES_OF_ONE) return false;
    while (this.bytes + bytes > BYTES_OF_ALL) if (!this.cutOneFor(caller)) return false;
    body.bytes += bytes;
    caller.bytes += bytes;
    this.bytes += bytes;
    return true;
  }

  /** Cuts off the oldest unfinished body of the address with the most. False if that is the caller. */
  private cutOneFor(caller: Caller): boolean {
    let largest = caller;
    for (const other of this.callers.values()) if (openBytes(other) > openBytes(largest)) largest = other;
    const [oldest] = largest.open;
    if (largest === caller || !oldest) return false;
    this.release(largest, oldest);
    oldest.cut();
    return true;
  }

  private release(caller: Caller, body: OpenBody): void {
    caller.open.delete(body);
    caller.bytes -= body.bytes;
    this.bytes -= body.bytes;
    body.bytes = 0;
  }

  private hasPlaces({ running, long }: Caller, { places }: Waiting): boolean {
    if (running + places > PLACES_AT_EASE) return false;
    const needed = running - long + places;
    return needed <= PLACES || needed <= this.placesNow();
  }

  /** Whether several addresses send requests. */
  private readonly isShared = (): boolean => performance.now() < this.sharedUntil;

  private isScarce(): boolean {
    return this.placesNow() < PLACES_AT_EASE;
  }

  private placesNow(): number {
    if (!this.isShared()) return PLACES_AT_EASE;
    const now = performance.now();
    if (this.isBusy()) this.lastBusyAt = now;
    const more = Math.floor((now - this.lastBusyAt) / ONE_MORE_EVERY_MS);
    return Math.min(PLACES_AT_EASE, PLACES + more * USUAL_PLACES);
  }

  private start(caller: Caller, { request, response, next, places }: Waiting): void {
    caller.running += places;
    (response as CountedResponse).countAnswer = () => this.body(request, response);
    const isClaimed = this.isShared();
    let isOver = false;
    let long = 0;
    const timer = setTimeout(() => {
      caller.long += long = places;
      this.startWaiting(caller);
    }, LONG_AFTER_MS);
    const end = (): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      caller.long -= long;
      if (isClaimed) this.turn.release();
      caller.running -= places;
      this.startWaiting(caller);
      this.forget(caller);
    };
    response.once('prefinish', end); // a slow reader keeps no place
    response.once('close', () => afterWork(response, end));
    const begin = (): void => {
      if (!this.turn.isLong) return next();
      void this.turn.next().then(() => (response.closed ? end() : next()));
    };
    if (isClaimed) this.turn.claim(caller, begin);
    else begin();
  }

  /** Starts waiting requests: at once if the server has spare capacity, otherwise after a pause. */
  private startWaiting(caller: Caller): void {
    if (caller.waiting.length === 0 || caller.isResting) return;
    if (!this.isScarce()) return this.startFirst(caller, caller.waiting.length);
    caller.isResting = true;
    setTimeout(() => {
      caller.isResting = false;
      this.startFirst(caller, PLACES);
    }, REST_MS);
  }

  private startFirst(caller: Caller, count: number): void {
    const { waiting } = caller;
    for (let n = 0; n < count; n++) {
      const [first] = waiting;
      if (!first || !this.hasPlaces(caller, first)) break;
      waiting.shift();
      if (!first.response.closed) this.start(caller, first);
    }
    if (caller.running === 0) this.startWaiting(caller);
    this.forget(caller);
  }

  private callerOf(request: HttpRequest): Caller {
    const address = clientAddressOf(request);
    const known = this.callers.get(address);
    if (known) return known;
    const caller = new Caller(address, this.isShared);
    this.callers.set(address, caller);
    return caller;
  }

  private forget(caller: Caller): void {
    const { address, running, unclosed, waiting } = caller;
    if (running + unclosed + waiting.length > 0) return;
    if (this.callers.get(address) === caller) this.callers.delete(address);
  }
}

function leave({ waiting }: Caller, one: Waiting): void {
  const place = waiting.indexOf(one);
  if (place !== -1) waiting.splice(place, 1);
}

function placesOf({ url, method, body }: HttpRequest): number {
  return method === 'POST' && body.length < SMALL_BYTES && SMALL_POST.test(url) ? 1 : USUAL_PLACES;
}

/** Calls `then` once the response of a disconnected client has been ended, so its work is over. */
function afterWork(response: Response, then: () => void, triesLeft = ENDS_WITHIN_MS / LOOK_AGAIN_MS): void {
  if (response.writableEnded || triesLeft === 0) return then();
  setTimeout(() => afterWork(response, then, triesLeft - 1), LOOK_AGAIN_MS).unref();
}

function openBytes({ open }: Caller): number {
  let sum = 0;
  for (const { bytes } of open) sum += bytes;
  return sum;
}
