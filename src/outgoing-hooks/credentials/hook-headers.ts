import { InvalidBodyParam } from '../../platform/common/errors/common-errors.js';
import { foldKeys, isJsonObject, type JsonObject } from '../../platform/common/json.js';

/** An additional header as stored and shown; the value of a secret one is sealed and never shown. */
export interface HookHeader {
  readonly name: string;
  readonly secret: boolean;
  readonly value?: string;
}

/** A header with its value. */
export type FullHeader = HookHeader & { readonly value: string };

export const MAX_HEADERS = 20;
export const MAX_HEADER_VALUE = 4_096;
/** Of all names and values: servers commonly accept 8 KiB of headers or more. */
export const MAX_HEADERS_LENGTH = 8_192;
const NAME = /^[!#$%&'*+\-.^_`|~\dA-Za-z]{1,100}$/;
/** Printable ASCII (RFC 9110 section 5.5), so that secrets can be found in replies. */
const VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
const MAX_SHOWN = 64;

/** Headers that the server sets itself, that belong to one connection, or that describe the body. */
const RESERVED = new Set([
  ...['accept', 'accept-encoding', 'connection', 'expect', 'host', 'http2-settings', 'keep-alive', 'te'],
  ...['trailer', 'transfer-encoding', 'upgrade', 'user-agent', 'traceparent', 'tracestate'],
]);
const RESERVED_PREFIX = /^(?:content-|proxy-|webhook-|x-hookline-)/;

const invalid = (index: number, field: string, reason: string): InvalidBodyParam =>
  new InvalidBodyParam(`headers[${index}]${field}`, reason);

/**
 * Reads the body field `headers` (docs/contract/outgoing-webhooks.md#headers). An entry without a value keeps that of
 * `known`, where secret values that must not be kept are absent. Throws InvalidBodyParam.
 */
export function readHeaders(body: readonly unknown[], known: readonly HookHeader[]): readonly FullHeader[] {
  if (body.length > MAX_HEADERS)
    throw new InvalidBodyParam('headers', `it must have at most ${MAX_HEADERS} items`);
  const stored = new Map(known.map((header) => [header.name.toLowerCase(), header]));
  const names = new Set<string>();
  let length = 0;
  return body.map((entry, index) => {
    if (!isJsonObject(entry)) throw invalid(index, '', 'it must be an object with name and value');
    const header = readHeader(foldKeys(entry), index, stored);
    const key = header.name.toLowerCase();
    if (names.has(key)) throw invalid(index, '.name', 'another item has the same name');
    names.add(key);
    length += header.name.length + header.value.length;
    if (length > MAX_HEADERS_LENGTH)
      throw new InvalidBodyParam(
        'headers',
        `names and values must have at most ${MAX_HEADERS_LENGTH} characters in total`,
      );
    return header;
  });
}

function readHeader(
  { name, value, secret, ...others }: JsonObject,
  index: number,
  known: ReadonlyMap<string, HookHeader>,
): FullHeader {
  const [other] = Object.keys(others);
  if (other !== undefined)
    throw invalid(index, `.${other.slice(0, MAX_SHOWN)}`, 'a header has no such field');
  if (typeof name !== 'string' || !NAME.test(name))
    throw invalid(index, '.name', "it must have 1 to 100 letters, digits or characters of !#$%&'*+-.^_`|~");
  const key = name.toLowerCase();
  if (RESERVED.has(key) || RESERVED_PREFIX.test(key))
    throw invalid(index, '.name', 'the server sets this header itself, or it belongs to the connection');
  const isSecret = secret ?? known.get(key)?.secret ?? false;
  if (typeof isSecret !== 'boolean') throw invalid(index, '.secret', 'it must be true or false');
  if (value === undefined || value === null) return { ...keptHeader(index, known.get(key), isSecret), name };
  if (typeof value !== 'string' || value.length > MAX_HEADER_VALUE || !VALUE.test(value))
    throw invalid(
      index,
      '.value',
      `it must have 1 to ${MAX_HEADER_VALUE} printable ASCII characters, without spaces at its ends`,
    );
  return { name, secret: isSecret, value };
}

function keptHeader(index: number, stored: HookHeader | undefined, isSecret: boolean): FullHeader {
  if (stored?.value === undefined)
    throw invalid(
      index,
      '.value',
      'it is missing. A stored value is kept only while all hosts stay the same',
    );
  if (stored.secret && !isSecret)
    throw invalid(index, '.secret', 'a secret value is never shown; send the value again');
  return { name: stored.name, secret: isSecret, value: stored.value };
}

/** The headers as shown and stored: without secret values. */
export function withoutSecrets(headers: readonly FullHeader[]): readonly HookHeader[] {
  return headers.map(({ name, secret, value }) => (secret ? { name, secret } : { name, secret, value }));
}

/** The headers that are not secret, by name in lower case. */
export function plainHeadersOf({
  headers,
}: {
  readonly headers: readonly HookHeader[] | null;
}): Record<string, string> {
  const plain = (headers ?? []).map(({ name, value }) => [name.toLowerCase(), value] as const);
  return Object.fromEntries(plain.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
