import { type ArgumentsHost, Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NextFunction, Request, Response } from 'express';
import fc from 'fast-check';
import { InvalidUrlParam, RouteNotFound } from '../errors/common-errors.js';
import type { HttpRequest } from '../http/http-request.js';
import { isRefusedWhenMalformed } from './documented-param.js';
import {
  IdParam,
  isTruthy,
  parseIdParam,
  parseQueryId,
  PathParam,
  QueryChoice,
  QueryFlag,
  QueryId,
  QueryNumber,
  QueryPage,
  QueryPerPage,
  queryText,
  QueryText,
  TextParam,
  wholeNumber,
} from './params.js';

const ID = 'd8f8zcm5wtd5jfzn8u5fxpbkje';
const LARGEST = Number.MAX_SAFE_INTEGER;

/** The documentation of a route whose only parameter is the decorated one. */
function route(decorator: ParameterDecorator) {
  class Routes {
    handle(value: unknown): unknown {
      return value;
    }
  }
  decorator(Routes.prototype, 'handle', 0);
  const handle = Object.getOwnPropertyDescriptor(Routes.prototype, 'handle')?.value as object;
  return {
    isRefused: isRefusedWhenMalformed(handle),
    documented: Reflect.getMetadata('swagger/apiParameters', handle) as unknown[],
  };
}

/** The value that Nest passes to a handler for a query and a path; throws what the parameter throws. */
async function read(decorator: ParameterDecorator, query: object, path = 'any'): Promise<unknown> {
  let outcome: { readonly value?: unknown; readonly error?: Error } | undefined;
  @Controller()
  class Routes {
    @Get(':hook_id')
    handle(value: unknown): void {
      outcome = { value };
    }
  }
  decorator(Routes.prototype, 'handle', 0);
  @Module({ controllers: [Routes] })
  class RoutesModule {}
  const app = await NestFactory.create(RoutesModule, { logger: false });
  app.use((request: Request, _response: Response, next: NextFunction) => {
    Object.defineProperty(request, 'query', { value: query });
    next();
  });
  app.useGlobalFilters({
    catch(error: Error, host: ArgumentsHost) {
      outcome = { error };
      host.switchToHttp().getResponse<Response>().end();
    },
  });
  await app.listen(0, '127.0.0.1');
  await fetch(`${await app.getUrl()}/${path}?…`);
  await app.close();
  if (outcome?.error !== undefined) throw outcome.error;
  return outcome?.value;
}

describe('a page', () => {
  it.each([
    [{}, { page: 0, perPage: 60, offset: 0 }],
    [{ page: '2' }, { page: 2, perPage: 60, offset: 120 }],
    [
      { page: '3', per_page: '7' },
      { page: 3, perPage: 7, offset: 21 },
    ],
    [
      { page: '1', pageSize: '7' },
      { page: 1, perPage: 7, offset: 7 },
    ],
    [
      { per_page: '5', pageSize: '7' },
      { page: 0, perPage: 5, offset: 0 },
    ],
    [
      { page: '1', per_page: '0' },
      { page: 1, perPage: 0, offset: 0 },
    ],
    [
      { page: '1', per_page: '201' },
      { page: 1, perPage: 200, offset: 200 },
    ],
    [
      { page: '-1', per_page: '-1' },
      { page: 0, perPage: 60, offset: 0 },
    ],
    [
      { page: 'x', per_page: '' },
      { page: 0, perPage: 60, offset: 0 },
    ],
    [
      { page: ['4', '5'], per_page: ['1', '2'] },
      { page: 4, perPage: 1, offset: 4 },
    ],
    [{ page: `${LARGEST}` }, { page: LARGEST, perPage: 60, offset: LARGEST }],
  ])('of %j is %j', async (query, page) => {
    expect(await read(QueryPage(), query)).toEqual(page);
    expect(await read(QueryPerPage(), query)).toBe(page.perPage);
  });
});

describe('a whole number', () => {
  it.each([
    ['0', 0],
    ['007', 7],
    ['9007199254740991', LARGEST],
    ['9'.repeat(23), LARGEST],
    ['9'.repeat(400), LARGEST],
    ['', 5],
    ['-1', 5],
    ['+1', 5],
    [' 1', 5],
    ['1\n', 5],
    ['x1', 5],
    ['\u0661', 5],
    [undefined, 5],
  ])('of %j is %j, or else five', (text, expected) => {
    expect(wholeNumber(text, 5)).toBe(expected);
  });

  it('is parsed up to the maximum', () => {
    fc.assert(fc.property(fc.maxSafeNat(), (number) => wholeNumber(`${number}`, 5) === number));
  });

  it('defaults to 0 in a query', async () => {
    const numbers = ['7', 'x', undefined].map((since) => read(QueryNumber('since', ''), { since }));
    expect(await Promise.all(numbers)).toEqual([7, 0, 0]);
  });
});

