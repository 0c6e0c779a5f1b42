import { isDeepStrictEqual } from 'node:util';
import { readVerifier } from '../../incoming-hooks/verification/verifier.js';
import { readAuth, secretFieldOf } from '../../outgoing-hooks/credentials/hook-auth.js';
import { readHeaders } from '../../outgoing-hooks/credentials/hook-headers.js';
import { InvalidBodyParam } from '../../platform/common/errors/common-errors.js';
import { Misfit } from './faults.js';
import { listOf, type NamelessField, readMap, readText } from './field.js';
import { readReference, Reference } from './reference.js';
import type { Tree } from './yaml-tree.js';

type Fields = Readonly<Record<string, unknown>>;

/** Stands for a secret while the rest is checked. */
const PLACEHOLDER = 'x';
/** Keys are seldom shorter; words are seldom longer and have no digits. */
const MIN_KEY_LENGTH = 16;
const SET = '(set)';

/** How the calls of an incoming webhook are verified; its secret is a reference. */
export const verifier: NamelessField = {
  fallback: null,
  read: (tree) => {
    const { secret, ...given } = plainOf(readMap(tree));
    const other = ['rotate', 'previous_secret_expires_at'].find((name) => name in given);
    if (other !== undefined) throw new Misfit(tree.line, `unknown key "${other}"`);
    const hasSecret = secret !== undefined;
    const read = checked(tree, () => readVerifier({ ...given, ...(hasSecret && { secret: PLACEHOLDER }) }));
    return { ...read.verifier, ...(read.verifier.type !== 'ip' && { secret: secretOf(tree, 'secret') }) };
  },
  decode: (record: Fields | null) => record && without(record, 'previous_secret_expires_at'),
  compared: (value: Fields | null) => value && without(value, 'secret'),
  write: (value: Fields, refer) => ({
    ...shortest(value, (part) => readVerifier(part).verifier),
    ...(value['type'] !== 'ip' && { secret: refer('VERIFIER') }),
  }),
};

/** Additional headers; those whose value is a reference are secret. */
export const headers: NamelessField = {
  fallback: [],
  read: (tree) => {
    const list = listOf((item) => {
      const { name, value, ...others } = Object.fromEntries(readMap(item)) as Partial<Record<string, Tree>>;
      const [other] = Object.keys(others);
      if (other !== undefined) throw new Misfit(item.line, `unknown key ${JSON.stringify(other)}`);
      if (!name || !value) throw new Misfit(item.line, 'a header has a name and a value');
      const isSecret = typeof value.value !== 'string';
      return {
        name: readText(name),
        secret: isSecret,
        value: isSecret ? readReference(value) : readText(value),
      };
    })(tree);
    checked(tree, () =>
      readHeaders(
        list.map((header) => ({ ...header, ...(header.secret && { value: PLACEHOLDER }) })),
        [],
      ),
    );
    return list;
  },
  compared: (list: readonly Fields[]) =>
    list.map((header) => (header['secret'] ? without(header, 'value') : header)),
  write: (list: readonly Fields[], refer) =>
    list.map(({ name, secret, value }) => ({ name, value: secret ? refer(String(name)) : value })),
};

/** How outgoing calls authenticate; the password, token or client secret is a reference. */
export const auth: NamelessField = {
  fallback: null,
  read: (tree) => {
    const given = Object.entries(plainOf(readMap(tree))).filter(([, value]) => typeof value !== 'object');
    const { auth: known } = checked(tree, () => readAuth(Object.fromEntries(given)));
    const name = secretFieldOf(known);
    return { ...known, [name]: secretOf(tree, name) };
  },
  compared: (value: Fields | null) => value && without(value, secretFieldOf(value as never)),
  write: (value: Fields, refer) => ({
    ...Object.fromEntries(Object.entries(value).filter(([, each]) => each !== '')),
    [secretFieldOf(value as never)]: refer('AUTH'),
  }),
};

/** A path that is a secret but that the server shows, so that it can be compared. */
export const secretPath: NamelessField = {
  fallback: '',
  read: (tree) => (tree.value === '' ? '' : readReference(tree)),
  shown: (value: unknown) => (value === '' ? '' : SET),
  write: (_value: string, refer) => refer('PATH'),
};

/** URLs; those with a key in their path or query are references in an export, and are not shown. */
export const urls: NamelessField = {
  fallback: [],
  read: listOf((tree) => (typeof tree.value === 'string' ? tree.value : readReference(tree))),
  shown: (list: readonly (string | Reference)[]) => list.map(shownUrl),
  write: (list: readonly string[], refer) => list.map((url) => (mayHoldKey(url) ? refer('URL') : url)),
};

function shownUrl(url: string | Reference): string {
  if (url instanceof Reference) return SET;
  return mayHoldKey(url) ? `${URL.canParse(url) ? new URL(url).origin : ''}/…` : url;
}

/** Whether a URL has a query, or something in its path that looks random. */
export function mayHoldKey(url: string): boolean {
  if (!URL.canParse(url)) return true;
  const { username, password, search, pathname } = new URL(url);
  const isKey = (part: string): boolean => part.length >= MIN_KEY_LENGTH && /\d/.test(part);
  return username + password + search !== '' || pathname.split('/').some(isKey);
}

function secretOf(tree: Tree, name: string): Reference {
  const secret = readMap(tree).get(name);
  if (!secret) throw new Misfit(tree.line, `the ${name} is missing`);
  return readReference(secret);
}

function plainOf(map: ReadonlyMap<string, Tree>): Fields {
  return Object.fromEntries([...map].map(([key, tree]) => [key, plain(tree)]));
}

function plain({ value }: Tree): unknown {
  if (value instanceof Map) return plainOf(value as ReadonlyMap<string, Tree>);
  return Array.isArray(value) ? (value as readonly Tree[]).map(plain) : value;
}

/** The rules of the server, with the line in its refusal. */
function checked<T>({ line }: Tree, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof InvalidBodyParam ? new Misfit(line, error.message) : error;
  }
}

function without(fields: Fields, name: string): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name));
}

/** Omits what follows from the rest. */
function shortest(whole: Fields, read: (part: Fields) => unknown): Fields {
  const follows = (part: Fields): boolean => {
    try {
      return isDeepStrictEqual(read(part), whole);
    } catch {
      return false;
    }
  };
  return Object.keys(whole).reduce((part, name) => {
    const rest = without(part, name);
    return follows(rest) ? rest : part;
  }, whole);
}
