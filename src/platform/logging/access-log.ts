import type { NextFunction, Response } from 'express';
import type { Logger as Pino } from 'pino';
import type { HttpRequest } from '../common/http/http-request.js';

/** What counts answered requests. */
export interface RequestCounter {
  httpRequest(method: string, route: string, status: number, seconds: number): void;
}

/**
 * Counts each answered request and logs one line for it: API calls at `info`, executions of hooks at `debug` since
 * there may be thousands a second, server errors at `warn`. Both name the route's pattern: a path may hold a hook's
 * secret.
 */
export function accessLog(
  logger: Pino,
  counter: RequestCounter,
): (request: HttpRequest, response: Response, next: NextFunction) => void {
  return (request, response, next) => {
    response.on('finish', () => {
      const ms = performance.now() - request.startedAt;
      const { statusCode } = response;
      const route = routePattern(request);
      counter.httpRequest(request.method, route, statusCode, ms / 1000);
      const level = statusCode >= 500 ? 'warn' : request.url.startsWith('/hooks/') ? 'debug' : 'info';
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

/** The pattern of the route, such as `/hooks/:id`; `unmatched` when there was none. Never the path itself. */
export function routePattern(request: HttpRequest): string {
  const route = request.route as { path?: unknown } | undefined;
  return typeof route?.path === 'string' && route.path.startsWith('/') ? route.path : 'unmatched';
}
