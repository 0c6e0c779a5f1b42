import { createHash } from 'node:crypto';
import type { Response } from 'express';
import type { HttpRequest } from '../../platform/common/http/http-request.js';

/** Gives the answer its ETag; one that the client has already becomes an empty 304. */
export function conditional<T extends object>(
  request: HttpRequest,
  response: Response,
  body: T,
): T | undefined {
  const tag = createHash('sha256')
    .update(Buffer.isBuffer(body) ? body : JSON.stringify(body))
    .digest('base64url')
    .slice(0, 27);
  response.setHeader('ETag', `"${tag}"`);
  if (!known(request.headers['if-none-match']).some((candidate) => candidate === tag || candidate === '*'))
    return body;
  response.status(304);
  return undefined;
}

function known(header: string | undefined): string[] {
  return (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, '').replaceAll('"', ''));
}
