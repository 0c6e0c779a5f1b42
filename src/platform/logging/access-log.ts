import type { NextFunction, Response } from 'express';
import type { Logger as Pino } from 'pino';
import type { HttpRequest } from '../common/http/http-request.js';

/** Counts answered requests. */
export interface RequestCounter {
  httpRequest(method: string, route: string, status: number, seconds: number): void;
}

/** Frequent requests: webhook executions (thousands per second), health checks, scrapes, and assets. */
const FREQUENT =
  /^\/(?:hooks\/|health\/|metrics(?:\?|$)|api\/v4\/system\/ping(?:\?|$)|api\/docs\/.|console\/|favicon\.ico(?:\?|$))/;

/** Counts and logs each answered request by its route pattern: a path may contain the secret of a webhook. */
export function accessLog(
  logger: Pino,
  counter: RequestCounter,
): (request: HttpRequest, response: Response, next: NextFunction) => void {
  return (request, response, next) => {
    const { url } = request; // a mounted router shortens it
    response.on('finish', () => {
      const ms = performance.now() - request.startedAt;
      const { statusCode } = response;
      const route = routePattern(request);
      counter.httpRequest(request.method, route, statusCode, ms / 1000);
      const level = statusCode >= 500 ? 'warn' : FREQUENT.test(url) ? 'debug' : 'info';
      if (!logger.isLevelEnabled(level)) return;
      logger[level](
        {
          request_id: request.requestId,
          method: request.method,
          route,
          status: statusCode,
          ms: Math.round(ms * 10) / 10,
        },
        'request',
      );
    });
    next();
  };
}

/** The route pattern, such as `/hooks/:id`; `unmatched` if no route matched. Never the path itself. */
function routePattern(request: HttpRequest): string {
  const route = request.route as { path?: unknown } | undefined;
  return typeof route?.path === 'string' && route.path.startsWith('/') ? route.path : 'unmatched';
}
