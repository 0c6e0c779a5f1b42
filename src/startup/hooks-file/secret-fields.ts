import { isDeepStrictEqual } from 'node:util';
import { readVerifier } from '../../incoming-hooks/verification/verifier.js';
import { readAuth, secretFieldOf } from '../../outgoing-hooks/credentials/hook-auth.js';
import { readHeaders } from '../../outgoing-hooks/credentials/hook-headers.js';
import { InvalidBodyParam } from '../../platform/common/errors/common-errors.js';
import { isJsonObject, type JsonObject } from '../../platform/common/json.js';
import { type Field, listOf } from './field.js';
import { Reference } from './reference.js';
import { Misfit, within } from './yaml-file.js';

/** Stands for a secret while the rest is checked. */
const PLACEHOLDER = 'x';
/** Keys are seldom shorter; words are seldom longer and have no digits. */
const MIN_KEY_LENGTH = 16;

/** How the calls of an incoming webhook are verified. */
export const verifier: Field = {
  ...withSecret(
    'VERIFIER',
    (given) => readVerifier(given).verifier,
    (type) => (type === 'ip' ? undefined : 'secret'),
  ),
  decode: (record: JsonObject | null) => record && without(record, 'previous_secret_expires_at'),
};

/** How outgoing calls authenticate. */
export const auth = withSecret(
  'AUTH',
  (given) => readAuth(given).auth,
  (type) => secretFieldOf({ type } as never),
);

/** Additional headers; those whose value is a reference are secret. */
export const headers: Field = {
  fallback: [],
  read: (list) => {
    const read = listOf((item) => {
      if (!isJsonObject(item)) throw new Misfit('it must have a name and a value');
      const secret = typeof item['value'] !== 'string';
      return {
        ...item,
        secret,
        ...(secret && { value: within('value', () => Reference.read(item['value'])) }),
      };
    })(list);
    checked(() =>
      readHeaders(
        read.map((each) => ({ ...each, ...(each.secret && { value: PLACEHOLDER }) })),
        [],
      ),
    );
    return read;
  },
  write: (list: readonly JsonObject[], refer) =>
    list.map(({ name, secret, value }) => ({ name, value: secret ? refer(String(name)) : value })),
};

/** Whether a URL has a query, or something in its path that looks random. */
export function mayHoldKey(url: string): boolean {
  if (!URL.canParse(url)) return true;
  const { username, password, search, pathname } = new URL(url);
  const isKey = (part: string): boolean => part.length >= MIN_KEY_LENGTH && /\d/.test(part);
  return username + password + search !== '' || pathname.split('/').some(isKey);
}

/** An object or null. `secretOf` names its secret, which is a reference and which the server does not show. */
function withSecret(
  part: string,
  readPlain: (given: object) => object,
  secretOf: (type: unknown) => string | undefined,
): Field {
  return {
    fallback: null,
    read: (given) => {
      if (!isJsonObject(given)) throw new Misfit('it must be a map of keys and values');
      const isReference = ([, value]: [string, unknown]): boolean => isJsonObject(value);
      const plain = Object.entries(given).filter((entry) => !isReference(entry));
      const value = checked(() => readPlain(Object.fromEntries(plain))) as JsonObject;
      const name = secretOf(value['type']);
      const other = Object.entries(given).find((entry) => isReference(entry) && entry[0] !== name);
      if (other) throw new Misfit('a reference is not possible here', [other[0]]);
      return {
        ...value,
        ...(name !== undefined && { [name]: within(name, () => Reference.read(given[name])) }),
      };
    },
    write: (value: JsonObject, refer) => {
      const name = secretOf(value['type']);
      return { ...shortest(value, readPlain), ...(name !== undefined && { [name]: refer(part) }) };
    },
  };
}

/** The rules of the server. */
function checked<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof InvalidBodyParam
      ? new Misfit(error.message.replace(' in request body', ''))
      : error;
  }
}

function without(fields: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name));
}

/** Omits what follows from the rest. */
function shortest(whole: JsonObject, read: (part: JsonObject) => unknown): JsonObject {
  const follows = (part: JsonObject): boolean => {
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
