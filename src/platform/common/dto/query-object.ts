import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { InvalidUrlParam } from '../errors/common-errors.js';
import type { HttpRequest } from '../http/http-request.js';
import { describeQueryParam, documented, type ParamDescription } from './documented-param.js';
import { isTruthy, parseQueryId, queryText } from './params.js';

/** One parameter of a query object: its wire name, its documentation, and its parser. */
export interface QueryParam<T> {
  readonly name: string;
  readonly description: ParamDescription;
  readonly parse: (text: string | undefined, name: string) => T;
}

type Fields<T> = { readonly [K in keyof T]-?: QueryParam<T[K]> };

/**
 * Several query parameters as one object, parsed and documented field by field. `finish` validates
 * combinations and returns the value for the handler.
 */
export function QueryObject<T>(
  fields: Fields<T>,
  finish: (query: T) => unknown = (query) => query,
): ParameterDecorator {
  const entries = Object.entries<QueryParam<unknown>>(fields);
  const read = createParamDecorator((_: unknown, context: ExecutionContext): unknown => {
    const request = context.switchToHttp().getRequest<HttpRequest>();
    const query = Object.fromEntries(
      entries.map(([key, { name, parse }]) => [key, parse(queryText(request, name), name)]),
    );
    return finish(query as T);
  });
  const described = entries.map(([, { name, description }]) => describeQueryParam(name, description));
  return documented(read(), applyDecorators(...described));
}

/** Like QueryText. */
export const textParam = (name: string, description: ParamDescription): QueryParam<string | undefined> => ({
  name,
  description,
  parse: (text) => text,
});

/** Like QueryId. */
export const idParam = (name: string, description: ParamDescription): QueryParam<string | undefined> => ({
  name,
  description,
  parse: (text) => parseQueryId(name, text),
});

/** Like QueryFlag. */
export const flagParam = (name: string, description: string): QueryParam<boolean> => ({
  name,
  description: { description, schema: { type: 'boolean', default: false } },
  parse: isTruthy,
});

/** A Mattermost parameter of an unsupported feature; a value other than empty or `false` is a 400. */
export const unsupportedParam = (name: string, reason: string): QueryParam<undefined> => ({
  name,
  description: { description: `Not supported: ${reason}.` },
  parse: (text = '') => {
    if (text !== '' && text !== 'false') throw new InvalidUrlParam(name, `it is not supported: ${reason}`);
  },
});