describe('a flag', () => {
  it('accepts six spellings of true', async () => {
    expect(['1', 't', 'T', 'true', 'TRUE', 'True'].map(isTruthy)).toEqual(
      Array.from({ length: 6 }, () => true),
    );
    expect(['', '0', 'tRUE', 'yes', ' 1', '11', undefined].filter(isTruthy)).toEqual([]);
    expect(await read(QueryFlag('all', ''), { all: 'True' })).toBe(true);
    expect(await read(QueryFlag('all', ''), {})).toBe(false);
  });
});

describe('a text', () => {
  it('uses the first of several values', async () => {
    expect(await read(QueryText('q', ''), { q: 'a' })).toBe('a');
    expect(await read(QueryText('q', ''), { q: ['a', 'b'] })).toBe('a');
    expect(await read(QueryText('q', ''), { q: '' })).toBe('');
    expect(await read(QueryText('q', ''), { other: 'a' })).toBeUndefined();
  });

  it.each([[{ a: 'b' }], [[['a']]], ['a\0b'], [[null]]])('is refused as %j', async (q) => {
    await expect(read(QueryText('q', ''), { q })).rejects.toMatchObject({
      id: 'api.context.bad_request.app_error',
      message: 'The query parameter q is malformed.',
    });
  });
});

describe('a query', () => {
  it('is not parsed if absent', () => {
    const request = {
      url: '/',
      get query(): never {
        throw new Error('The parameter was accepted.');
      },
    };
    expect(queryText(request as unknown as HttpRequest, 'q')).toBeUndefined();
  });
});

describe('a choice', () => {
  const choose = (query: object): Promise<unknown> =>
    read(QueryChoice('state', ['open', 'closed'], ''), query);

  it('is one of the choices, or undefined', async () => {
    const chosen = [{ state: 'open' }, { state: 'closed' }, { state: '' }, {}].map(choose);
    expect(await Promise.all(chosen)).toEqual(['open', 'closed', undefined, undefined]);
    await expect(choose({ state: 'ajar' })).rejects.toThrow(
      new InvalidUrlParam('state', 'it must be one of open, closed'),
    );
  });
});

describe('an id', () => {
  it('in the query must be valid or absent', async () => {
    expect(parseQueryId('team_id', ID)).toBe(ID);
    expect(await read(QueryId('team_id', ''), { team_id: ID })).toBe(ID);
    expect(parseQueryId('team_id', '')).toBeUndefined();
    expect(parseQueryId('team_id', undefined)).toBeUndefined();
    for (const wrong of [`${ID}a`, ID.slice(1), `${ID.slice(1)}-`])
      expect(() => parseQueryId('team_id', wrong)).toThrow(
        new InvalidUrlParam('team_id', 'it must be 26 letters and digits'),
      );
  });

  it('in the path must be valid; other characters match no route', async () => {
    expect(parseIdParam('hook_id', ID)).toBe(ID);
    expect(() => parseIdParam('hook_id', ID.slice(1))).toThrow(
      new InvalidUrlParam('hook_id', 'it must be 26 letters and digits'),
    );
    for (const wrong of [undefined, '', `${ID.slice(1)}-`, 'a.b'])
      expect(() => parseIdParam('hook_id', wrong)).toThrow(
        expect.objectContaining({ detail: new RouteNotFound(':hook_id').detail }),
      );
    expect(await read(IdParam('hook_id', ''), {}, ID)).toBe(ID);
    await expect(read(IdParam('hook_id', ''), {}, 'a')).rejects.toThrow(InvalidUrlParam);
  });
});

describe('the document', () => {
  const text = { type: 'string' };
  const inPath = { in: 'path', required: true };

  it.each<[ParameterDecorator, object]>([
    [QueryText('q', 'A text.'), { name: 'q', description: 'A text.', schema: text }],
    [QueryId('id', 'An id.'), { name: 'id', description: 'An id.', schema: text }],
    [
      QueryChoice('c', ['a', 'b'], 'A or b.'),
      { name: 'c', description: 'A or b.', schema: { ...text, enum: ['a', 'b'] } },
    ],
    [
      QueryNumber('n', 'A number.', { minimum: 1 }),
      { name: 'n', description: 'A number.', schema: { type: 'integer', minimum: 1 } },
    ],
    [
      QueryFlag('f', 'A flag.'),
      { name: 'f', description: 'A flag.', schema: { type: 'boolean', default: false } },
    ],
    [
      IdParam('id', 'An id.'),
      { name: 'id', description: 'An id.', schema: { ...text, pattern: '^[A-Za-z0-9]{26}$' }, ...inPath },
    ],
    [
      PathParam('name', 'A name.', (value) => value),
      { name: 'name', description: 'A name.', schema: text, ...inPath },
    ],
  ])('describes a parameter that may be refused', (decorator, description) => {
    const documented = [{ in: 'query', required: false, ...description }];
    expect(route(decorator)).toEqual({ isRefused: true, documented });
  });

  it('describes a text in the path, which is never refused', () => {
    const documented = [{ name: 'name', description: 'A name.', schema: text, ...inPath }];
    expect(route(TextParam('name', 'A name.'))).toEqual({ isRefused: false, documented });
  });
});
