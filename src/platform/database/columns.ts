import { Column, type ColumnOptions, DefaultNamingStrategy } from 'typeorm';
import { dialect } from '../config/settings.js';

/*
 * The column types that entities use. Each has a counterpart for migrations in table-columns.ts, so that
 * entities and schema agree on both databases.
 */

const BINARY_TEXT: ColumnOptions =
  dialect === 'mysql' ? { charset: 'utf8mb4', collation: 'utf8mb4_bin' } : {};
const ID: ColumnOptions = { type: 'varchar', length: 26, ...BINARY_TEXT };

const milliseconds = {
  to: (value: unknown) => value,
  from: (value: unknown) => (value === null ? null : Number(value)),
};
const json = {
  to: (value: unknown) => (value === null || value === undefined ? value : JSON.stringify(value)),
  from: (value: unknown) => (typeof value === 'string' ? (JSON.parse(value) as unknown) : value),
};
const optionalJson = {
  to: (value: unknown) => (value === null ? '' : JSON.stringify(value)),
  from: (text: string) => (text === '' ? null : (JSON.parse(text) as unknown)),
};

/** A 26-character id, compared byte by byte. */
export const IdColumn = (options: ColumnOptions = {}): PropertyDecorator => Column({ ...ID, ...options });
/** An id as the primary key. */
export const PrimaryIdColumn = (options: ColumnOptions = {}): PropertyDecorator =>
  Column({ ...ID, ...options, primary: true });
/** Text of at most `length` characters, compared byte by byte. */
export const TextColumn = (length: number, options: ColumnOptions = {}): PropertyDecorator =>
  Column({ type: 'varchar', length, ...BINARY_TEXT, ...options });
/** Text as the primary key, or a part of it. */
export const PrimaryTextColumn = (length: number): PropertyDecorator =>
  Column({ type: 'varchar', length, ...BINARY_TEXT, primary: true });
/** Text of up to 65,535 bytes. */
export const LongTextColumn = (options: ColumnOptions = {}): PropertyDecorator =>
  Column({ type: 'text', ...BINARY_TEXT, ...options });
/** Like LongTextColumn, for a full-text index: on MySQL it ignores case and accents as the collation does. */
export const SearchedTextColumn = (): PropertyDecorator =>
  LongTextColumn(dialect === 'mysql' ? { collation: 'utf8mb4_unicode_520_ci' } : {});
/** A JSON document of any size. */
export const JsonColumn = (options: ColumnOptions = {}): PropertyDecorator =>
  Column({ type: dialect === 'mysql' ? 'longtext' : 'text', transformer: json, ...BINARY_TEXT, ...options });
/**
 * A JSON document of at most `length` characters, or null, which is stored as an empty text: TypeORM takes the default
 * of a nullable column on MariaDB for a difference.
 */
export const OptionalJsonColumn = (length: number): PropertyDecorator =>
  TextColumn(length, { transformer: optionalJson, default: '' });
/** Like OptionalJsonColumn, for up to 65,535 bytes. */
export const OptionalLongJsonColumn = (): PropertyDecorator =>
  LongTextColumn({ transformer: optionalJson, default: '' });
/** Milliseconds since the epoch, or another whole number beyond 32 bits. */
export const BigColumn = (options: ColumnOptions = {}): PropertyDecorator =>
  Column({ type: 'bigint', transformer: milliseconds, ...options });
/** A whole number beyond 32 bits as the primary key. */
export const PrimaryBigColumn = (): PropertyDecorator =>
  Column({ type: 'bigint', transformer: milliseconds, primary: true });
/** A whole number of up to 32 bits. */
export const IntColumn = (options: ColumnOptions = {}): PropertyDecorator =>
  Column({ type: 'integer', ...options });
/** True or false, on both databases. */
export const BooleanColumn = (options: ColumnOptions = {}): PropertyDecorator =>
  Column({ type: 'boolean', ...options });
/** A whole number as a part of the primary key. */
export const PrimaryIntColumn = (): PropertyDecorator => Column({ type: 'integer', primary: true });

const SEALED = 'hookline:sealed-columns';

/** Text encrypted by the secret box, in a table keyed by `id`. Key rotation re-encrypts it. */
export const Sealed = (): PropertyDecorator => (prototype, property) =>
  Reflect.defineMetadata(SEALED, [...sealedProperties(prototype), property], prototype);

/** The `@Sealed` properties of an entity. */
export function sealedProperties(prototype: object): readonly (string | symbol)[] {
  return (Reflect.getMetadata(SEALED, prototype) as (string | symbol)[] | undefined) ?? [];
}

/** Maps camelCase properties to snake_case columns. */
export class SnakeNamingStrategy extends DefaultNamingStrategy {
  override columnName(propertyName: string, customName: string | undefined): string {
    return customName ?? toSnakeCase(propertyName);
  }
}

function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
