import { applyDecorators, createParamDecorator, type ExecutionContext, Param } from '@nestjs/common';
import { badRequest, InvalidUrlParam, RouteNotFound } from '../errors/common-errors.js';
import type { HttpRequest } from '../http/http-request.js';
import { isAlphanumeric, isId } from '../ids.js';
import {
  describePathParam,
  describeQueryParam,
  documented,
  type ParamDescription,
} from './documented-param.js';

/** The default page size. */
export const DEFAULT_PER_PAGE = 60;
/** Larger page sizes are reduced to this. */
export const MAX_PER_PAGE = 200;
const MAX_OFFSET = 2 ** 53 - 1;

/** A page of a list: rows from `offset` up to, not including, `offset + perPage`. */
export interface Page {
  readonly page: number;
  readonly perPage: number;
  readonly offset: number;
}

/** An id from the path. Throws RouteNotFound and InvalidUrlParam (docs/contract/conventions.md#ids). */
export function parseIdParam(name: string, value: string | undefined): string {
  if (value === undefined || !isAlphanumeric(value)) throw new RouteNotFound(`:${name}`);
  if (!isId(value)) throw new InvalidUrlParam(name, 'it must be 26 letters and digits');
  return value;
}

const ID_SCHEMA = { type: 'string', pattern: '^[A-Za-z0-9]{26}$' };

/** A path parameter read by `parse`, which throws for invalid values. */
export const PathParam = (
  name: string,
  description: ParamDescription,
  parse: (value: string) => string,
): ParameterDecorator => documented(Param(name, { transform: parse }), describePathParam(name, description));

/** An id in the path, validated and documented. */
export const IdParam = (name: string, description: string): ParameterDecorator =>
  PathParam(name, { description, schema: ID_SCHEMA }, (value) => parseIdParam(name, value));

/** A text in the path; the use case validates it. */
export const TextParam = (name: string, description: ParamDescription): ParameterDecorator =>
  documented(Param(name), describePathParam(name, description), false);

/** One query parameter: its wire name, its documentation, and its parser. */
export interface QueryParam<T> {
  readonly name: string;
  readonly description: ParamDescription;
  readonly parse: (text: string | undefined, name: string) => T;
}

/** Several query parameters as one object. `finish` validates combinations and returns the value for the handler. */
export function QueryObject<T>(
  fields: { readonly [K in keyof T]-?: QueryParam<T[K]> },
  finish: (query: T) => unknown = (query) => query,
): ParameterDecorator {
  const entries = Object.entries<QueryParam<unknown>>(fields);
  const read = createParamDecorator((_: unknown, context: ExecutionContext): unknown => {
    const request = requestOf(context);
    return finish(Object.fromEntries(entries.map(([key, param]) => [key, valueOf(request, param)])) as T);
  });
  return documented(read(), applyDecorators(...entries.map(([, param]) => describeQuery(param))));
}

const readParam = createParamDecorator((param: QueryParam<unknown>, context: ExecutionContext) =>
  valueOf(requestOf(context), param),
);

const single = (param: QueryParam<unknown>): ParameterDecorator =>
  documented(readParam(param), describeQuery(param));

const valueOf = (request: HttpRequest, { name, parse }: QueryParam<unknown>): unknown =>
  parse(queryText(request, name), name);

const describeQuery = ({ name, description }: QueryParam<unknown>): MethodDecorator =>
  describeQueryParam(name, description);

/** A query parameter as text: the first one if repeated, undefined if absent. */
export const textParam = (name: string, description: ParamDescription): QueryParam<string | undefined> => ({
  name,
  description,
  parse: (text) => text,
});

/** An optional id in the query; an invalid one is a 400 (docs/contract/conventions.md#ids). */
export const idParam = (name: string, description: ParamDescription): QueryParam<string | undefined> => ({
  name,
  description,
  parse: (text) => parseQueryId(name, text),
});

/** A boolean query parameter: see isTruthy (docs/contract/conventions.md#paging). */
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

/** One of several choices in the query; any other value is a 400, absent or empty is undefined. */
export const choiceParam = (
  name: string,
  choices: readonly string[],
  description: string,
): QueryParam<string | undefined> => ({
  name,
  description: { description, schema: { type: 'string', enum: [...choices] } },
  parse: (text = '') => {
    if (text === '') return undefined;
    if (!choices.includes(text)) throw new InvalidUrlParam(name, `it must be one of ${choices.join(', ')}`);
    return text;
  },
});

/** A `textParam` as the argument of a handler. */
export const QueryText = (name: string, description: ParamDescription): ParameterDecorator =>
  single(textParam(name, description));

