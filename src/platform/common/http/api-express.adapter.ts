import { createServer, IncomingMessage, type Server, type ServerOptions, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { StreamableFile, type NestApplicationOptions } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, RequestHandler, Response } from 'express';
import { warnOfUnknownFields } from '../dto/unknown-fields.js';
import { answerBrokenRequests } from './broken-request.js';
import { ResourceRouters } from './resource-routers.js';
import { writeContent, writeJson } from './responses.js';

const SERVER_OPTIONS = {
  requestTimeout: 60_000,
  requireHostHeader: false, // request-context.ts refuses requests without one, with an error in the usual shape
};
/** Clients that pipeline send a few requests ahead. A connection with more is closed. */
const MAX_WAITING = 32;

type PipelinedSocket = Socket & { waiting?: number };

/**
 * Express with our own HTTP servers. JSON responses have the bare type `application/json`, because stock
 * clients compare it by equality (docs/contract/conventions.md#responses).
 */
export class ApiExpressAdapter extends ExpressAdapter {
  private readonly resources = new ResourceRouters();

  constructor() {
    super();
    const app = this.getInstance<Express>();
    for (const method of ['get', 'post', 'put', 'patch', 'delete'] as const)
      this[method] = (...route: unknown[]): unknown =>
        (this.resources.routerFor(route[0], app) ?? app)[method](...(route as [string, RequestHandler]));
  }

  override initHttpServer(options?: NestApplicationOptions): void {
    super.initHttpServer(options ?? {});
    this.httpServer = this.createServer();
  }

  /** Creates another server with the same routes, such as the one for local mode. */
  createServer(before?: (request: IncomingMessage) => void): Server {
    const app = this.getInstance<Express>();
    const begin = (request: IncomingMessage, response: ServerResponse): void => {
      if (request.socket.destroyed) return;
      before?.(request);
      request.url = pathOf(request.url ?? '');
      app(request, response);
    };
    const serve = (request: IncomingMessage, response: ServerResponse): void => {
      if (response.socket) return begin(request, response);
      // A pipelined request gets its socket, and starts, once the earlier ones are answered.
      const socket: PipelinedSocket = request.socket;
      socket.waiting = (socket.waiting ?? 0) + 1;
      if (socket.waiting > MAX_WAITING) socket.destroy();
      response.once('socket', () => {
        socket.waiting = (socket.waiting ?? 0) - 1;
        begin(request, response);
      });
    };
    const server = createServer({ ...SERVER_OPTIONS, ...messageClasses(app) }, serve);
    server.on('checkExpectation', serve); // an expectation other than 100-continue may be ignored (RFC 9110, 10.1.1)
    answerBrokenRequests(server);
    return server;
  }

  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    if (body instanceof StreamableFile) return super.reply(response, body, statusCode);
    if (statusCode !== undefined) response.statusCode = statusCode;
    warnOfUnknownFields(response, body);
    if (body === undefined || body === null) return response.end();
    if (typeof body === 'string') return response.end(body);
    if (Buffer.isBuffer(body)) return writeContent(response, body);
    return writeJson(response, response.statusCode, body);
  }
}

/**
 * Requests and responses that have Express's prototypes from the start. Express sets the prototypes of each request,
 * which V8 answers by dropping its optimizations: a request then costs twice the CPU time (docs/performance.md).
 */
function messageClasses(app: Express): Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> {
  return {
    IncomingMessage: withPrototype(IncomingMessage, app.request),
    ServerResponse: withPrototype(ServerResponse, app.response),
  };
}

function withPrototype<T extends typeof IncomingMessage | typeof ServerResponse>(
  base: T,
  prototype: object,
): T {
  const construct = base as unknown as (this: object, ...parameters: unknown[]) => void;
  function Message(this: object, ...parameters: unknown[]): void {
    construct.apply(this, parameters);
  }
  Message.prototype = prototype;
  return Message as unknown as T;
}

/** The path of a request target. Proxies send absolute URLs (RFC 9112, 3.2.2); other forms match no route. */
function pathOf(target: string): string {
  if (target.startsWith('/')) return target;
  const path = /^https?:\/\/[^/?#]*(.*)$/i.exec(target)?.[1] ?? target;
  return path.startsWith('/') ? path : `/${path}`;
}
