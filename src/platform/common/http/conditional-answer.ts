import { createHash } from 'node:crypto';
import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import type { Response } from 'express';
import { map, type Observable } from 'rxjs';
import type { HttpRequest } from './http-request.js';

/** Gives the answer its ETag; one that the client has already becomes an empty 304. */
@Injectable()
class ConditionalAnswer implements NestInterceptor<object, object | undefined> {
  intercept(context: ExecutionContext, next: CallHandler<object>): Observable<object | undefined> {
    const http = context.switchToHttp();
    const request = http.getRequest<HttpRequest>();
    const response = http.getResponse<Response>();
    return next.handle().pipe(map((body) => answer(request, response, body)));
  }
}

/** The answer of the route has an ETag, and is an empty 304 to a client that has it already. */
export const Conditional = (): MethodDecorator =>
  applyDecorators(
    UseInterceptors(ConditionalAnswer),
    ApiResponse({
      status: 304,
      description: 'The client has this version: its ETag came in If-None-Match.',
    }),
  );

function answer(request: HttpRequest, response: Response, body: object): object | undefined {
  const tag = createHash('sha256')
    .update(Buffer.isBuffer(body) ? body : JSON.stringify(body))
    .digest('base64url')
    .slice(0, 27);
  response.setHeader('ETag', `"${tag}"`);
  const known = knownTags(request.headers['if-none-match']);
  if (!known.some((candidate) => candidate === tag || candidate === '*')) return body;
  response.status(304);
  return undefined;
}

function knownTags(header = ''): string[] {
  return header.split(',').map((tag) => tag.trim().replace(/^W\//, '').replaceAll('"', ''));
}
