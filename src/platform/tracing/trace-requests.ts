import type { NextFunction, Response } from 'express';
import type { HttpRequest } from '../common/http/http-request.js';
import type { Tracing } from './tracing.js';

/**
 * Creates a span for each request to a POST route. Runs as the last middleware, since earlier ones wait for
 * the body. With `continues`, the span is a child of the one the caller names.
 */
export function traceRequests(
  tracing: Tracing,
  route: string,
  continues: boolean,
): (request: HttpRequest, response: Response, next: NextFunction) => void {
  return (request, response, next) => {
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
