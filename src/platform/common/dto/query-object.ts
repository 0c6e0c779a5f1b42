import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { InvalidUrlParam } from '../errors/common-errors.js';
import type { HttpRequest } from '../http/http-request.js';
import { describeQueryParam, documented, type ParamDescription } from './documented-param.js';
import { isTruthy, parseQueryId, queryText } from './params.js';

/** One parameter of a query object: its name on the wire, what the document says, and how its text is read. */
export interface QueryParam<T> {
  readonly name: string;
  readonly description: ParamDescription;
  readonly parse: (text: string | undefined, name: string) => T;
}

type Fields<T> = { readonly [K in keyof T]-?: QueryParam<T[K]> };

/**
 * Several query parameters as one object, read and described field by field. `finish` judges what depends on more than
 * one of them, and gives what the handler gets.
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

/** As QueryText. */
export const textParam = (name: string, description: ParamDescription): QueryParam<string | undefined> => ({
  name,
  description,
  parse: (text) => text,
});

/** As QueryId. */
export const idParam = (name: string, description: ParamDescription): QueryParam<string | undefined> => ({
  name,
  description,
  parse: (text) => parseQueryId(name, text),
});

/** As QueryFlag. */
export const flagParam = (name: string, description: string): QueryParam<boolean> => ({
  name,
  description: { description, schema: { type: 'boolean', default: false } },
  parse: isTruthy,
});

/** A parameter of the Mattermost API for a feature that is not here; anything but an empty value or `false` is a 400. */
export const unsupportedParam = (name: string, reason: string): QueryParam<undefined> => ({
  name,
  description: { description: `Not supported: ${reason}.` },
  parse: (text = '') => {
    if (text !== '' && text !== 'false') throw new InvalidUrlParam(name, `it is not supported: ${reason}`);
  },
});
