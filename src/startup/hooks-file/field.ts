import { Reference } from './reference.js';
import { Misfit, within } from './yaml-file.js';

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

/** A field of an object: how the file and the API have it. */
export interface Field {
  /** Its name in the API, if that is another one. */
  readonly api?: string;
  /** The value if it is absent; undefined: it is required, or not compared if absent. */
  readonly fallback?: unknown;
  readonly isRequired?: boolean;
  /** Throws Misfit. */
  readonly read: (value: unknown) => unknown;
  readonly encode?: (value: never, ids: Ids, team: string) => unknown;
  readonly decode?: (value: never, names: Names) => unknown;
  /** Whether a text that the server shows is a secret: a reference in an export, and not in a plan. */
  readonly isSecret?: (text: string) => boolean;
  /** What an export writes. */
  readonly write?: (value: never, refer: Refer) => unknown;
}

type Rest = Partial<Field>;

const reader =
  (is: (value: unknown) => boolean, what: string) =>
  (value: unknown): unknown => {
    if (is(value)) return value;
    throw new Misfit(`it must be ${what}`);
  };
const readText = reader(
  (value) => typeof value === 'string',
  'a text (put numbers and words such as true in quotes)',
);
const readList = reader(Array.isArray, 'a list');
export const listOf =
  <T>(read: (value: unknown) => T) =>
  (list: unknown): readonly T[] =>
    (readList(list) as unknown[]).map((item, index) => within(index, () => read(item)));

export const text = (fallback?: string, rest: Rest = {}): Field => ({ fallback, read: readText, ...rest });
export const flag: Field = {
  fallback: false,
  read: reader((value) => typeof value === 'boolean', 'true or false'),
};
export const integer: Field = { fallback: 0, read: reader(Number.isSafeInteger, 'a whole number') };
export const texts = (...fallback: string[]): Field => ({ fallback, read: listOf(readText) });

const readSecret = (value: unknown): unknown => (typeof value === 'string' ? value : Reference.read(value));
/** A text, or a reference to one. */
export const secretText = (isSecret: Field['isSecret']): Field => ({
  fallback: '',
  read: readSecret,
  isSecret,
});
export const secretTexts = (isSecret: Field['isSecret']): Field => ({
  ...{ fallback: [], read: listOf(readSecret), isSecret },
});

/** A choice, such as `public`, that the API writes differently. */
export const choice = (codes: Readonly<Record<string, string>>, fallback: string): Field => ({
  fallback,
  read: reader(
    (value) => typeof value === 'string' && Object.hasOwn(codes, value),
    Object.keys(codes).join(' or '),
  ),
  encode: (value: string) => codes[value],
  decode: (code: string) => Object.keys(codes).find((name) => codes[name] === code),
});

const textOfTime = (at: number): string => new Date(at).toISOString().replace('.000Z', 'Z');
/** A time, such as `2027-01-31T00:00:00Z`; empty: never. The API has milliseconds. */
export const time: Field = {
  fallback: '',
  read: (value) => {
    if (value === '') return value;
    const isTime = typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(value);
    if (!isTime || Number.isNaN(Date.parse(value)))
      throw new Misfit('it must be a time such as 2027-01-31T00:00:00Z');
    return textOfTime(Date.parse(value));
  },
  encode: (value: string) => (value === '' ? 0 : Date.parse(value)),
  decode: (at: number) => (at === 0 ? '' : textOfTime(at)),
};

/** An account. If it is absent and has no fallback, it is not compared, and the caller for a new object. */
export const user = (api: string, fallback?: string): Field =>
  text(fallback, {
    api,
    encode: (name: string, ids) => (name === '' ? '' : ids.user(name)),
    decode: (id: string, names) => (id === '' ? fallback : names.user(id)),
  });

/** A channel of the team. */
export const channel = (rest: Rest): Field =>
  text(undefined, {
    api: 'channel_id',
    encode: (name: string, ids, team) => (name === '' ? '' : ids.channel(team, name)),
    decode: (id: string, names) => (id === '' ? '' : names.channel(id)),
    ...rest,
  });
