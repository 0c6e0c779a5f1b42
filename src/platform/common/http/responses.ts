import type { Response } from 'express';
import type { ErrorDto } from '../dto/operation.js';
import { AppError } from '../errors/app-error.js';
import { RouteNotFound } from '../errors/common-errors.js';
import { byteRoom } from './byte-room.js';
import { htmlPage, PAGE_POLICY } from './html-page.js';
import type { HttpRequest } from './http-request.js';

const LONG_BYTES = 64 * 1024;
/** A client that reads nothing of a long response for this long is disconnected. */
const READS_WITHIN_MS = 30_000;

const NOTHING_HERE = '<h1>Not found</h1>\n<p>This page does not exist.</p>';

/** The body for an error. `detailed_error` is empty unless developer mode is on; RouteNotFound always has it. */
export function errorBody(error: AppError, requestId: string, developerMode: boolean): ErrorDto {
  return {
    id: error.id,
    message: error.message,
    detailed_error: developerMode || error instanceof RouteNotFound ? error.detail : '',
    request_id: requestId,
    status_code: error.status,
  };
}

/** Sends JSON as exactly `application/json`: stock clients compare that header by equality. */
export function writeJson(response: Response, status: number, body: unknown): void {
  response.status(status).setHeader('Content-Type', 'application/json');
  writeContent(response, Buffer.from(JSON.stringify(body)));
}

/** Sends a complete response; its content type is already set. Long ones count until the client has them. */
export function writeContent(response: Response, content: Buffer): void {
  if (content.length > LONG_BYTES) {
    const counted = byteRoom.open(response.req as unknown as HttpRequest, response);
    counted.finish();
    const refusal = counted.take(content.length);
    if (refusal) return writeError(response, refusal, String(response.getHeader('X-Request-Id')), false);
    response.setTimeout(READS_WITHIN_MS);
  }
  response.send(content);
}

/** Sends an error with its headers. */
export function writeError(
  response: Response,
  error: AppError,
  requestId: string,
  developerMode: boolean,
): void {
  for (const [name, value] of Object.entries(error.headers ?? {})) response.setHeader(name, value);
  writeJson(response, error.status, { ...errorBody(error, requestId, developerMode), ...error.further });
}

function writePage(response: Response, status: number, page: string): void {
  response.statusCode = status;
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.setHeader('Content-Security-Policy', PAGE_POLICY);
  response.end(page);
}

/** Sends a 404: below /api/ as JSON, elsewhere as a page. */
export function writeNotFound(
  response: Response,
  path: string,
  requestId: string,
  developerMode: boolean,
): void {
  if (path.startsWith('/api/')) writeError(response, new RouteNotFound(path), requestId, developerMode);
  else writePage(response, 404, htmlPage('Not found', NOTHING_HERE));
}
