import type { ServerResponse } from 'node:http';
import { AppError } from '../errors/app-error.js';
import { RouteNotFound } from '../errors/common-errors.js';
import { loopTurn } from '../loop-turn.js';
import { ContentTag } from './content-tag.js';
import { countAnswer } from './fair-turns.js';
import { htmlPage, PAGE_POLICY } from './html-page.js';
import { isLong, jsonPieces } from './json-pieces.js';

const CHUNK_CHARS = 64 * 1024;
const TAKES_WITHIN_MS = 30_000;

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
    detailed_error: developerMode || error instanceof RouteNotFound ? error.detail : '',
    request_id: requestId,
    status_code: error.status,
  };
}

/** Sends JSON as exactly `application/json`: stock clients compare that header by equality. */
export function writeJson(response: ServerResponse, status: number, body: unknown): void {
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json');
  if (isLong(body)) writeLong(response, inChunks(jsonPieces(body)));
  else writeContent(response, JSON.stringify(body));
}

/** Sends a complete response; its content type is already set. */
export function writeContent(response: ServerResponse, content: string | Buffer): void {
  if (content.length > CHUNK_CHARS) return writeLong(response, [content]);
  if (ContentTag.for(response)?.settle(content)) return;
  response.setHeader('Content-Length', Buffer.byteLength(content));
  response.end(content);
}

function writeLong(response: ServerResponse, parts: Iterable<string | Buffer>): void {
  writeParts(response, parts).catch(() => response.destroy());
}

/**
 * Builds and sends a long response without blocking other requests. Counts unsent bytes, and disconnects a
 * client that reads nothing for half a minute.
 */
async function writeParts(response: ServerResponse, parts: Iterable<string | Buffer>): Promise<void> {
  const counted = countAnswer(response);
  const tag = ContentTag.for(response);
  const chunks: Buffer[] = [];
  let size = 0;
  for (const part of parts) {
    const chunk = typeof part === 'string' ? Buffer.from(part) : part;
    const refusal = counted?.take(chunk.length);
    if (refusal)
      return writeError(response, refusal, String(response.getHeader('X-Request-Id') ?? ''), false);
    tag?.update(chunk);
    chunks.push(chunk);
    size += chunk.length;
    if (loopTurn.isLong) await loopTurn.next();
    if (response.destroyed) break;
  }
  if (tag?.settle()) return;
  response.setHeader('Content-Length', size);
  const [only, ...more] = chunks;
  if (only && more.length === 0 && size <= CHUNK_CHARS) return void response.end(only);
  for (const chunk of slices(chunks)) {
    if (response.destroyed) break;
    if (!response.write(chunk)) await roomIn(response);
    if (loopTurn.isLong) await loopTurn.next();
  }
  response.end();
}

/** Splits chunks into parts small enough for a slow client to read in time. */
function* slices(chunks: readonly Buffer[]): Generator<Buffer> {
  for (const chunk of chunks)
    for (let start = 0; start < chunk.length; start += CHUNK_CHARS)
      yield chunk.subarray(start, start + CHUNK_CHARS);
}

function* inChunks(pieces: Iterable<string>): Generator<string> {
  let text = '';
  for (const piece of pieces) {
    text += piece;
    if (text.length < CHUNK_CHARS) continue;
    yield text;
    text = '';
  }
  yield text;
}

/** Resolves once the client has read what was written, or has disconnected. */
function roomIn(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (response.destroyed || response.socket?.destroyed) return resolve();
    const timer = setTimeout(() => {
      response.destroy();
      settle();
    }, TAKES_WITHIN_MS).unref();
    const settle = (): void => {
      clearTimeout(timer);
      response.off('drain', settle).off('close', settle);
      resolve();
    };
    response.once('drain', settle).once('close', settle);
  });
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
