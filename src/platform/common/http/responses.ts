import type { ServerResponse } from 'node:http';
import { AppError } from '../errors/app-error.js';
import { RouteNotFound } from '../errors/common-errors.js';
import { htmlPage, PAGE_POLICY } from './html-page.js';

const NOTHING_HERE = '<h1>Not found</h1>\n<p>There is nothing at this address.</p>';

/** The body of every error response (docs/contract/conventions.md#errors). */
export interface ErrorBody {
  id: string;
  message: string;
  detailed_error: string;
  request_id: string;
  status_code: number;
}

/** The body for an error. `detailed_error` is empty unless developer mode is on; RouteNotFound always has it. */
export function errorBody(error: AppError, requestId: string, developerMode: boolean): ErrorBody {
  return {
    id: error.id,
    message: error.message,
    detailed_error: developerMode
      ? error.detail || error.name
      : error instanceof RouteNotFound
        ? error.detail
        : '',
    request_id: requestId,
    status_code: error.status,
  };
}

/** Sends JSON as exactly `application/json`: stock clients compare that header by equality. */
export function writeJson(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}

/** Sends an error with its headers. */
export function writeError(
  response: ServerResponse,
  error: AppError,
  requestId: string,
  developerMode: boolean,
): void {
  for (const [name, value] of Object.entries(error.headers ?? {})) response.setHeader(name, value);
  writeJson(response, error.status, errorBody(error, requestId, developerMode));
}

function writePage(response: ServerResponse, status: number, page: string): void {
  response.statusCode = status;
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.setHeader('Content-Security-Policy', PAGE_POLICY);
  response.end(page);
}

/** Sends a 404: below /api/ as JSON, elsewhere as a page. */
export function writeNotFound(
  response: ServerResponse,
  path: string,
  requestId: string,
  developerMode: boolean,
): void {
  if (path.startsWith('/api/')) writeError(response, new RouteNotFound(path), requestId, developerMode);
  else writePage(response, 404, htmlPage('Not found', NOTHING_HERE));
}
