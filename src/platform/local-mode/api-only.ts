import type { NextFunction, Response } from 'express';
import { RouteNotFound } from '../common/errors/common-errors.js';
import type { HttpRequest } from '../common/http/http-request.js';

/**
 * Limits local mode to the API: no hook executions, no pages (docs/contract/conventions.md#local-mode).
 */
export function apiOnlyLocally(request: HttpRequest, _response: Response, next: NextFunction): void {
  if (request.isLocal && !request.path.startsWith('/api/v4/')) next(new RouteNotFound(request.path));
  else next();
}
