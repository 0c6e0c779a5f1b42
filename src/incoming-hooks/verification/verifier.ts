import { isIP } from 'node:net';
import { isPrefix } from '../../platform/config/parse.js';
import { InvalidBodyParam } from '../../platform/common/errors/common-errors.js';
import { foldKeys, type JsonObject } from '../../platform/common/json.js';
import { byteLength } from '../../platform/common/utf8.js';
import { isKeptHeader } from '../kept-requests/request-keeper.js';
import { PRESETS } from './presets.js';

interface Signed {
  readonly header: string;
  readonly encoding: (typeof ENCODINGS)[number];
  /** What precedes a signature in the header. */
  readonly prefix: string;
  /** `body`, `url-and-form`, or a template such as `{timestamp}.{body}`. */
  readonly signed: string;
  readonly id_header: string;
  readonly timestamp_header: string;
  /** What precedes the time if the signature header contains it. */
  readonly timestamp_prefix: string;
  /** In seconds. */
  readonly tolerance: number;
}

interface HmacVerifier extends Signed {
  readonly type: 'hmac' | 'standard-webhooks';
  readonly algorithm: (typeof ALGORITHMS)[number];
}

interface Ed25519Verifier extends Signed {
  readonly type: 'ed25519';
}

/** A signature of what the call contains. */
export type SignatureVerifier = HmacVerifier | Ed25519Verifier;

/** A secret in a header or a query parameter. */
export interface TokenVerifier {
  readonly type: 'token';
  readonly header: string;
  readonly query: string;
  readonly prefix: string;
}

/** A user and a password, as in HTTP Basic. */
export interface BasicVerifier {
  readonly type: 'basic';
  readonly user: string;
}

/** The networks that may call. */
export interface IpVerifier {
  readonly type: 'ip';
  readonly networks: readonly string[];
}

/** How the calls of a webhook are verified, as on the wire but without secrets. */
export type Verifier = (SignatureVerifier | TokenVerifier | BasicVerifier | IpVerifier) & {
  readonly preset?: string;
};

/** A verifier as stored and shown. */
export type StoredVerifier = Verifier & {
  /** Until when the replaced secret is valid, in milliseconds; 0: there is none. */
  readonly previous_secret_expires_at: number;
};

/** The fields of a verifier that a preset sets. */
export type VerifierFields = Partial<Omit<HmacVerifier, 'type'>> & { readonly type?: Verifier['type'] };

/** A verifier as sent in a body. */
export interface GivenVerifier {
  readonly verifier: Verifier;
  readonly secret: string | undefined;
  /** Whether a replaced secret stays valid for a while. */
  readonly isRotated: boolean;
}

interface Rule {
  readonly isRight: (value: unknown) => boolean;
  readonly is: string;
}

export const URL_AND_FORM = 'url-and-form';
export const ALGORITHMS = ['sha1', 'sha256', 'sha512'] as const;
export const ENCODINGS = ['hex', 'base64'] as const;
const PARTS = ['{body}', '{timestamp}', '{id}', '{url}'];
const MAX_TEMPLATE = 128;
export const MAX_NETWORKS = 50;
const MAX_TOLERANCE = 86_400;
const MAX_SECRET_BYTES = 255;

const matching = (pattern: RegExp, is: string): Rule => ({
  isRight: (value) => typeof value === 'string' && pattern.test(value),
  is,
});
const oneOf = (...choices: readonly string[]): Rule => ({
  isRight: (value) => choices.includes(value as string),
  is: `it must be ${choices.join(', ')}`,
});
const HEADER = matching(
  /^[A-Za-z0-9-]{0,64}$/,
  'it must be the name of a header: at most 64 letters, digits and hyphens',
);
const PREFIX = matching(/^[\x20-\x7e]{0,32}$/, 'it must have at most 32 ASCII characters');

const RULES: Readonly<Record<string, Rule>> = {
  algorithm: oneOf(...ALGORITHMS),
  encoding: oneOf(...ENCODINGS),
  header: HEADER,
  id_header: HEADER,
  networks: {
    isRight: (value) =>
      Array.isArray(value) && value.length > 0 && value.length <= MAX_NETWORKS && value.every(isNetwork),
    is: `it must list 1 to ${MAX_NETWORKS} addresses or networks such as 10.0.0.0/8 or 2001:db8::/32`,
  },
  prefix: PREFIX,
  query: matching(
    /^(?!(?:payload|wait)$)[\w-]{0,64}$/,
    'it must be the name of a query parameter other than payload and wait: at most 64 letters, digits, hyphens and underscores',
  ),
  signed: {
    isRight: (value) => value === 'body' || value === URL_AND_FORM || isTemplate(value),
    is: `it must be body, ${URL_AND_FORM}, or at most ${MAX_TEMPLATE} ASCII characters with {body} once, and {timestamp}, {id} and {url} where they belong`,
  },
  timestamp_header: HEADER,
  timestamp_prefix: PREFIX,
  tolerance: {
    isRight: (value) => Number.isInteger(value) && Number(value) > 0 && Number(value) <= MAX_TOLERANCE,
    is: `it must be 1 to ${MAX_TOLERANCE} seconds`,
  },
  user: matching(/^[^:\p{Cc}]{1,64}$/u, 'it must have 1 to 64 characters, without a colon'),
};

const SIGNATURE = {
  header: '',
  encoding: 'hex',
  prefix: '',
  signed: 'body',
  id_header: '',
  timestamp_header: '',
  timestamp_prefix: '',
  tolerance: 300,
};

