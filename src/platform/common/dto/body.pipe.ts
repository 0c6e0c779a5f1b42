import { type ArgumentMetadata, Body, Injectable, type PipeTransform, type Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { ApiBody, type ApiBodyOptions } from '@nestjs/swagger';
import { InvalidBodyParam } from '../errors/common-errors.js';
import { visible } from '../visible.js';
import { decodeJson, isJsonObject, JsonDecodeError, type JsonObject, NulCharacterError } from '../json.js';
import { runeLength } from '../utf8.js';
import { noteReceived, noteUnknownFields } from './unknown-fields.js';
import { bodyNameOf, fieldsOf, type FieldTable, type RequestField } from './fields.js';
import { documented } from './documented-param.js';

const optional = new WeakSet<object>();

/** Makes the body of a request class optional: a missing body, or `null`, counts as an empty object. */
export const OptionalBody = (): ClassDecorator => (target) => {
  optional.add(target);
};

const lenient = new WeakMap<object, string>();

/** Treats a body as empty if it cannot be decoded, or is mistyped and has no text in `field`. */
export const LenientBody =
  (field: string): ClassDecorator =>
  (target) => {
    lenient.set(target, field);
  };

const tables = new WeakMap<Type<unknown>, FieldTable | undefined>();

/** Converts the bytes of a body into the request class of the route. Every failure is a 400 that names the field. */
@Injectable()
export class BodyPipe implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (type !== 'body' || !metatype || !Buffer.isBuffer(value)) return value;
    const table = tableOf(metatype);
    return table ? fromBytes(value, metatype as Type<object>, table) : value;
  }
}

function tableOf(metatype: Type<unknown>): FieldTable | undefined {
  if (!tables.has(metatype)) tables.set(metatype, fieldsOf(metatype));
  return tables.get(metatype);
}

/** Decodes a JSON body. Throws InvalidBodyParam; `name` is the contract's name for the body in errors. */
export function decodeBody(bytes: Buffer, name: string): unknown {
  try {
    return decodeJson(utf8.decode(bytes));
  } catch (error) {
    if (error instanceof NulCharacterError)
      throw new InvalidBodyParam(error.path, 'it contains a NUL character');
    if (error instanceof JsonDecodeError) throw new InvalidBodyParam(name, error.message);
    throw new InvalidBodyParam(name, 'it is not UTF-8 text');
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function fromBytes(bytes: Buffer, metatype: Type<object>, table: FieldTable): object {
  if (bytes.length === 0 && optional.has(metatype)) return toRequest({}, metatype, table);
  const decoded = objectIn(bytes, metatype);
  const request = toRequest(decoded, metatype, table, (built) => noteReceived(bytes, built));
  noteUnknownFields(
    bytes,
    Object.keys(decoded).filter((key) => !table.has(key.toLowerCase())),
  );
  return request;
}

function objectIn(bytes: Buffer, metatype: Type<object>): JsonObject {
  const name = bodyNameOf(metatype);
  try {
    const decoded = decodeBody(bytes, name);
    if (isJsonObject(decoded)) return decoded;
    if (decoded === null && optional.has(metatype)) return {};
    throw new InvalidBodyParam(name, 'it must be a JSON object');
  } catch (error) {
    if (error instanceof InvalidBodyParam && lenient.has(metatype)) return {};
    throw error;
  }
}

/** Converts list items to the request class; `name` is the contract's name for the list. */
export function toRequests(items: readonly unknown[], metatype: Type<object>, name: string): object[] {
  const table = tableOf(metatype);
  return items.map((item) => {
    if (!table || !isJsonObject(item)) throw new InvalidBodyParam(name, 'its items must be objects');
    return toRequest(item, metatype, table);
  });
}

/**
 * Builds a request class instance from the declared body fields. Arrays and objects are assigned as is:
 * class-transformer would copy them and call the value of a `constructor` key. Fields have no @Expose,
 * because it also visits absent fields, at 1 µs each. `note` runs before validation.
 */
function toRequest(
  decoded: JsonObject,
  metatype: Type<object>,
  table: FieldTable,
  note?: (request: object) => void,
): object {
  const scalars: Record<string, unknown> = {};
  const objects: Record<string, unknown> = {};
  const present = new Set<RequestField>();
  let isDoubtful = false;
  for (const [key, sent] of Object.entries(decoded)) {
    const field = table.get(key.toLowerCase());
    if (!field) continue;
    present.add(field);
    const { name } = field;
    const given = sent ?? field.empty?.();
    const value = typeof given === 'string' && field.isShown ? visible(given) : given;
    if (value === undefined) continue;
    if (typeof value === 'object') {
      objects[name] = value;
    } else {
      scalars[name] = value;
      if (name in objects) delete objects[name]; // if keys differ only in case, the last one wins
    }
    isDoubtful ||= !field.isRight(value);
  }
  const request = Object.assign(plainToInstance(metatype, scalars), objects);
  note?.(request);
  for (const field of table.values())
    if (field.isRequired && !present.has(field)) throw new InvalidBodyParam(field.name);
  if (!isDoubtful) return request;
  const [failure] = validateSync(request, { stopAtFirstError: true, forbidUnknownValues: false });
  if (failure) {
    const field = lenient.get(metatype);
    if (field !== undefined && !hasText(request, field)) return new metatype();
    throw new InvalidBodyParam(
      failure.property,
      Object.values(failure.constraints ?? {})[0] ?? 'it has the wrong type',
    );
  }
  return request;
}

function hasText(request: object, field: string): boolean {
  const value: unknown = Object.getOwnPropertyDescriptor(request, field)?.value;
  return typeof value === 'string' && value !== '';
}

const MAX_ITEM_LENGTH = 128;

/** A body that is a list of 1 to `maxItems` strings, such as ids, documented with `examples`. */
export const StringListBody = (name: string, maxItems: number, ...examples: string[]): ParameterDecorator => {
  const items = { type: 'string', maxLength: MAX_ITEM_LENGTH };
  const schema = { type: 'array', minItems: 1, maxItems, items, example: examples };
  return listBody(name, { schema }, (list) => {
    if (!Array.isArray(list) || !list.every((item) => typeof item === 'string'))
      throw new InvalidBodyParam(name, 'it must be a list of strings');
    if (list.length === 0) throw new InvalidBodyParam(name);
    if (list.length > maxItems) throw new InvalidBodyParam(name, `it must have at most ${maxItems} items`);
    if (list.some((item) => runeLength(item) > MAX_ITEM_LENGTH))
      throw new InvalidBodyParam(name, `each must have at most ${MAX_ITEM_LENGTH} characters`);
    return list;
  });
};

/** A body that is a list of 1 to `maxItems` objects, each with the fields of its request class. */
export const ListBody = (name: string, maxItems: number, type: Type<object>): ParameterDecorator =>
  listBody(name, { type: [type] }, (list) => {
    if (!Array.isArray(list)) throw new InvalidBodyParam(name, 'it must be a list');
    if (list.length === 0 || list.length > maxItems)
      throw new InvalidBodyParam(name, `it must have 1 to ${maxItems} items`);
    return toRequests(list, type, name);
  });

function listBody(
  name: string,
  documentation: ApiBodyOptions,
  parse: (list: unknown) => unknown[],
): ParameterDecorator {
  const transform = (value: unknown): unknown[] =>
    noteReceived(value, parse(Buffer.isBuffer(value) ? decodeBody(value, name) : value));
  return documented(Body({ transform }), ApiBody(documentation));
}
