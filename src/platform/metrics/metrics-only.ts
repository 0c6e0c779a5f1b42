import type { NextFunction, Response } from 'express';
import { RouteNotFound } from '../common/errors/common-errors.js';
import type { HttpRequest } from '../common/http/http-request.js';

/** Limits the server of METRICS_PORT to the metrics. */
export function metricsOnlyThere(request: HttpRequest, _response: Response, next: NextFunction): void {
  if (request.isForMetrics === true && request.path !== '/metrics') next(new RouteNotFound(request.path));
  else next();
}
