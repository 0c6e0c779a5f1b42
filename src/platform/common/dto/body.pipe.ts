import { type ArgumentMetadata, Injectable, type PipeTransform, type Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { InvalidBodyParam } from '../errors/common-errors.js';
import { decodeJson, JsonDecodeError, NulCharacterError } from '../json.js';
import { bodyNameOf, fieldsOf, type FieldTable } from './fields.js';

const optional = new WeakSet<object>();

/** A request class whose body may be left out: it counts as an empty object then. */
export const OptionalBody = (): ClassDecorator => (target) => {
  optional.add(target);
};

const tables = new WeakMap<Type<unknown>, FieldTable | null>();

/**
 * Turns the bytes of a body into the request class of the route: decodes, picks the known fields whatever their
 * case, asks for the required keys, checks types. Every failure is a 400 that names the field.
 */
@Injectable()
export class BodyPipe implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (type !== 'body' || !metatype || !Buffer.isBuffer(value)) return value;
    let table = tables.get(metatype);
    if (table === undefined) {
      table = fieldsOf(metatype) ?? null;
      tables.set(metatype, table);
    }
    return table ? toRequest(value, metatype as Type<object>, table) : value;
  }
}

/** Decodes a JSON body; `name` is what the contract calls it in an error. */
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

/**
 * The declared fields that the body has, on an instance with their initial values. Lists and objects are set as they
 * came: class-transformer would copy them, and call what a key `constructor` holds. Fields have no @Expose, because
 * it would visit those that are not there as well, at 1 µs each.
 */
function toRequest(bytes: Buffer, metatype: Type<object>, table: FieldTable): object {
  const bodyName = bodyNameOf(metatype);
  const isLeftOut = bytes.length === 0 && optional.has(metatype);
  const decoded = isLeftOut ? {} : (decodeBody(bytes, bodyName) ?? {});
  if (typeof decoded !== 'object' || Array.isArray(decoded)) {
    throw new InvalidBodyParam(bodyName, 'it must be a JSON object');
  }
  const scalars: Record<string, unknown> = {};
  const lists: Record<string, unknown> = {};
  const present = new Set<string>();
  for (const [key, value] of Object.entries(decoded as Record<string, unknown>)) {
    const name = table.names.get(key.toLowerCase());
    if (name === undefined || (present.has(name) && key !== name)) continue;
    present.add(name);
    const said = value ?? table.empty.get(name)?.();
    if (typeof said === 'object') lists[name] = said;
    else if (said !== undefined) scalars[name] = said;
  }
  for (const name of table.required) if (!present.has(name)) throw new InvalidBodyParam(name);
  const request = Object.assign(plainToInstance(metatype, scalars), lists);
  const [failure] = validateSync(request, { stopAtFirstError: true, forbidUnknownValues: false });
  if (failure) {
    throw new InvalidBodyParam(
      failure.property,
      Object.values(failure.constraints ?? {})[0] ?? 'it has the wrong type',
    );
  }
  return request;
}
