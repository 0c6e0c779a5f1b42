import type { Response } from 'express';
import { RouteNotFound } from '../errors/common-errors.js';
import type { HttpRequest } from './http-request.js';
import { type RouteHandler, RouteIndex, type RouterLayer } from './route-index.js';

/** What every request passes before its route. */
export type Middleware = (request: HttpRequest, response: Response, next: (error?: unknown) => void) => void;

/** Answers a request that has failed. */
type Fail = (error: unknown, request: HttpRequest, response: Response) => void;

/** A busy route whose POSTs bypass the router and Nest's pipeline. */
export interface FastLane {
  /** The route as it is declared, for the access log. */
  readonly route: string;
  /** What its URLs look like; the first group is the one parameter of the path. */
  readonly pattern: RegExp;
  readonly handle: (parameter: string, request: HttpRequest, response: Response) => Promise<void>;
}

/**
 * Shortens the way of a request to its handler. The middleware, the handlers and the error responses are the same as on
 * the usual way, which takes what is not found here, and local mode. Busy routes have a lane of their own, which also
 * bypasses Nest's pipeline, where that would do nothing for them; modules add theirs in `onModuleInit`. Other requests
 * bypass Express's router only.
 */
export class FastLanes {
  private readonly lanes: (FastLane & { readonly layer: { readonly path: string } })[] = [];
  private middleware: readonly Middleware[] = [];
  private fail: Fail | undefined;
  private routes: RouteIndex | undefined;

  add(lane: FastLane): void {
    this.lanes.push({ ...lane, layer: { path: lane.route } });
  }

  /** Until this is called, every request takes the usual way. */
  open(middleware: readonly Middleware[], fail: Fail): void {
    this.middleware = middleware;
    this.fail = fail;
  }

  /** Learns the routes of Express. Call it when all are there. `prepare` may give a handler that does the same in less time. */
  index(stack: readonly RouterLayer[], prepare: (handler: RouteHandler) => RouteHandler): void {
    this.routes = new RouteIndex(stack, this.middleware, prepare);
  }

  /** Returns true if it handles the request. */
  take(request: HttpRequest, response: Response): boolean {
    const { fail } = this;
    if (request.isLocal || request.isForMetrics || !fail) return false;
    return this.takeLane(request, response, fail) || this.takeRoute(request, response, fail);
  }

  private takeLane(request: HttpRequest, response: Response, fail: Fail): boolean {
    if (request.method !== 'POST') return false;
    for (const { pattern, layer, handle } of this.lanes) {
      const parameter = pattern.exec(request.url)?.[1];
      if (parameter === undefined) continue;
      request.route = layer;
      request.originalUrl = request.url;
      this.pass(request, response, fail, () => handle(parameter, request, response));
      return true;
    }
    return false;
  }

  private takeRoute(request: HttpRequest, response: Response, fail: Fail): boolean {
    const { url } = request;
    const end = url.indexOf('?');
    const found = this.routes?.find(request.method, end < 0 ? url : url.slice(0, end));
    if (!found) return false;
    request.route = found.route;
    request.params = found.params;
    request.originalUrl = url;
    request.baseUrl = '';
    request.res = response;
    const next = (error: unknown): void => fail(error ?? new RouteNotFound(request.path), request, response);
    this.pass(request, response, fail, () => found.handle(request, response, next));
    return true;
  }

  private pass(request: HttpRequest, response: Response, fail: Fail, handle: () => unknown): void {
    const run = (place: number) => (error?: unknown) => {
      const next = this.middleware[place];
      if (error !== undefined) fail(error, request, response);
      else if (next) next(request, response, run(place + 1));
      else void Promise.resolve(handle()).catch((failure: unknown) => fail(failure, request, response));
    };
    run(0)();
  }
}
