import type { NextFunction, Response } from 'express';
import { badRequest, urlTooLong } from '../errors/common-errors.js';
import { newId } from '../ids.js';
import { API_VERSION } from '../version.js';
import type { HttpRequest } from './http-request.js';

const MAX_URL_LENGTH = 2048;
const VERSION_HEADER = `${API_VERSION}.${API_VERSION}.hookline.false`;

/** Sets the request id and common headers (docs/contract/conventions.md#responses), and refuses invalid URLs. */
export function requestContext(request: HttpRequest, response: Response, next: NextFunction): void {
  request.requestId = newId();
  request.startedAt = performance.now();
  request.isLocal ??= false;
  response.setHeader('X-Request-ID', request.requestId);
  response.setHeader('X-Version-ID', VERSION_HEADER);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('X-Frame-Options', 'DENY');
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('Permissions-Policy', '');
  if (request.method === 'GET') response.setHeader('Expires', '0');
  // Clients reload with no-cache. It is for caches on the way (RFC 9111, 5.2.1.4), but Express would not respond with 304.
  if (request.method === 'GET' || request.method === 'HEAD') delete request.headers['cache-control'];
  if (request.headers.host === undefined && request.httpVersion === '1.1') {
    return next(badRequest('The Host header is missing.'));
  }
  if (request.url.length > MAX_URL_LENGTH) return next(urlTooLong());
  if (/%00/.test(request.url)) return next(badRequest('The URL contains a NUL character.'));
  next();
}
