import { type CanActivate, RequestMethod } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Response } from 'express';
import { setUpConsole } from './app.console.js';
import { setUpDocs } from './app.docs.js';
import { ErrorFilter } from './app.filter.js';
import { GLOBAL_GUARDS } from './messaging/messaging.module.js';
import { BodyPipe } from './platform/common/dto/body.pipe.js';
import { bodyReader } from './platform/common/http/body-reader.js';
import { redirectToCleanPath } from './platform/common/http/clean-path.js';
import { FairTurns } from './platform/common/http/fair-turns.js';
import type { FastExpressAdapter } from './platform/common/http/fast-express.adapter.js';
import type { Middleware } from './platform/common/http/fast-lanes.js';
import type { HttpRequest } from './platform/common/http/http-request.js';
import { type Pipeline, prepareRoute } from './platform/common/http/prepared-routes.js';
import type { RouteHandler, RouterLayer } from './platform/common/http/route-index.js';
import { requestContext } from './platform/common/http/request-context.js';
import { writeNotFound } from './platform/common/http/responses.js';
import { Settings } from './platform/config/settings.js';
import { apiOnlyLocally } from './platform/local-mode/api-only.js';
import { accessLog } from './platform/logging/access-log.js';
import { Declared } from './platform/modules/collect.js';
import { JsonLogger } from './platform/logging/logger.js';
import { metricsOnlyThere } from './platform/metrics/metrics-only.js';
import { MetricsService } from './platform/metrics/metrics.service.js';
import { MetricsSettings } from './platform/metrics/metrics.settings.js';
import { traceRequests } from './platform/tracing/trace-requests.js';
import { Tracing } from './platform/tracing/tracing.js';
import { TracingSettings } from './platform/tracing/tracing.settings.js';

/** Where posts come in. */
const TRACED_ROUTES = new Set(['/hooks/:id', '/api/v4/posts', '/api/v4/remotecluster/msg']);
const GLOBAL_PIPES = [new BodyPipe()];

/** Configures the application: the same for main.ts and for tests. */
export function setUpApp(app: NestExpressApplication, logger: JsonLogger): void {
  const settings = app.get(Settings);
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('trust proxy', [...settings.trustedProxies]);
  setRoutePrefix(app);
  const everyRequest = middleware(app, logger);
  const errors = app.get(ErrorFilter);
  app.use(...everyRequest);
  (app.getHttpAdapter() as FastExpressAdapter).fastLanes.open(
    everyRequest,
    (error, request, response) => void errors.render(error, request, response),
  );
  app.useGlobalPipes(...GLOBAL_PIPES);
  setUpDocs(app);
  setUpConsole(app);
}

/** Puts the routes below /api/v4, but for a few. */
export function setRoutePrefix(app: NestExpressApplication): void {
  app.setGlobalPrefix('api/v4', {
    exclude: [
      { path: '', method: RequestMethod.GET },
      // Escaped, so that they match only these two routes: `hooks/incoming` is below the prefix.
      { path: 'hooks/\\:id', method: RequestMethod.POST },
      { path: 'hooks/\\:hook_id', method: RequestMethod.GET },
      { path: 'health/*path', method: RequestMethod.GET },
      { path: 'metrics', method: RequestMethod.GET },
    ],
  });
}

/** The middleware of every request. */
function middleware(app: NestExpressApplication, logger: JsonLogger): Middleware[] {
  const { maxPayloadBytes, siteUrl } = app.get(Settings);
  const { bodyLimits } = app.get(Declared);
  const turns = new FairTurns();
  const tracing = app.get(Tracing);
  const { outgoingTraceparent } = app.get(TracingSettings);
  return [
    requestContext,
    accessLog(logger.pino, app.get(MetricsService)),
    redirectToCleanPath(siteUrl),
    apiOnlyLocally,
    ...(app.get(MetricsSettings).metricsPort === undefined ? [] : [metricsOnlyThere]),
    bodyReader(({ url }) => bodyLimits.of(url, maxPayloadBytes), turns),
    turns.wait,
    ...(tracing.isOn ? [traceRequests(tracing, TRACED_ROUTES, outgoingTraceparent)] : []),
  ];
}

/** Finds routes at once, and answers 404 to paths that match none. Call it after `app.init()`, when all are there. */
export function setUpNotFound(app: NestExpressApplication): void {
  const { developerMode } = app.get(Settings);
  const adapter = app.getHttpAdapter() as FastExpressAdapter;
  const { router } = adapter.getInstance<{ readonly router: { readonly stack: readonly RouterLayer[] } }>();
  adapter.fastLanes.index(router.stack, preparer(app, adapter));
  app.use((request: HttpRequest, response: Response) =>
    writeNotFound(response, request.path, request.requestId, developerMode),
  );
}

/** Finds the prepared handler in place of one of Nest's, which are named after class and method. */
function preparer(
  app: NestExpressApplication,
  adapter: FastExpressAdapter,
): (handler: RouteHandler) => RouteHandler {
  const pipeline: Pipeline = {
    guards: GLOBAL_GUARDS.map((guard) => app.get<CanActivate>(guard)),
    pipes: GLOBAL_PIPES,
    reply: (response, result, status) => adapter.reply(response, result, status),
    interceptor: (type) => app.get<unknown>(type, { strict: false }),
  };
  const controllers = app.get(DiscoveryService, { strict: false }).getControllers();
  return (handler) => {
    const [className, method = ''] = handler.name.split('.');
    const [controller, other] = controllers.filter(({ name }) => name === className);
    if (!controller?.isDependencyTreeStatic() || other) return handler;
    return prepareRoute(controller.instance as object, method, pipeline) ?? handler;
  };
}