/** The fields of each type with their defaults; undefined: required. */
const TYPES: Readonly<Record<string, JsonObject>> = {
  hmac: { algorithm: 'sha256', ...SIGNATURE },
  ed25519: SIGNATURE,
  'standard-webhooks': {
    ...{ algorithm: 'sha256', ...SIGNATURE },
    header: 'webhook-signature',
    encoding: 'base64',
    prefix: 'v1,',
    signed: '{id}.{timestamp}.{body}',
    id_header: 'webhook-id',
    timestamp_header: 'webhook-timestamp',
  },
  token: { header: '', query: '', prefix: '' },
  basic: { user: undefined },
  ip: { networks: undefined },
};

export const VERIFIER_TYPES = Object.keys(TYPES);

/** Fields that every verifier may have in a request; the last one is only shown, and ignored there. */
const COMMON: ReadonlySet<string> = new Set([
  ...['preset', 'type', 'secret', 'rotate', 'previous_secret_expires_at'],
]);
const ASCII = /^[\x20-\x7e]*$/;
const MAX_SHOWN = 64;

/** A 400 that names a field of the verifier. */
export const invalidVerifier = (field: string, reason: string) =>
  new InvalidBodyParam(`verifier.${field}`, reason);

/** Reads the body field `verifier` (docs/contract/incoming-webhooks.md#verifiers). Throws `invalidVerifier`. */
export function readVerifier(body: object): GivenVerifier {
  const given = Object.fromEntries(
    Object.entries(foldKeys(body as JsonObject)).filter(([, value]) => value !== null),
  );
  const { preset, secret, rotate = true } = given;
  if (preset !== undefined && !(typeof preset === 'string' && Object.hasOwn(PRESETS, preset)))
    throw invalidVerifier('preset', `it must be one of ${Object.keys(PRESETS).join(', ')}`);
  const row: VerifierFields = (preset !== undefined && PRESETS[preset]) || {};
  const types = row.type === undefined ? VERIFIER_TYPES : [row.type];
  const type = given['type'] ?? row.type;
  if (typeof type !== 'string' || !types.includes(type))
    throw invalidVerifier('type', `it must be ${types.join(', ')}`);
  if (typeof rotate !== 'boolean') throw invalidVerifier('rotate', 'it must be true or false');
  if (secret !== undefined && !isSecret(secret))
    throw invalidVerifier(
      'secret',
      `it must have 1 to ${MAX_SECRET_BYTES} bytes, without control characters`,
    );
  if (secret !== undefined && type === 'ip')
    throw invalidVerifier('secret', 'a verifier of type ip has none');
  const fields = readFields(type, given, row);
  const verifier = { ...(preset !== undefined && { preset }), type, ...fields } as Verifier;
  requireWhole(verifier);
  return { verifier, secret, isRotated: rotate };
}

function readFields(type: string, given: JsonObject, row: JsonObject): JsonObject {
  const defaults = TYPES[type] ?? {};
  const unknown = Object.keys(given).find((name) => !COMMON.has(name) && !Object.hasOwn(defaults, name));
  if (unknown !== undefined)
    throw invalidVerifier(unknown.slice(0, MAX_SHOWN), `a verifier of type ${type} has no such field`);
  const read = ([name, fallback]: [string, unknown]): [string, unknown] => {
    const value = given[name] ?? row[name] ?? fallback;
    const rule = RULES[name];
    if (rule?.isRight(value) !== true) throw invalidVerifier(name, rule?.is ?? '');
    return [name, value];
  };
  return Object.fromEntries(Object.entries(defaults).map(read));
}

/** Checks what one field says about another. */
function requireWhole(verifier: Verifier): void {
  if (!('header' in verifier)) return;
  const { header } = verifier;
  if (isKeptHeader(header.toLowerCase()))
    throw invalidVerifier('header', 'kept calls show this header; use another, such as Authorization');
  if (verifier.type === 'token') {
    if ((header === '') !== (verifier.query === '')) return;
    throw invalidVerifier('header', 'a token is either in a header or in a query parameter');
  }
  if (header === '') throw invalidVerifier('header', 'the header with the signature is missing');
  const [timeHeader, timePrefix] = [verifier.timestamp_header, verifier.timestamp_prefix];
  if (timeHeader !== '' && timePrefix !== '')
    throw invalidVerifier('timestamp_prefix', 'the time has a header of its own');
  requireBoth('timestamp', verifier.signed, timeHeader + timePrefix);
  requireBoth('id', verifier.signed, verifier.id_header);
}

/** A time or an id must be both sent and signed. */
function requireBoth(name: string, signed: string, place: string): void {
  if (signed.includes(`{${name}}`) === (place !== '')) return;
  if (place === '') throw invalidVerifier(`${name}_header`, `the header with the {${name}} is missing`);
  throw invalidVerifier('signed', `{${name}} is missing: it must be signed`);
}

/** The parts of what is signed: texts, and names such as `{body}`. */
export function partsOf(signed: string): readonly string[] {
  return signed === 'body' ? ['{body}'] : signed.split(/(\{[a-z]*\})/);
}

function isTemplate(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > MAX_TEMPLATE || !ASCII.test(value)) return false;
  const parts = partsOf(value);
  const isBody = (part: string): boolean => part === '{body}';
  return (
    parts.filter(isBody).length === 1 && parts.every((part) => PARTS.includes(part) || !/[{}]/.test(part))
  );
}

function isNetwork(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  const [address = '', prefix, ...rest] = value.split('/', 3);
  const family = address.includes('%') ? 0 : isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return prefix === undefined || isPrefix(prefix, family === 4 ? 32 : 128);
}

function isSecret(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value !== '' &&
    byteLength(value) <= MAX_SECRET_BYTES &&
    !/\p{Cc}/u.test(value)
  );
}
