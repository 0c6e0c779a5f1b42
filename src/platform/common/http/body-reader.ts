import type { NextFunction, Response } from 'express';
import { badRequest, requestBodyTooLarge } from '../errors/common-errors.js';
import { GrowingBytes } from '../growing-bytes.js';
import { type ByteRoom, byteRoom } from './byte-room.js';
import type { HttpRequest } from './http-request.js';

const SLACK_BYTES = 512;
/** Read and discarded after a refusal, so that the client can read the response. */
const MAX_DISCARDED_BYTES = 16 * 1024 * 1024;
const NO_BODY = Buffer.alloc(0);

/** Reads the whole body; refuses one over the limit with 413 (docs/contract/conventions.md#limits). */
export function bodyReader(
  limitOf: (request: HttpRequest) => number,
  room: Pick<ByteRoom, 'open'> = byteRoom,
): (request: HttpRequest, response: Response, next: NextFunction) => void {
  return (request, response, next) => {
    request.body = NO_BODY;
    const limitBytes = limitOf(request);
    const limit = limitBytes + SLACK_BYTES;
    if (request.method === 'GET' || request.method === 'HEAD') return next();
    const declared = Number(request.headers['content-length'] ?? 0);
    if (declared > limit) {
      discard(request);
      return next(requestBodyTooLarge(limitBytes));
    }
    if (declared === 0 && request.headers['transfer-encoding'] === undefined) return next();
    const counted = room.open(request, response);
    const bytes = new GrowingBytes(limit);
    let whole: Buffer | undefined;
    const refuse = (reason: Error): void => {
      stop();
      discard(request);
      next(reason);
    };
    const onData = (chunk: Buffer): void => {
      const held = bytes.held;
      if (chunk.length === declared)
        whole = chunk; // the usual case
      else if (!bytes.add(chunk)) return refuse(requestBodyTooLarge(limitBytes));
      const refusal = counted.take((whole?.length ?? bytes.held) - held);
      if (refusal) refuse(refusal);
    };
    const onEnd = (): void => {
      stop();
      counted.finish();
      request.body = whole ?? bytes.soFar;
      next();
    };
    const onAborted = (): void => {
      stop();
      next(badRequest('The request ended before its body did.'));
    };
    const stop = (): void => {
      request.off('data', onData).off('end', onEnd).off('error', onAborted).off('close', onAborted);
    };
    request.on('data', onData).on('end', onEnd).on('error', onAborted).on('close', onAborted);
  };
}

function discard(request: HttpRequest): void {
  let size = 0;
  request.on('error', () => undefined);
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > MAX_DISCARDED_BYTES) request.destroy();
  });
}
