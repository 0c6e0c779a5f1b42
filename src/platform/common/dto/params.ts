import {
  applyDecorators,
  createParamDecorator,
  type ExecutionContext,
  Param,
  type PipeTransform,
} from '@nestjs/common';
import { ApiParam, ApiQuery } from '@nestjs/swagger';
import { BadRequest, InvalidUrlParam, RouteNotFound } from '../errors/common-errors.js';
import type { HttpRequest } from '../http/http-request.js';
import { isAlphanumeric, isId } from '../ids.js';

export const DEFAULT_PER_PAGE = 60;
export const MAX_PER_PAGE = 200;
const MAX_OFFSET = 2 ** 53 - 1;

/** A page of a list: rows `offset` up to `offset + perPage`. */
export interface Page {
  readonly page: number;
  readonly perPage: number;
  readonly offset: number;
}

/**
 * Checks the shape of an id in a path: other characters miss the route, another length is a 400
 * (docs/contract/conventions.md#ids).
 */
export function parseIdParam(name: string, value: string | undefined): string {
  if (value === undefined || !isAlphanumeric(value)) throw new RouteNotFound(`:${name}`);
  if (!isId(value)) throw new InvalidUrlParam(name, 'it must be 26 letters and digits');
  return value;
}

class IdPipe implements PipeTransform<string, string> {
  constructor(private readonly name: string) {}
  transform(value: string): string {
    return parseIdParam(this.name, value);
  }
}

/** An id in the path. */
export const IdParam = (name: string): ParameterDecorator => Param(name, new IdPipe(name));

/** One query parameter as text; the first one counts when it is given twice, absent is undefined. */
export const QueryText = createParamDecorator((name: string, context: ExecutionContext): string | undefined =>
  queryText(context.switchToHttp().getRequest<HttpRequest>(), name),
);

/** A query parameter that is an id, or absent or empty; anything else is a 400 (docs/contract/conventions.md#ids). */
export const QueryId = createParamDecorator((name: string, context: ExecutionContext): string | undefined =>
  queryId(context.switchToHttp().getRequest<HttpRequest>(), name),
);

/** True for the peer's truthy forms, false for anything else (docs/contract/conventions.md#paging). */
export const QueryFlag = createParamDecorator((name: string, context: ExecutionContext): boolean =>
  queryFlag(context.switchToHttp().getRequest<HttpRequest>(), name),
);

/** `page` and `per_page`; wrong or negative values fall back to the defaults (docs/contract/conventions.md#paging). */
export const QueryPage = createParamDecorator((_: unknown, context: ExecutionContext): Page => {
  const request = context.switchToHttp().getRequest<HttpRequest>();
  const page = wholeNumber(queryText(request, 'page'), 0);
  const asked = queryText(request, 'per_page') ?? queryText(request, 'pageSize');
  const perPage = Math.min(wholeNumber(asked, DEFAULT_PER_PAGE), MAX_PER_PAGE);
  return { page, perPage, offset: Math.min(page * perPage, MAX_OFFSET) };
});

/** Documents `page` and `per_page`. */
export const ApiPaged = (): MethodDecorator & ClassDecorator =>
  applyDecorators(
    ApiQuery({
      name: 'page',
      required: false,
      schema: { type: 'integer', default: 0, minimum: 0 },
      description: 'The page to select.',
    }),
    ApiQuery({
      name: 'per_page',
      required: false,
      schema: { type: 'integer', default: DEFAULT_PER_PAGE, minimum: 0, maximum: MAX_PER_PAGE },
      description: 'Rows per page; more than the maximum counts as the maximum.',
    }),
  );

/** Documents an id in the path. */
export const ApiIdParam = (name: string, description: string): MethodDecorator & ClassDecorator =>
  ApiParam({ name, description, schema: { type: 'string', pattern: '^[A-Za-z0-9]{26}$' } });

export function queryText(request: HttpRequest, name: string): string | undefined {
  const value = request.query[name];
  const text: unknown = Array.isArray(value) ? value[0] : value;
  if (text === undefined) return undefined;
  if (typeof text !== 'string' || text.includes('\0'))
    throw new BadRequest(`The query parameter ${name} is malformed.`);
  return text;
}

export function queryId(request: HttpRequest, name: string): string | undefined {
  const value = queryText(request, name);
  if (value === undefined || value === '') return undefined;
  if (!isId(value)) throw new InvalidUrlParam(name, 'it must be 26 letters and digits');
  return value;
}

export function queryFlag(request: HttpRequest, name: string): boolean {
  return isTruthy(queryText(request, name));
}

export function wholeNumber(text: string | undefined, fallback: number): number {
  return text !== undefined && /^\d{1,19}$/.test(text) ? Math.min(Number(text), MAX_OFFSET) : fallback;
}

/** The forms of "true" that a query parameter may take; everything else is false. */
export function isTruthy(text: string | undefined): boolean {
  return ['1', 't', 'T', 'true', 'TRUE', 'True'].includes(text ?? '');
}
