import type { ServerResponse } from 'node:http';
import { AppError } from '../errors/app-error.js';
import { RouteNotFound } from '../errors/common-errors.js';

/** The one shape of every error answer (docs/contract/conventions.md#errors). */
export interface ErrorBody {
  id: string;
  message: string;
  detailed_error: string;
  request_id: string;
  status_code: number;
}

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

/** Sends JSON with exactly `application/json`: stock clients compare that header by equality. */
export function writeJson(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}

export function writeError(
  response: ServerResponse,
  error: AppError,
  requestId: string,
  developerMode: boolean,
): void {
  for (const [name, value] of Object.entries(error.headers ?? {})) response.setHeader(name, value);
  writeJson(response, error.status, errorBody(error, requestId, developerMode));
}

/** Sends a small page; used outside the API, where people rather than programs look. */
function writePage(response: ServerResponse, status: number, title: string, text: string): void {
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><body style="font-family:sans-serif;max-width:40em;margin:4em auto"><h1>${title}</h1><p>${text}</p></body></html>`;
  response.statusCode = status;
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.end(page);
}

/** Answers that there is nothing at a path: inside the API with the error that programs read, elsewhere with a page. */
export function writeNotFound(
  response: ServerResponse,
  path: string,
  requestId: string,
  developerMode: boolean,
): void {
  if (path.startsWith('/api/')) writeError(response, new RouteNotFound(path), requestId, developerMode);
  else writePage(response, 404, 'Not found', 'There is nothing at this address.');
}