/** An `idParam` as the argument of a handler. */
export const QueryId = (name: string, description: ParamDescription): ParameterDecorator =>
  single(idParam(name, description));

/** A `flagParam` as the argument of a handler. */
export const QueryFlag = (name: string, description: string): ParameterDecorator =>
  single(flagParam(name, description));

/** A `choiceParam` as the argument of a handler. */
export const QueryChoice = (
  name: string,
  choices: readonly string[],
  description: string,
): ParameterDecorator => single(choiceParam(name, choices, description));

/** An integer in the query; absent or invalid is 0 (docs/contract/conventions.md#paging). */
export const QueryNumber = (name: string, description: string, schema: object = {}): ParameterDecorator =>
  single({
    name,
    description: { description, schema: { type: 'integer', ...schema } },
    parse: (text) => wholeNumber(text, 0),
  });

const PAGE = describeQueryParam('page', {
  description: 'The page to select.',
  schema: { type: 'integer', default: 0, minimum: 0 },
});
const PER_PAGE = describeQueryParam('per_page', {
  description: 'Rows per page; larger values count as the maximum.',
  schema: { type: 'integer', default: DEFAULT_PER_PAGE, minimum: 0, maximum: MAX_PER_PAGE },
});

/** The API description of `after` (docs/contract/conventions.md#paging). */
export const LAST_OF_PAGE_BEFORE =
  'The id of the last row of the previous page: the page starts after it, and `page` is ignored.';

const readPage = createParamDecorator((_: unknown, context: ExecutionContext): Page =>
  pageOf(requestOf(context)),
);
const readPerPage = createParamDecorator((_: unknown, context: ExecutionContext) =>
  perPageOf(requestOf(context)),
);

/** `page` and `per_page`; invalid values mean the defaults (docs/contract/conventions.md#paging). */
export const QueryPage = (): ParameterDecorator => documented(readPage(), applyDecorators(PAGE, PER_PAGE));

const readPageOrAll = createParamDecorator((_: unknown, context: ExecutionContext): Page | undefined =>
  queryText(requestOf(context), 'page') === '-1' ? undefined : pageOf(requestOf(context)),
);

/** `page` and `per_page`; page -1 selects everything, returned as undefined. */
export const QueryPageOrAll = (): ParameterDecorator =>
  documented(
    readPageOrAll(),
    applyDecorators(
      describeQueryParam('page', {
        description: 'The page to select; -1 for everything.',
        schema: { type: 'integer', default: 0, minimum: -1 },
      }),
      PER_PAGE,
    ),
  );

/** `per_page` alone, for lists with a cursor. */
export const QueryPerPage = (): ParameterDecorator => documented(readPerPage(), PER_PAGE);

function pageOf(request: HttpRequest): Page {
  const page = wholeNumber(queryText(request, 'page'), 0);
  const perPage = perPageOf(request);
  return { page, perPage, offset: Math.min(page * perPage, MAX_OFFSET) };
}

function perPageOf(request: HttpRequest): number {
  const size = queryText(request, 'per_page') ?? queryText(request, 'pageSize');
  return Math.min(wholeNumber(size, DEFAULT_PER_PAGE), MAX_PER_PAGE);
}

const requestOf = (context: ExecutionContext): HttpRequest =>
  context.switchToHttp().getRequest<HttpRequest>();

/** The first value of a query parameter; undefined if absent. Throws `badRequest` if it is not a string. */
export function queryText(request: HttpRequest, name: string): string | undefined {
  if (!request.url.includes('?')) return undefined; // Express would parse it
  const value = request.query[name];
  const text: unknown = Array.isArray(value) ? value[0] : value;
  if (text === undefined) return undefined;
  if (typeof text !== 'string' || text.includes('\0'))
    throw badRequest(`The query parameter ${name} is malformed.`);
  return text;
}

/** An id in a query; undefined if absent or empty. */
export function parseQueryId(name: string, value: string | undefined): string | undefined {
  if (value === undefined || value === '') return undefined;
  if (!isId(value)) throw new InvalidUrlParam(name, 'it must be 26 letters and digits');
  return value;
}

/** An integer from a query parameter; the fallback if invalid. */
export function wholeNumber(text: string | undefined, fallback: number): number {
  return text !== undefined && /^\d+$/.test(text) ? Math.min(Number(text), MAX_OFFSET) : fallback;
}

/** Whether a text is one of the forms of "true" that the contract accepts; everything else is false. */
export function isTruthy(text: string | undefined): boolean {
  return ['1', 't', 'T', 'true', 'TRUE', 'True'].includes(text ?? '');
}
