import { RequestMethod } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Response } from 'express';
import { setUpDocs } from './app.docs.js';
import { BodyPipe } from './common/dto/body.pipe.js';
import { RouteNotFound } from './common/errors/common-errors.js';
import { bodyReader } from './common/http/body-reader.js';
import type { HttpRequest } from './common/http/http-request.js';
import { requestContext } from './common/http/request-context.js';
import { writeError, writePage } from './common/http/responses.js';
import { Settings } from './config/settings.js';
import { apiOnlyLocally } from './local-mode/api-only.js';
import { accessLog } from './logging/access-log.js';
import { JsonLogger } from './logging/logger.js';
import { MetricsService } from './metrics/metrics.service.js';

/** What every instance of the application needs, whether main.ts starts it or a test. */
export function setUpApp(app: NestExpressApplication, logger: JsonLogger): void {
  const settings = app.get(Settings);
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('trust proxy', [...settings.trustedProxies]);
  app.setGlobalPrefix('api/v4', {
    exclude: [
      { path: '', method: RequestMethod.GET },
      // Escaped, so that they name these two routes alone: `hooks/incoming` is below the prefix.
      { path: 'hooks/\\:id', method: RequestMethod.POST },
      { path: 'hooks/\\:hook_id', method: RequestMethod.GET },
      { path: 'health/*path', method: RequestMethod.GET },
      { path: 'metrics', method: RequestMethod.GET },
    ],
  });
  app.use(
    requestContext,
    accessLog(logger.pino, app.get(MetricsService)),
    apiOnlyLocally,
    bodyReader(settings.maxPayloadBytes),
  );
  app.useGlobalPipes(new BodyPipe());
  setUpDocs(app);
}

interface Layer {
  readonly route?: { readonly path: string };
}

/**
 * Puts one route before all others, when the application is initialised. Express tries routes in the order in which
 * they were registered, and on the way to the last one it spends more time than all the rest of its work.
 */
export function hoistRoute(app: NestExpressApplication, path: string): void {
  const { stack } = (app.getHttpAdapter().getInstance() as { router: { stack: Layer[] } }).router;
  const hoisted = stack.filter((layer) => layer.route?.path === path);
  if (hoisted.length === 0) throw new Error(`There is no route ${path}.`);
  const others = stack.filter((layer) => !hoisted.includes(layer));
  const firstRoute = others.findIndex((layer) => layer.route !== undefined);
  stack.splice(0, stack.length, ...others.slice(0, firstRoute), ...hoisted, ...others.slice(firstRoute));
}

/** After all routes, when the application is initialised: the end of the road for paths outside the API's prefix. */
export function setUpNotFound(app: NestExpressApplication): void {
  const { developerMode } = app.get(Settings);
  app.use((request: HttpRequest, response: Response) => {
    if (request.path.startsWith('/api/')) {
      writeError(response, new RouteNotFound(request.path), request.requestId, developerMode);
    } else {
      writePage(response, 404, 'Not found', 'There is nothing at this address.');
    }
  });
}
