import type { NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { NextFunction, Request, Response } from 'express';
import { addErrorExamples } from './app.docs.errors.js';
import { DOCS_POLICY, docsPage } from './app.docs.page.js';
import { describeRoutes } from './platform/access/describe-routes.js';
import { ErrorDto } from './platform/common/dto/operation.js';
import { VERSION } from './platform/common/version.js';
import { Settings } from './platform/config/settings.js';
import { Declared } from './platform/modules/collect.js';
import { siteUrl } from './startup/start-summary.js';

const DESCRIPTION = `
Hookline is a self-hosted team-messaging server for webhooks and secure connections. It speaks the Mattermost v4 API.

**To try a call,** sign in at the top of the page, unless you are signed in to the console, open the call, press **Try it out** and **Execute**. The examples work
unchanged: they contain your own team and channels, and your newest records. A personal access token works as well: press **Authorize**.
\`POST /hooks/{id}\` requires neither: the id of a webhook is its secret.

Every error has one shape (\`ErrorDto\`); programs match on its \`id\`.
`;

/** The OpenAPI document of the API. */
export function describeApi(app: NestExpressApplication): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setTitle('Hookline')
    .setVersion(VERSION)
    .setDescription(DESCRIPTION.trim())
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addBearerAuth({
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'opaque',
      description: 'A session token or a personal access token.',
    });
  for (const { name, description } of app.get(Declared).apiGroups) builder.addTag(name, description);
  const document = SwaggerModule.createDocument(app, builder.build(), {
    operationIdFactory: (_controller, method) => method,
    extraModels: [ErrorDto],
  });
  makeNumbersIntegers(document.components?.schemas);
  describeDefaults(document.components?.schemas);
  describeRoutes(app, document);
  addErrorExamples(document);
  return document;
}

/** TypeScript has only `number`, but all numbers in the contract are integers, and times need 64 bits. */
function makeNumbersIntegers(schema: unknown): void {
  if (typeof schema !== 'object' || schema === null) return;
  const { type, enum: choices } = schema as { type?: unknown; enum?: unknown };
  if ((type === 'number' || type === 'integer') && !choices)
    Object.assign(schema, { type: 'integer', format: 'int64' });
  Object.values(schema).forEach(makeNumbersIntegers);
}

/** Describes defaults in words: generators assume that a field with a default is always present. */
function describeDefaults(schema: unknown): void {
  if (typeof schema !== 'object' || schema === null) return;
  const field = schema as { default?: unknown; description?: string };
  const { default: value, description = '' } = field;
  const isEmpty = value === '' || (value instanceof Object && Object.keys(value).length === 0);
  if (isEmpty || (value !== undefined && typeof value !== 'object')) {
    delete field.default; // a non-empty object describes a field of that name
    if (!isEmpty) field.description = `${description} Default: ${JSON.stringify(value)}.`.trim();
  }
  Object.values(schema).forEach(describeDefaults);
}

/** Serves the OpenAPI document at /api/v4/openapi.json, and Swagger UI at /api/docs. */
export function setUpDocs(app: NestExpressApplication): void {
  app.use('/api/docs', serveDocsPage);
  const describe = (): OpenAPIObject => ({ ...describeApi(app), servers: [{ url: addressOf(app) }] });
  SwaggerModule.setup('api/docs', app, describe, {
    jsonDocumentUrl: 'api/v4/openapi.json',
    raw: ['json'],
  });
}

function addressOf(app: NestExpressApplication): string {
  const address = app.getHttpServer().address();
  const settings = app.get(Settings);
  return siteUrl(settings, typeof address === 'object' && address ? address.port : settings.port);
}

/** Serves our own Swagger UI page; its files come from Nest. */
function serveDocsPage(request: Request, response: Response, next: NextFunction): void {
  response.setHeader('Content-Security-Policy', DOCS_POLICY);
  if (!/^(GET|HEAD)$/.test(request.method) || !/^\/(index\.html)?$/.test(request.path)) return next();
  const isFolder = !/\/docs(\?|$)/i.test(request.originalUrl);
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.send(docsPage(isFolder ? './' : './docs/'));
}
