import { RequestMethod } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Response } from 'express';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setUpDocs } from './app.docs.js';
import { ErrorFilter } from './app.filter.js';
import { BodyPipe } from './platform/common/dto/body.pipe.js';
import { bodyReader } from './platform/common/http/body-reader.js';
import type { HttpRequest } from './platform/common/http/http-request.js';
import { requestContext } from './platform/common/http/request-context.js';
import { writeNotFound } from './platform/common/http/responses.js';
import { Settings } from './platform/config/settings.js';
import { ExecutionController } from './incoming-hooks/execution/execution.controller.js';
import { executionFastLane, type Step } from './incoming-hooks/execution/fast-lane.js';
import { apiOnlyLocally } from './platform/local-mode/api-only.js';
import { accessLog } from './platform/logging/access-log.js';
import { Declared } from './platform/modules/collect.js';
import { JsonLogger } from './platform/logging/logger.js';
import { MetricsService } from './platform/metrics/metrics.service.js';

/** Configures the application: the same for main.ts and for tests. */
export function setUpApp(app: NestExpressApplication, logger: JsonLogger): void {
  const settings = app.get(Settings);
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('trust proxy', [...settings.trustedProxies]);
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
  app.use(...middleware(app, logger));
  app.useGlobalPipes(new BodyPipe());
  setUpDocs(app);
}

/** The fast lane for hook executions, with the same middleware and error handling as any other route. */
export function executionLane(app: NestExpressApplication, logger: JsonLogger) {
  const errors = app.get(ErrorFilter);
  const lane = executionFastLane(
    app.get(ExecutionController),
    middleware(app, logger),
    (error, request, response) => void errors.render(error, request, response),
  );
  return (request: IncomingMessage, response: ServerResponse): boolean =>
    lane(request as HttpRequest, response as Response);
}

/** The middleware of every request. */
function middleware(app: NestExpressApplication, logger: JsonLogger): Step[] {
  const { maxPayloadBytes } = app.get(Settings);
  const { bodyLimits } = app.get(Declared);
  return [
    requestContext,
    accessLog(logger.pino, app.get(MetricsService)),
    apiOnlyLocally,
    bodyReader(({ url }) => bodyLimits.of(url, maxPayloadBytes)),
  ];
}

/** Answers 404 to paths that match no route. Call it after `app.init()`, so that it comes after all routes. */
export function setUpNotFound(app: NestExpressApplication): void {
  const { developerMode } = app.get(Settings);
  app.use((request: HttpRequest, response: Response) =>
    writeNotFound(response, request.path, request.requestId, developerMode),
  );
}
