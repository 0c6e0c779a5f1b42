import { getMetadataArgsStorage } from 'typeorm';
import { apiDocument } from '../scripts/api-document.mjs';
import * as own from './support/answer-bounds.js';
import { type AnswerBounds, BOUNDS } from './support/module-access.js';

const { CHARACTER, TOGETHER } = own;
const withModules = <T>(
  known: Readonly<Record<string, T>>,
  name: keyof AnswerBounds,
): Readonly<Record<string, T>> =>
  Object.assign({}, known, ...BOUNDS.map((bounds) => bounds[name])) as Readonly<Record<string, T>>;
const ANSWERS = withModules(own.ANSWERS, 'answers');
const ENTITIES = withModules(own.ENTITIES, 'entities');
const FIELDS = withModules(own.FIELDS, 'fields');
const ITEMS = withModules(own.ITEMS, 'items');

const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
const QUOTES = 2;
const INTEGER = 17;
const BOOLEAN = 5;
const ID = 26 + QUOTES;

const document = apiDocument();
const schemas = document.components.schemas as Record<string, any>;

/** Schemas without a known bound, in the order in which they were found. */
let unbounded: string[];
/** The fields that are counted once for the whole list, by their total bound. */
let counted: ReadonlySet<string>;

const lengths = new Map(
  getMetadataArgsStorage().columns.map(({ target, propertyName, options }) => [
    `${(target as { name: string }).name}.${propertyName}`,
    Number(options.length ?? NaN),
  ]),
);

/** The maximum size of a value of this schema in bytes; `place` is `Schema.field`, or the route. */
function bytesOf(schema: any, place: string): number {
  if (schema.$ref) return objectBytes(String(schema.$ref).split('/').pop()!);
  if (place in FIELDS) return counted.has(place) ? QUOTES : FIELDS[place]!;
  const variants = schema.oneOf ?? schema.anyOf;
  if (variants) return Math.max(...variants.map((variant: unknown) => bytesOf(variant, place)));
  if (schema.allOf) return schema.allOf.reduce((sum: number, part: unknown) => sum + bytesOf(part, place), 0);
  if (schema.enum) return Math.max(...schema.enum.map((value: unknown) => JSON.stringify(value).length));
  if (schema.type === 'array') return arrayBytes(schema, place);
  if (schema.type === 'integer' || schema.type === 'number') return INTEGER;
  if (schema.type === 'boolean') return BOOLEAN;
  if (schema.type === 'string') return textBytes(schema, place);
  return unknownBytes(place);
}

function objectBytes(name: string): number {
  const fields = Object.entries<any>(schemas[name].properties ?? {});
  if (fields.length === 0 && !schemas[name].allOf) return unknownBytes(name);
  return fields.reduce(
    (sum, [field, schema]) => sum + field.length + 4 + bytesOf(schema, `${name}.${field}`),
    2,
  );
}

function arrayBytes(schema: any, place: string): number {
  const count = ITEMS[place];
  return count === undefined ? unknownBytes(place) : 2 + count * (bytesOf(schema.items, `${place}[]`) + 1);
}

function textBytes(schema: any, place: string): number {
  if (counted.has(place)) return QUOTES;
  const [name = '', field = ''] = place.split('.');
  const property = field.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const length = lengths.get(`${ENTITIES[name]?.name}.${property}`) || schema.maxLength;
  if (length !== undefined) return CHARACTER * length + QUOTES;
  return /(^|_)id$/.test(field) ? ID : unknownBytes(place);
}

function unknownBytes(place: string): number {
  unbounded.push(place);
  return 0;
}

const operations = Object.entries<Record<string, any>>(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    route: `${method.toUpperCase()} ${path}`,
    operation,
  })),
);

/** The maximum response size of the route in bytes. */
function answerBytes(route: string, operation: any): number {
  if (route in ANSWERS) return ANSWERS[route]!;
  const together = TOGETHER[route];
  counted = new Set(together?.fields);
  const perPage = operation.parameters?.find((parameter: any) => parameter.name === 'per_page')?.schema
    .maximum;
  const sizes = Object.entries<any>(operation.responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, { content = {} }]) => Object.values<any>(content))
    .map(({ schema }) => answerSize(schema, route, perPage));
  return (together?.bytes ?? 0) + Math.max(0, ...sizes);
}

function answerSize(schema: any, route: string, perPage: number | undefined): number {
  const variants = schema.oneOf ?? [schema];
  return Math.max(
    ...variants.map((variant: any) => {
      if (variant.type !== 'array') return bytesOf(variant, route);
      const count = ITEMS[route] ?? perPage;
      return count === undefined
        ? unknownBytes(route)
        : 2 + count * (bytesOf(variant.items, `${route}[]`) + 1);
    }),
  );
}

describe('the size of responses', () => {
  beforeEach(() => {
    unbounded = [];
    counted = new Set();
  });

  it.each(operations)('$route is at most 16 MiB', ({ route, operation }) => {
    const bytes = answerBytes(route, operation);
    expect(unbounded).toEqual([]);
    expect(bytes).toBeLessThanOrEqual(MAX_ANSWER_BYTES);
  });

  it('uses all declared bounds', () => {
    const places = new Set(
      Object.entries(schemas).flatMap(([name, { properties = {} }]) => [
        name,
        ...Object.keys(properties as object).map((field) => `${name}.${field}`),
      ]),
    );
    const routes = new Set(operations.map(({ route }) => route));
    const stale = [
      ...Object.keys(FIELDS),
      ...Object.keys(ITEMS),
      ...Object.keys(ENTITIES),
      ...Object.keys(ANSWERS),
    ]
      .map((place) => place.replace(/\[\]$/, ''))
      .filter((place) => !places.has(place) && !routes.has(place));
    expect(stale).toEqual([]);
  });
});
