import { RequestMethod } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, RequestHandler, Response } from 'express';
import { ConsolePage } from './console/console-page.js';
import { ConsoleSettings } from './console/console.settings.js';
import { setUpDocs } from './app.docs.js';
import { BodyPipe } from './platform/common/dto/body.pipe.js';
import { RouteNotFound } from './platform/common/errors/common-errors.js';
import { bodyReader } from './platform/common/http/body-reader.js';
import { redirectToCleanPath } from './platform/common/http/clean-path.js';
import type { HttpRequest } from './platform/common/http/http-request.js';
import { requestContext } from './platform/common/http/request-context.js';
import { RequestLimit } from './platform/common/http/request-limit.js';
import { writeNotFound } from './platform/common/http/responses.js';
import { Settings } from './platform/config/settings.js';
import { accessLog } from './platform/logging/access-log.js';
import { Declared } from './platform/modules/collect.js';
import { JsonLogger } from './platform/logging/logger.js';
import { MetricsService } from './platform/metrics/metrics.service.js';
import { traceRequests, Tracing } from './platform/tracing/tracing.js';
import { TracingSettings } from './platform/tracing/tracing.settings.js';

const TRACED_ROUTES = [
  '/hooks/:id',
  '/hooks/:id/:token',
  '/hooks/:id/:user/:token',
  '/services/:team/:app/:secret',
  '/api/v4/posts',
  '/api/v4/remotecluster/msg',
];

type Middleware = (request: HttpRequest, response: Response, next: NextFunction) => void;

/** Configures the application: the same for main.ts and for tests. */
export function setUpApp(app: NestExpressApplication, logger: JsonLogger): void {
  const settings = app.get(Settings);
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  app.set('trust proxy', [...settings.trustedProxies]);
  setRoutePrefix(app);
  app.use(...middleware(app, logger));
  traceRoutes(app);
  app.useGlobalPipes(new BodyPipe());
  setUpDocs(app);
  setUpConsole(app);
}

/** Puts all routes except a few below /api/v4. */
export function setRoutePrefix(app: NestExpressApplication): void {
  app.setGlobalPrefix('api/v4', {
    exclude: [
      { path: '', method: RequestMethod.GET },
      // Escaped to match only these routes: `hooks/incoming` is below the prefix.
      { path: 'hooks/\\:id', method: RequestMethod.POST },
      { path: 'hooks/\\:hook_id', method: RequestMethod.GET },
      { path: 'services/\\:team/\\:app/\\:secret', method: RequestMethod.POST },
      { path: 'hooks/\\:id/\\:token', method: RequestMethod.ALL },
      { path: 'hooks/\\:id/\\:user/\\:token', method: RequestMethod.ALL },
      { path: 'hooks/\\:id/messages/\\:post_id', method: RequestMethod.ALL },
      { path: 'health/*path', method: RequestMethod.GET },
      { path: 'metrics', method: RequestMethod.GET },
    ],
  });
}

function middleware(app: NestExpressApplication, logger: JsonLogger): Middleware[] {
  const { maxPayloadBytes, siteUrl } = app.get(Settings);
  const declared = app.get(Declared);
  const requestLimit = new RequestLimit();
  app.getHttpServer().on('connection', requestLimit.onConnection);
  return [
    requestContext,
    accessLog(logger.pino, app.get(MetricsService)),
    redirectToCleanPath(siteUrl),
    onlyPathsOfServer,
    bodyReader(({ url }) => declared.bodyLimitOf(url, maxPayloadBytes)),
    requestLimit.wait,
  ];
}

/** Serves only the API in local mode (docs/contract/conventions.md#local-mode), and only metrics on METRICS_PORT. */
function onlyPathsOfServer(request: HttpRequest, _response: Response, next: NextFunction): void {
  const { isLocal, isForMetrics, path } = request;
  const isHere = isLocal ? path.startsWith('/api/v4/') : !isForMetrics || path === '/metrics';
  next(isHere ? undefined : new RouteNotFound(path));
}

function traceRoutes(app: NestExpressApplication): void {
  const tracing = app.get(Tracing);
  if (!tracing.isOn) return;
  const { outgoingTraceparent } = app.get(TracingSettings);
  const express = app.getHttpAdapter().getInstance();
  for (const route of TRACED_ROUTES)
    express.post(route, traceRequests(tracing, route, outgoingTraceparent) as unknown as RequestHandler);
}

/** Responds with 404 to unknown paths. Call it after `app.init()`, when all routes are registered. */
export function setUpNotFound(app: NestExpressApplication): void {
  const { developerMode } = app.get(Settings);
  app.use((request: HttpRequest, response: Response) =>
    writeNotFound(response, request.path, request.requestId, developerMode),
  );
}

/** Serves the assets of the console. Browsers cache them: file names change with their content. */
function setUpConsole(app: NestExpressApplication): void {
  if (!app.get(ConsoleSettings).enableConsole) return;
  app.useStaticAssets(app.get(ConsolePage).assets, {
    prefix: '/console/',
    index: false,
    redirect: false,
    immutable: true,
    maxAge: '1y',
  });
}
