import { applyDecorators, type Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import {
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  MaxLength,
  ValidateBy,
} from 'class-validator';
import { definedOnly } from '../defined-only.js';
import { isJsonObject } from '../json.js';

/*
 * Decorators for request fields: each documents a field, validates its type, and says whether its key is required. The
 * rules for values belong to the record and are applied later, because the contract fixes the order of errors
 * (docs/contract/conventions.md#required-fields). A null counts as present but empty: a required string becomes '', a
 * required list [].
 */

interface FieldOptions {
  readonly description: string;
  readonly example?: unknown;
  /** The key must be present; otherwise, the response is a 400 that names it. */
  readonly required?: boolean;
  /** Null means the empty value, as in a required field, although the key may be absent. */
  readonly nullIsEmpty?: boolean;
  /** Documentation only: the rules of the record enforce it, in the order of the contract. */
  readonly maxLength?: number;
  /** A limit enforced while decoding, for texts without a rule in their record. */
  readonly atMost?: number;
  readonly enum?: readonly (string | number)[];
  readonly default?: unknown;
  readonly isShown?: boolean;
}

/** A field of a request class. */
export interface RequestField {
  readonly name: string;
  readonly isRequired?: boolean;
  /** Returns the value that null stands for, if the field accepts null. */
  readonly empty?: (() => unknown) | undefined;
  /** A fast check that a value is valid, so that the much slower validators can be skipped. */
  readonly isRight: (value: unknown) => boolean;
  readonly isShown?: boolean;
}

/** The fields of a class by lower-case name: names match in any case (docs/contract/conventions.md#bodies). */
export type FieldTable = Map<string, RequestField>;

/** Longer than any id, so that use cases see slightly wrong ids. */
const MAX_ID_FIELD_LENGTH = 64;

const tables = new Map<object, FieldTable>();
const bodyNames = new Map<object, string>();

/** The fields of a request class, including inherited ones; undefined if it has none. */
export function fieldsOf(type: Type<unknown>): FieldTable | undefined {
  const merged: FieldTable = new Map();
  for (const prototype of chainOf(type.prototype as object))
    for (const [key, field] of tables.get(prototype) ?? []) {
      const other = merged.get(key);
      merged.set(key, {
        ...other,
        ...field,
        empty: field.empty ?? other?.empty,
        isRequired: [field, other].some((one) => one?.isRequired),
        isShown: [field, other].some((one) => one?.isShown),
        isRight: (value) => field.isRight(value) && other?.isRight(value) !== false,
      });
    }
  return merged.size > 0 ? merged : undefined;
}

function chainOf(object: object | null): object[] {
  return object === null ? [] : [object, ...chainOf(Object.getPrototypeOf(object) as object | null)];
}

/** Sets the contract's name for the body in errors, such as `incoming_webhook`. */
export const BodyName =
  (name: string): ClassDecorator =>
  (target) => {
    bodyNames.set(target, name);
  };

/** The name of the body in errors; `body` by default. */
export function bodyNameOf(type: Type<unknown>): string {
  const named = chainOf(type).find((current) => bodyNames.has(current));
  return (named && bodyNames.get(named)) ?? 'body';
}

/** A string. */
export const StringField = (options: FieldOptions): PropertyDecorator => boundedText(options);
/** A display name, without invisible characters and line breaks (docs/contract/conventions.md#bodies). */
export const NameField = (options: FieldOptions): PropertyDecorator =>
  boundedText({ ...options, isShown: true });
/** An id. Values that are too long are rejected at once; the use case validates the rest. */
export const IdField = (options: FieldOptions): PropertyDecorator =>
  boundedText({ example: 'b1f8zcm5wtd5jfzn8u5fxpbkje', atMost: MAX_ID_FIELD_LENGTH, ...options });
/** True or false. */
export const BooleanField = (options: FieldOptions): PropertyDecorator =>
  field(options, { type: Boolean }, isBoolean, IsBoolean({ message: 'must be true or false' }));
/** A boolean, or its text form, which stock clients send in some bodies. */
export const FlagField = (options: FieldOptions): PropertyDecorator =>
  field(options, { type: Boolean }, isFlag, IsIn(FLAGS, { message: 'must be true or false' }));
/** A whole number. */
export const IntegerField = (options: FieldOptions): PropertyDecorator =>
  field(options, { type: 'integer' }, Number.isInteger, IsInt({ message: 'must be a whole number' }));
/** An array of strings. */
export const StringListField = (options: FieldOptions): PropertyDecorator =>
  field(
    options,
    { type: [String] },
    isStringList,
    IsArray({ message: 'must be a list of strings' }),
    IsString({ each: true, message: 'must be a list of strings' }),
  );
/** A free-form object. */
export const ObjectField = (options: FieldOptions): PropertyDecorator =>
  field(
    options,
    { type: 'object', additionalProperties: true },
    isJsonObject,
    IsObject({ message: 'must be an object' }),
  );
/** An object documented by a class, whose rules the use case checks, or null. */
export const NullableObjectField = (options: FieldOptions, type: Type<unknown>): PropertyDecorator =>
  field(
    options,
    { type, nullable: true },
    (value) => value === null || isJsonObject(value),
    IsObject({ message: 'must be an object or null' }),
  );

/** A list of objects documented by a class, whose rules the use case checks, or null. */
export const NullableObjectListField = (options: FieldOptions, type: Type<unknown>): PropertyDecorator =>
  field(
    options,
    { type: [type], nullable: true },
    (value) => value === null || Array.isArray(value),
    IsArray({ message: 'must be a list of objects or null' }),
  );

/** A field of an unsupported feature, not documented: a value that would have an effect is rejected. */
export const UnsupportedField = (reason: string): PropertyDecorator => {
  const validator = { validate: isEmptyValue, defaultMessage: () => `is not supported: ${reason}` };
  return applyDecorators(
    register({ isRight: isEmptyValue }),
    IsOptional(),
    ValidateBy({ name: 'isUnset', validator }),
  );
};

function isEmptyValue(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return [undefined, null, false, 'false', '', 0].includes(value as null);
}

/** Documents a field as required although its key may be absent; the record reports what is missing later. */
export const ShownAsRequired = (): PropertyDecorator => ApiProperty({ required: true });

function boundedText(options: FieldOptions): PropertyDecorator {
  const { atMost } = options;
  return field(
    options,
    { type: String, ...(atMost !== undefined && { maxLength: atMost }) },
    (value) => typeof value === 'string' && value.length <= (atMost ?? Infinity),
    IsString({ message: 'must be a string' }),
    ...(atMost === undefined
      ? []
      : [MaxLength(atMost, { message: `must have at most ${atMost} characters` })]),
  );
}

const FLAGS: readonly unknown[] = [true, false, 'true', 'false'];
const isFlag = (value: unknown): boolean => FLAGS.includes(value);
const isBoolean = (value: unknown): boolean => typeof value === 'boolean';
const isStringList = (value: unknown): boolean =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

function field(
  options: FieldOptions,
  documented: ApiPropertyOptions,
  isRight: (value: unknown) => boolean,
  ...checks: PropertyDecorator[]
): PropertyDecorator {
  const { required = false, nullIsEmpty = false, description, example, maxLength, isShown = false } = options;
  const documentation = {
    ...documented,
    description,
    required,
    ...definedOnly({ example, maxLength, enum: options.enum && [...options.enum], default: options.default }),
  } as ApiPropertyOptions;
  const empty = documented.nullable
    ? () => null
    : required || nullIsEmpty
      ? emptyOf(documented.type, nullIsEmpty)
      : undefined;
  return applyDecorators(
    register({ isRequired: required, empty, isRight, isShown }),
    ApiProperty(documentation),
    IsOptional(),
    ...checks,
  );
}

function emptyOf(type: unknown, nullIsEmpty: boolean): (() => unknown) | undefined {
  if (type === String) return () => '';
  if (Array.isArray(type)) return () => [];
  return type === 'integer' && nullIsEmpty ? () => 0 : undefined;
}

const register =
  (entry: Omit<RequestField, 'name'>): PropertyDecorator =>
  (target, key) => {
    const table: FieldTable = tables.get(target) ?? new Map<string, RequestField>();
    tables.set(target, table.set(String(key).toLowerCase(), { name: String(key), ...entry }));
  };
