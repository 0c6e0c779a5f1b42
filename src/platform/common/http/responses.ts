import type { ServerResponse } from 'node:http';
import { AppError } from '../errors/app-error.js';
import { RouteNotFound } from '../errors/common-errors.js';
import { loopTurn } from '../loop-turn.js';
import { htmlPage, PAGE_POLICY } from './html-page.js';
import { isLong, jsonPieces } from './json-pieces.js';

const CHUNK_CHARS = 64 * 1024;

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
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json');
  if (isLong(body)) return void writePieces(response, body).catch(() => response.destroy());
  const text = JSON.stringify(body);
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}

/** Lets other requests go on while it makes and sends a long answer. */
async function writePieces(response: ServerResponse, body: object): Promise<void> {
  const chunks: Buffer[] = [];
  let text = '';
  for (const piece of jsonPieces(body)) {
    text += piece;
    if (text.length < CHUNK_CHARS) continue;
    chunks.push(Buffer.from(text));
    text = '';
    if (loopTurn.isLong) await loopTurn.next();
    if (response.destroyed) return;
  }
  chunks.push(Buffer.from(text));
  response.setHeader(
    'Content-Length',
    chunks.reduce((sum, { length }) => sum + length, 0),
  );
  for (const chunk of chunks) {
    response.write(chunk);
    if (loopTurn.isLong) await loopTurn.next();
  }
  response.end();
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
