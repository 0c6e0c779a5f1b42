import { Misfit } from './faults.js';
import type { Tree } from './yaml-tree.js';

/** Ids of the server by the names of the file. */
export interface Ids {
  team(name: string): string;
  channel(team: string, name: string): string;
  user(username: string): string;
}

/** Names by the ids of the server; undefined if the caller cannot see them. */
export interface Names {
  team(id: string): string | undefined;
  channel(id: string): string | undefined;
  user(id: string): string | undefined;
}

/** Makes a reference for a secret of an exported object; `part` tells it from the object's other secrets. */
export type Refer = (part: string) => { readonly env: string };

/** A field of an object: how it is written in the file and in the API, and how it is compared and shown. */
export interface Field {
  /** Its name in the API. */
  readonly api: string;
  /** The value if it is absent; undefined: it is required, or not compared if absent. */
  readonly fallback?: unknown;
  readonly isRequired?: boolean;
  /** Throws Misfit. */
  readonly read: (tree: Tree) => unknown;
  readonly encode?: (value: never, ids: Ids, team: string) => unknown;
  readonly decode?: (value: never, names: Names) => unknown;
  /** The value without secrets that the server does not show. */
  readonly compared?: (value: never) => unknown;
  /** What a plan shows of the value. */
  readonly shown?: (value: never) => unknown;
  /** What an export writes. */
  readonly write?: (value: never, refer: Refer) => unknown;
}

type Rest = Partial<Field>;
/** A field before its name in the API is known. */
export type NamelessField = Omit<Field, 'api'> & { readonly api?: string };

const reader =
  <T>(is: (value: unknown) => value is T, what: string) =>
  ({ line, value }: Tree): T => {
    if (is(value)) return value;
    throw new Misfit(line, `it must be ${what}`);
  };
const isText = (value: unknown): value is string => typeof value === 'string';

export const readText = reader(isText, 'a text (put numbers and words such as true in quotes)');
const readFlag = reader((value) => typeof value === 'boolean', 'true or false');
const readInteger = reader((value): value is number => Number.isSafeInteger(value), 'a whole number');
const readItems = reader((value): value is readonly Tree[] => Array.isArray(value), 'a list');
export const readMap = reader(
  (value): value is ReadonlyMap<string, Tree> => value instanceof Map,
  'a map of keys and values',
);

export const listOf =
  <T>(read: (tree: Tree) => T) =>
  (tree: Tree): readonly T[] =>
    readItems(tree).map(read);

export const text = (fallback?: string, rest: Rest = {}): NamelessField => ({
  fallback,
  read: readText,
  ...rest,
});
export const requiredText = (rest: Rest = {}): NamelessField =>
  text(undefined, { isRequired: true, ...rest });
export const flag = (): NamelessField => ({ fallback: false, read: readFlag });
export const integer = (): NamelessField => ({ fallback: 0, read: readInteger });
export const texts = (fallback?: readonly string[]): NamelessField => ({
  fallback,
  read: listOf(readText),
});

/** A choice, such as `public`, that the API writes differently. */
export const choice = (codes: Readonly<Record<string, string>>, fallback: string): NamelessField => ({
  fallback,
  read: reader(
    (value): value is string => isText(value) && Object.hasOwn(codes, value),
    Object.keys(codes).join(' or '),
  ),
  encode: (value: string) => codes[value],
  decode: (code: string) => Object.keys(codes).find((name) => codes[name] === code),
});

/** A time, such as `2027-01-31T00:00:00Z`; empty: never. The API has milliseconds. */
export const time = (): NamelessField => ({
  fallback: '',
  read: (tree) => {
    const given = readText(tree);
    if (given === '') return given;
    if (!/^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(given) || Number.isNaN(Date.parse(given)))
      throw new Misfit(tree.line, 'it must be a time such as "2027-01-31T00:00:00Z"');
    return textOfTime(Date.parse(given));
  },
  encode: (value: string) => (value === '' ? 0 : Date.parse(value)),
  decode: (at: number) => (at === 0 ? '' : textOfTime(at)),
});

function textOfTime(at: number): string {
  return new Date(at).toISOString().replace('.000Z', 'Z');
}

/** The account with this username. Absent: not compared, and the caller for a new object. */
export const user = (api: string, fallback?: string): NamelessField =>
  text(fallback, {
    api,
    encode: (name: string, ids: Ids) => (name === '' ? '' : ids.user(name)),
    decode: (id: string, names: Names) => (id === '' ? fallback : names.user(id)),
  });

/** The channel of the team with this name. */
export const channel = (rest: Rest): NamelessField =>
  text(undefined, {
    api: 'channel_id',
    encode: (name: string, ids: Ids, team: string) => (name === '' ? '' : ids.channel(team, name)),
    decode: (id: string, names: Names) => (id === '' ? '' : names.channel(id)),
    ...rest,
  });
