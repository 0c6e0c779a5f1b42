import type { NextFunction, Response } from 'express';
import type { Logger as Pino } from 'pino';
import type { HttpRequest } from '../common/http/http-request.js';

/**
 * One line for each answered request: API calls at `info`, executions of hooks at `debug` since there may be thousands
 * a second, server errors at `warn`. It names the route's pattern: a path may hold a hook's secret.
 */
export function accessLog(logger: Pino): (request: HttpRequest, response: Response, next: NextFunction) => void {
  return (request, response, next) => {
    const isExecution = request.url.startsWith('/hooks/');
    if (!logger.isLevelEnabled(isExecution ? 'debug' : 'warn')) return next();
    response.on('finish', () => {
      const level = response.statusCode >= 500 ? 'warn' : isExecution ? 'debug' : 'info';
      logger[level](
        {
          request_id: request.requestId,
          method: request.method,
          route: routePattern(request),
          status: response.statusCode,
          ms: Math.round((performance.now() - request.startedAt) * 10) / 10,
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
  return typeof route?.path === 'string' ? route.path : 'unmatched';
}
