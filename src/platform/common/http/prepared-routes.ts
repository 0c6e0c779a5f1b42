import {
  type CanActivate,
  type ExecutionContext,
  ForbiddenException,
  type PipeTransform,
  RequestMethod,
  type Type,
} from '@nestjs/common';
import {
  CUSTOM_ROUTE_ARGS_METADATA,
  EXCEPTION_FILTERS_METADATA,
  GUARDS_METADATA,
  HEADERS_METADATA,
  HTTP_CODE_METADATA,
  INTERCEPTORS_METADATA,
  METHOD_METADATA,
  PARAMTYPES_METADATA,
  PIPES_METADATA,
  REDIRECT_METADATA,
  RENDER_METADATA,
  ROUTE_ARGS_METADATA,
  SSE_METADATA,
} from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { Response } from 'express';
import { isObservable, lastValueFrom, type Observable } from 'rxjs';
import type { HttpRequest } from './http-request.js';
import { RouteContext } from './route-context.js';
import type { RouteHandler } from './route-index.js';

/** An interceptor that also works without observables, which cost more than what it does. */
export interface Around {
  around(context: ExecutionContext, handle: () => Promise<unknown>): Promise<unknown>;
}

/** What every route has, and how its result is sent. */
export interface Pipeline {
  readonly guards: readonly CanActivate[];
  readonly pipes: readonly PipeTransform[];
  readonly reply: (response: Response, result: unknown, status: number) => unknown;
  /** The instance of an interceptor. */
  readonly interceptor: (type: Type) => unknown;
}

type Metadata = Parameters<PipeTransform['transform']>[1];

/** As the decorators of parameters leave it. */
interface DeclaredParameter {
  readonly index: number;
  readonly data?: unknown;
  readonly pipes: readonly unknown[];
  readonly factory?: (data: unknown, context: ExecutionContext) => unknown;
}

/** One argument of a handler: where it is taken from, and the pipes that it passes. */
interface Parameter {
  readonly index: number;
  readonly extract: (context: RouteContext) => unknown;
  readonly metadata: Metadata;
  readonly pipes: readonly PipeTransform[];
}

/** Of these decorators Nest knows more than is prepared here. */
const ONLY_NEST = [
  EXCEPTION_FILTERS_METADATA,
  GUARDS_METADATA,
  HEADERS_METADATA,
  PIPES_METADATA,
  REDIRECT_METADATA,
  RENDER_METADATA,
  SSE_METADATA,
];

/**
 * Does for a route what Nest does: guards, interceptors, parameters and pipes in their order, the handler, the answer. Nest
 * makes a dozen promises for each request, and reads again what the decorators say. Undefined for a route that needs more
 * of Nest than this.
 */
export function prepareRoute(
  controller: object,
  method: string,
  pipeline: Pipeline,
): RouteHandler | undefined {
  const type = controller.constructor as Type;
  const handler = (controller as Record<string, (...args: unknown[]) => unknown>)[method];
  if (!handler || ONLY_NEST.some((key) => isDeclared(key, handler, type))) return undefined;
  const parameters = parametersOf(type, method, pipeline.pipes);
  const interceptors = interceptorsOf(type, handler, pipeline);
  if (!parameters || !interceptors) return undefined;
  const { guards, reply } = pipeline;
  const status = statusOf(handler);

  async function handle(context: RouteContext): Promise<unknown> {
    const args = await argumentsOf(parameters ?? [], context);
    const result = await handler?.apply(controller, args);
    return isObservable(result) ? lastValueFrom(result) : result;
  }

  return async (request, response, next) => {
    const context = new RouteContext(type, handler, request, response, next);
    for (const guard of guards) {
      const answer = guard.canActivate(context);
      if (answer !== true && !(await settled(answer))) throw new ForbiddenException('Forbidden resource');
    }
    response.statusCode = status;
    reply(response, await within(interceptors, context, handle), status);
  };
}

/** What cannot be taken from the request counts before what a pipe refuses. */
async function argumentsOf(parameters: readonly Parameter[], context: RouteContext): Promise<unknown[]> {
  const values = parameters.map(({ extract }) => extract(context));
  const args: unknown[] = [];
  for (const [n, { index, metadata, pipes }] of parameters.entries()) {
    let value = values[n];
    for (const pipe of pipes) {
      if (value instanceof Promise) value = await value;
      value = pipe.transform(value, metadata);
    }
    args[index] = value instanceof Promise ? await value : value;
  }
  return args;
}

function within(
  [first, ...others]: readonly Around[],
  context: RouteContext,
  handle: (context: RouteContext) => Promise<unknown>,
): Promise<unknown> {
  return first ? first.around(context, () => within(others, context, handle)) : handle(context);
}

const settled = <T>(value: T | Promise<T> | Observable<T>): T | Promise<T> =>
  isObservable(value) ? lastValueFrom(value) : value;

/** In the order in which Nest reads them; undefined if one is of a kind that is not prepared. */
function parametersOf(type: Type, method: string, pipes: readonly PipeTransform[]): Parameter[] | undefined {
  const declared = Reflect.getMetadata(ROUTE_ARGS_METADATA, type, method) as
    Readonly<Record<string, DeclaredParameter>> | undefined;
  const types = Reflect.getMetadata(PARAMTYPES_METADATA, type.prototype as object, method) as
    Type[] | undefined;
  const parameters = Object.entries(declared ?? {}).map(([key, { index, data, factory, pipes: own }]) => {
    const source = sourceOf(key, data, factory);
    if (!source || !own.every(isPipe)) return undefined;
    const metadata = { metatype: types?.[index], type: source.type, data: data as string };
    return { index, extract: source.extract, metadata, pipes: [...pipes, ...own] };
  });
  return parameters.every((parameter) => parameter !== undefined) ? parameters : undefined;
}

function sourceOf(
  key: string,
  data: unknown,
  factory: DeclaredParameter['factory'],
): { type: Metadata['type']; extract: Parameter['extract'] } | undefined {
  if (key.includes(CUSTOM_ROUTE_ARGS_METADATA))
    return factory && { type: 'custom', extract: (context) => factory(data, context) };
  const kind = RouteParamtypes[Number(key.split(':')[0])];
  if (kind === 'BODY' && data === undefined)
    return { type: 'body', extract: (context) => context.getRequest<HttpRequest>().body };
  if (kind === 'PARAM' && typeof data === 'string')
    return { type: 'param', extract: (context) => context.getRequest<HttpRequest>().params[data] };
  return undefined;
}

function interceptorsOf(type: Type, handler: object, { interceptor }: Pipeline): Around[] | undefined {
  const types = [type, handler].flatMap(
    (target) => (Reflect.getMetadata(INTERCEPTORS_METADATA, target) ?? []) as Type[],
  );
  const instances = types.map((each) => interceptor(each));
  return instances.every(isAround) ? instances : undefined;
}

const isDeclared = (key: string, ...targets: object[]): boolean =>
  targets.some((target) => Reflect.hasMetadata(key, target));
const isPipe = (pipe: unknown): pipe is PipeTransform =>
  typeof pipe === 'object' && pipe !== null && 'transform' in pipe;
const isAround = (one: unknown): one is Around => typeof one === 'object' && one !== null && 'around' in one;

function statusOf(handler: object): number {
  const declared = Reflect.getMetadata(HTTP_CODE_METADATA, handler) as number | undefined;
  return declared ?? (Reflect.getMetadata(METHOD_METADATA, handler) === RequestMethod.POST ? 201 : 200);
}
