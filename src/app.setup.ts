import { RequestMethod } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { setUpDocs } from './app.docs.js';
import { BodyPipe } from './common/dto/body.pipe.js';
import { bodyReader } from './common/http/body-reader.js';
import { requestContext } from './common/http/request-context.js';
import { Settings } from './config/settings.js';
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
      { path: 'hooks/*path', method: RequestMethod.ALL },
      { path: 'health/*path', method: RequestMethod.GET },
      { path: 'metrics', method: RequestMethod.GET },
    ],
  });
  app.use(
    requestContext,
    accessLog(logger.pino, app.get(MetricsService)),
    bodyReader(settings.maxPayloadBytes),
  );
  app.useGlobalPipes(new BodyPipe());
  setUpDocs(app);
}
