import type { INestApplication, Type } from '@nestjs/common';
import { DiscoveryService, ModulesContainer, Reflector } from '@nestjs/core';
import type { OpenAPIObject } from '@nestjs/swagger';
import { errorResponse } from '../common/dto/operation.js';
import { isRefusedWhenMalformed } from '../common/dto/documented-param.js';
import { ACCESS, type Access } from './access.js';

const TAGGED_TYPES = ['application/json', 'image/png'];
const TAG_HEADER = {
  description: 'Changes with the content of the response.',
  schema: { type: 'string' },
} as const;

type ApiOperation = NonNullable<OpenAPIObject['paths'][string]['get']>;

/** Completes each operation with facts of its route: who may call it, and the errors that follow from that. */
export function describeRoutes(app: INestApplication, { paths, components }: OpenAPIObject): void {
  if (components) components.headers = { ETag: TAG_HEADER };
  // Created here: the document can also be built from a preview application, which has no instances.
  const reflector = new Reflector();
  const discovery = new DiscoveryService(app.get(ModulesContainer));
  const methods = new Map<string, { handler: () => unknown; controller: Type<unknown> }>();
  for (const { instance, metatype } of discovery.getControllers()) {
    const prototype = Object.getPrototypeOf(instance) as Record<string, () => unknown>;
    for (const name of Object.getOwnPropertyNames(prototype)) {
      const handler = prototype[name];
      if (handler) methods.set(name, { handler, controller: metatype as Type<unknown> });
    }
  }
  for (const [method, operation] of Object.values(paths).flatMap((path) =>
    Object.entries<ApiOperation>(path as never),
  )) {
    const route = methods.get(operation.operationId ?? '');
    if (!route) continue;
    const access = reflector.getAllAndOverride<Access | undefined>(ACCESS, [route.handler, route.controller]);
    if (access) describeAccess(operation, access);
    if (operation.parameters?.some((parameter) => 'name' in parameter && parameter.name === 'user_id'))
      operation.responses[403] ??= errorResponse(403); // the user may be hidden from the caller
    const mayBeMalformed = operation.requestBody !== undefined || isRefusedWhenMalformed(route.handler);
    if (method === 'get') describeTag(operation);
    for (const status of [mayBeMalformed && 400, method !== 'get' && 413, 503])
      if (status) operation.responses[status] ??= errorResponse(status);
  }
}

function describeAccess(operation: ApiOperation, access: Access): void {
  const { description = '', responses } = operation;
  operation.description = [description, `Permission: ${access.who}`].filter(Boolean).join('\n\n');
  operation.security = access.kind === 'public' && access.readsSession ? [{}, { bearer: [] }] : [];
  if (access.kind === 'public') return;
  responses[401] ??= errorResponse(401);
  if (access.kind === 'guarded') return;
  operation.security = [{ bearer: [] }];
  const refuses = access.kind === 'permission' || (access.kind === 'policy' && access.refuses);
  if (refuses) responses[403] ??= errorResponse(403);
}

/** A GET responds with 304 if the caller already has the response. */
function describeTag({ responses }: ApiOperation): void {
  const answer = responses[200];
  const types = answer && 'content' in answer ? Object.keys(answer.content ?? {}) : [];
  if (!answer || '$ref' in answer || !types.some((type) => TAGGED_TYPES.includes(type))) return;
  const headers = { ETag: { $ref: '#/components/headers/ETag' } };
  answer.headers = { ...answer.headers, ...headers };
  responses[304] = { description: 'Not modified: the ETag in If-None-Match matches.', headers };
}
