import type { NextFunction, Response } from 'express';
import type { HttpRequest } from '../common/http/http-request.js';
import type { Tracing } from './tracing.js';

/**
 * The last middleware, as those before it wait for the body: a span for each POST to one of the routes. With `continues`
 * it belongs to the span that the caller names.
 */
export function traceRequests(
  tracing: Tracing,
  routes: ReadonlySet<string>,
  continues: boolean,
): (request: HttpRequest, response: Response, next: NextFunction) => void {
  return (request, response, next) => {
    const route = (request.route as { path?: unknown } | undefined)?.path;
    if (request.method !== 'POST' || typeof route !== 'string' || !routes.has(route)) return next();
    const { traceparent } = request.headers;
    const span = tracing.start({
      name: `POST ${route}`,
      kind: 'server',
      parent: continues && typeof traceparent === 'string' ? traceparent : undefined,
      startedAt: request.startedAt,
      attributes: {
        'http.request.method': 'POST',
        'http.route': route,
        'hookline.request.id': request.requestId,
      },
    });
    response.once('close', () => {
      if (!response.writableFinished) return span.end('aborted');
      span.set('http.response.status_code', response.statusCode);
      span.end(response.statusCode >= 500 ? String(response.statusCode) : undefined);
    });
    tracing.within(span.traceparent, next);
  };
}
