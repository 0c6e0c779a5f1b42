import type { Response } from 'express';
import type { HttpRequest } from './http-request.js';

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
 * The routes that bypass the router and Nest's pipeline, which would take a good part of their time and do nothing for
 * them. The middleware, the handler and the error responses are the same as on the usual way. A request that does not
 * match the pattern of a lane takes the usual way, and so does local mode. Modules add their lanes in `onModuleInit`.
 */
export class FastLanes {
  private readonly lanes: (FastLane & { readonly layer: { readonly path: string } })[] = [];
  private middleware: readonly Middleware[] = [];
  private fail: Fail | undefined;

  add(lane: FastLane): void {
    this.lanes.push({ ...lane, layer: { path: lane.route } });
  }

  /** Until this is called, every request takes the usual way. */
  open(middleware: readonly Middleware[], fail: Fail): void {
    this.middleware = middleware;
    this.fail = fail;
  }

  /** Returns true if it handles the request. */
  take(request: HttpRequest, response: Response): boolean {
    const { fail, middleware } = this;
    if (request.method !== 'POST' || request.isLocal || request.isForMetrics || !fail) return false;
    for (const { pattern, layer, handle } of this.lanes) {
      const parameter = pattern.exec(request.url)?.[1];
      if (parameter === undefined) continue;
      request.route = layer;
      const run = (place: number) => (error?: unknown) => {
        const next = middleware[place];
        if (error !== undefined) fail(error, request, response);
        else if (next) next(request, response, run(place + 1));
        else
          handle(parameter, request, response).catch((failure: unknown) => fail(failure, request, response));
      };
      run(0)();
      return true;
    }
    return false;
  }
}
