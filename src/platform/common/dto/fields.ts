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
}

/** The wire names of the fields of a class, and which ones are required. */
export interface FieldTable {
  /** Keyed by lower-case name: names match in any case (docs/contract/conventions.md#bodies). */
  readonly names: Map<string, string>;
  readonly required: Set<string>;
  /** The value that null stands for, for fields that accept null. */
  readonly empty: Map<string, () => unknown>;
  /** A fast check that a value is valid, so that the much slower validators can be skipped. */
  readonly isRight: Map<string, (value: unknown) => boolean>;
  /** Display names, from which invisible characters are removed. */
  readonly shown: Set<string>;
}

/** Longer than any id, so that use cases see slightly wrong ids. */
const MAX_ID_FIELD_LENGTH = 64;

const tables = new Map<object, FieldTable>();
const bodyNames = new Map<object, string>();

/** The fields of a request class, including inherited ones; undefined if it has none. */
export function fieldsOf(type: Type<unknown>): FieldTable | undefined {
  const merged = emptyTable();
  for (
    let proto = type.prototype as object | null;
    proto;
    proto = Object.getPrototypeOf(proto) as object | null
  ) {
    const table = tables.get(proto);
    table?.names.forEach((name, key) => merged.names.set(key, name));
    table?.required.forEach((name) => merged.required.add(name));
    table?.shown.forEach((name) => merged.shown.add(name));
    table?.empty.forEach((empty, name) => merged.empty.set(name, empty));
    table?.isRight.forEach((isRight, name) => {
      const other = merged.isRight.get(name);
      merged.isRight.set(name, other ? (value) => isRight(value) && other(value) : isRight);
    });
  }
  return merged.names.size > 0 ? merged : undefined;
}

function emptyTable(): FieldTable {
  return { names: new Map(), required: new Set(), empty: new Map(), isRight: new Map(), shown: new Set() };
}

/** Sets the contract's name for the body in errors, such as `incoming_webhook`. */
export const BodyName =
  (name: string): ClassDecorator =>
  (target) => {
    bodyNames.set(target, name);
  };

/** The name of the body in errors; `body` by default. */
export function bodyNameOf(type: Type<unknown>): string {
  for (
    let current: object | null = type;
    current;
    current = Object.getPrototypeOf(current) as object | null
  ) {
    const name = bodyNames.get(current);
    if (name !== undefined) return name;
  }
  return 'body';
}

/** A string. */
export const StringField = (options: FieldOptions): PropertyDecorator => boundedText(options);
/** A display name, without invisible characters and line breaks (docs/contract/conventions.md#bodies). */
export const NameField = (options: FieldOptions): PropertyDecorator =>
  applyDecorators(boundedText(options), (target: object, key?: string | symbol) => {
    tables.get(target)?.shown.add(String(key));
  });
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

/**
 * A field of the Mattermost API for an unsupported feature. It is not documented; non-empty values are
 * rejected with the given reason, because the call would not do what the client expects.
 */
export const UnsupportedField =
  (reason: string): PropertyDecorator =>
  (target, key) => {
    register(target, String(key), isEmptyValue);
    const validator = { validate: isEmptyValue, defaultMessage: () => `is not supported: ${reason}` };
    applyDecorators(IsOptional(), ValidateBy({ name: 'isUnset', validator }))(target, key);
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
  const { required = false, description, example, maxLength, enum: choices, default: fallback } = options;
  const documentation = {
    ...documented,
    description,
    required,
    ...(example === undefined ? {} : { example }),
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(choices === undefined ? {} : { enum: [...choices] }),
    ...(fallback === undefined ? {} : { default: fallback }),
  } as ApiPropertyOptions;
  const enter: PropertyDecorator = (target, key) => {
    const table = register(target, String(key), isRight);
    if (required) table.required.add(String(key));
    else if (!options.nullIsEmpty) return;
    if (documented.type === String) table.empty.set(String(key), () => '');
    if (Array.isArray(documented.type)) table.empty.set(String(key), () => []);
    if (documented.type === 'integer' && options.nullIsEmpty) table.empty.set(String(key), () => 0);
  };
  return applyDecorators(enter, ApiProperty(documentation), IsOptional(), ...checks);
}

function register(target: object, key: string, isRight: (value: unknown) => boolean): FieldTable {
  const table = tables.get(target) ?? emptyTable();
  tables.set(target, table);
  table.names.set(key.toLowerCase(), key);
  table.isRight.set(key, isRight);
  return table;
}
