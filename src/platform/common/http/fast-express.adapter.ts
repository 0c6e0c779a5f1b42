import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import type { NestApplicationOptions } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, Response } from 'express';
import { warnOfUnknownFields } from '../dto/unknown-fields.js';
import { answerBrokenRequests } from './broken-request.js';
import { FastLanes } from './fast-lanes.js';
import type { HttpRequest } from './http-request.js';
import { awaitTurn } from './pipelined-requests.js';
import { writeContent, writeJson } from './responses.js';

const REQUEST_TIMEOUT_MS = 60_000;

/**
 * Express, with two differences. Requests and responses are created with Express's prototypes: swapping the prototype
 * of each one, as Express does, takes half of the time of a small request on Node 20 and 22. And JSON responses have
 * the bare type `application/json`, because stock clients compare it by equality
 * (docs/contract/conventions.md#responses).
 */
export class FastExpressAdapter extends ExpressAdapter {
  /** Asked before Express for each request. */
  readonly fastLanes = new FastLanes();

  override initHttpServer(options?: NestApplicationOptions): void {
    super.initHttpServer(options ?? {});
    this.httpServer = this.createServer();
  }

  /** Creates another server with the same routes, such as the one for local mode. */
  createServer(before?: (request: IncomingMessage) => void): ReturnType<typeof createServer> {
    const app = this.getInstance<Express>();
    // V8 learns from the constructors that these extend how many properties their objects will have. Without that it makes room
    // for a few at a time.
    function Req(this: IncomingMessage, ...args: unknown[]): void {
      (IncomingMessage as unknown as (...args: unknown[]) => void).call(this, ...args);
    }
    Object.setPrototypeOf(Req, IncomingMessage);
    Req.prototype = app.request;
    function Res(this: ServerResponse, ...args: unknown[]): void {
      (ServerResponse as unknown as (...args: unknown[]) => void).call(this, ...args);
    }
    Object.setPrototypeOf(Res, ServerResponse);
    Res.prototype = app.response;
    const classes = { IncomingMessage: Req, ServerResponse: Res } as unknown as Parameters<
      typeof createServer
    >[0];
    const begin = (request: IncomingMessage, response: ServerResponse): void => {
      before?.(request);
      request.url = pathOf(request.url ?? '');
      if (this.fastLanes.take(request as HttpRequest, response as Response)) return;
      app(request as never, response as never);
    };
    const serve = (request: IncomingMessage, response: ServerResponse): void => {
      if (response.socket === null) awaitTurn(request, response, () => begin(request, response));
      else begin(request, response);
    };
    // request-context.ts refuses requests without a Host header, with an error in the usual shape.
    const server = createServer(
      {
        ...classes,
        requestTimeout: REQUEST_TIMEOUT_MS,
        requireHostHeader: false,
      },
      serve,
    );
    server.on('checkExpectation', serve); // an expectation other than 100-continue may be ignored (RFC 9110, 10.1.1)
    answerBrokenRequests(server);
    return server;
  }

  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    if (
      typeof body === 'object' &&
      body !== null &&
      Object.getPrototypeOf(body) !== null &&
      'getStream' in body
    ) {
      return super.reply(response, body, statusCode);
    }
    if (statusCode !== undefined) response.statusCode = statusCode;
    warnOfUnknownFields(response, body);
    if (body === undefined || body === null) return response.end();
    if (typeof body === 'string') return response.end(body);
    if (Buffer.isBuffer(body)) return writeContent(response, body);
    return writeJson(response, response.statusCode, body);
  }
}

/** The path of a request target. Proxies send absolute URLs (RFC 9112, 3.2.2); other forms match no route. */
function pathOf(target: string): string {
  if (target.startsWith('/')) return target;
  const path = /^https?:\/\/[^/?#]*(.*)$/i.exec(target)?.[1] ?? target;
  return path.startsWith('/') ? path : `/${path}`;
}
