import type { Response } from 'express';
import type { HttpRequest } from '../../platform/common/http/http-request.js';
import type { ExecutionController } from './execution.controller.js';

const EXECUTION = /^\/hooks\/([A-Za-z0-9]+)(?:\?|$)/;
const ROUTE = { path: '/hooks/:id' };

/** A step that every request goes through before its route. */
export type Step = (request: HttpRequest, response: Response, next: (error?: unknown) => void) => void;

/**
 * The way of executions past the router and Nest's pipeline. On the busiest route those are a good part of the work, and
 * have nothing to do there: it is public, reads no session, and takes bytes. The steps before the
 * route, the controller and the rendering of errors are the same ones; what does not look exactly like an execution
 * takes the usual way. The handler takes a request and says so, or leaves it alone.
 */
export function executionFastLane(
  controller: ExecutionController,
  steps: readonly Step[],
  fail: (error: unknown, request: HttpRequest, response: Response) => void,
): (request: HttpRequest, response: Response) => boolean {
  return (request, response) => {
    if (request.method !== 'POST' || request.isLocal) return false;
    const hookId = EXECUTION.exec(request.url)?.[1];
    if (hookId === undefined) return false;
    request.route = ROUTE;
    const run = (place: number) => (error?: unknown) => {
      const step = steps[place];
      if (error !== undefined) fail(error, request, response);
      else if (step) step(request, response, run(place + 1));
      else {
        controller
          .executeIncomingWebhook(hookId, request, response)
          .catch((failure: unknown) => fail(failure, request, response));
      }
    };
    run(0)();
    return true;
  };
}
