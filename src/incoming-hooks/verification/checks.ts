import { createHash, createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto';
import { givenAddress, Network } from '../../platform/common/ip-address.js';
import type { HttpRequest } from '../../platform/common/http/http-request.js';
import { unverified } from '../execution/execution.errors.js';
import {
  type BasicVerifier,
  type IpVerifier,
  partsOf,
  type SignatureVerifier,
  type TokenVerifier,
  URL_AND_FORM,
  type Verifier,
} from './verifier.js';

/** The parts of a request that verifiers look at. */
export type VerifiableCall = Pick<HttpRequest, 'headers' | 'body' | 'originalUrl' | 'ip'>;

/** What a call is verified with. */
export interface Evidence {
  /** The valid secrets, newest first. */
  readonly secrets: readonly string[];
  /** The time in milliseconds. */
  readonly now: number;
  /** The public address of the server. */
  readonly siteUrl: string;
  readonly isPayloadInUrl?: boolean;
}

/** More signatures than a rotation of secrets produces. */
const MAX_SIGNATURES = 16;
const MAX_FORM_FIELDS = 1_000;
const ED25519_KEY_BYTES = 32;
/** Times with more digits are in milliseconds. */
const MAX_DIGITS_OF_SECONDS = 11;
/** Node skips what it cannot decode. */
const ENCODED = { hex: /^(?:[\da-f]{2})+$/i, base64: /^[\w+/-]+={0,2}$/ } as const;
const FORM = /^application\/x-www-form-urlencoded(?:;|\s|$)/i;

/** Throws `unverified` with what is missing or wrong, unless the call passes the verifier. */
export function requireProof(verifier: Verifier, call: VerifiableCall, evidence: Evidence): void {
  switch (verifier.type) {
    case 'token':
      return requireToken(verifier, call, evidence);
    case 'basic':
      return requirePassword(verifier, call, evidence);
    case 'ip':
      return requireAddress(verifier, call);
    default:
      return requireSignature(verifier, call, evidence);
  }
}

/** What is wrong with a secret for this verifier; undefined if nothing is. */
export function faultOfSecret(verifier: Verifier, secret: string): string | undefined {
  if (verifier.type === 'standard-webhooks' && !/^(?:whsec_)?[A-Za-z0-9+/]+={0,2}$/.test(secret))
    return 'it must be a key in base64, with or without whsec_ before it';
  if (verifier.type === 'ed25519' && Buffer.from(secret, verifier.encoding).length !== ED25519_KEY_BYTES)
    return `it must be the public key of the sender: ${ED25519_KEY_BYTES} bytes in ${verifier.encoding}`;
  return undefined;
}

function requireSignature(verifier: SignatureVerifier, call: VerifiableCall, evidence: Evidence): void {
  const { header, prefix, encoding, timestamp_header: timeHeader } = verifier;
  // Neither base64 nor hexadecimal contains the separators.
  const items = headerOf(call, header)
    .split(prefix.endsWith(',') ? ' ' : /[,;]/, 2 * MAX_SIGNATURES)
    .map((item) => item.trim());
  const after = (start: string): string[] =>
    items.filter((item) => item.startsWith(start)).map((item) => item.slice(start.length));
  const time = timeHeader === '' ? (after(verifier.timestamp_prefix)[0] ?? '') : headerOf(call, timeHeader);
  if (verifier.signed.includes('{timestamp}'))
    requireTime(time, timeHeader || header, verifier.tolerance, evidence.now);
  const content = contentOf(verifier, call, time, evidence);
  const signatures = after(prefix)
    .slice(0, MAX_SIGNATURES)
    .filter((signature) => ENCODED[encoding].test(signature));
  const isSigned = evidence.secrets.some((secret) => {
    const matches = matcherOf(verifier, secret, content);
    return signatures.some((signature) => matches(Buffer.from(signature, encoding)));
  });
  if (isSigned) return;
  const expected = `${verifier.type === 'ed25519' ? 'Ed25519' : `HMAC-${verifier.algorithm.toUpperCase()}`} in ${encoding}`;
  throw unverified(
    `the header ${header} has no valid signature (${prefix}${expected}). The sender needs the secret of this webhook, and nothing may change the request on its way`,
  );
}

/** Returns a function that compares a signature with that of the content. */
function matcherOf(
  verifier: SignatureVerifier,
  secret: string,
  content: Buffer,
): (signature: Buffer) => boolean {
  if (verifier.type === 'ed25519') {
    const x = Buffer.from(secret, verifier.encoding).toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    return (signature) => verify(null, content, key, signature);
  }
  const isStandard = verifier.type === 'standard-webhooks';
  const key = isStandard ? Buffer.from(secret.replace(/^whsec_/, ''), 'base64') : secret;
  const expected = createHmac(verifier.algorithm, key).update(content).digest();
  return (signature) => signature.length === expected.length && timingSafeEqual(signature, expected);
}

function requireTime(text: string, header: string, tolerance: number, now: number): void {
  if (!/^\d{1,13}$/.test(text)) throw unverified(`the header ${header} has no time in seconds since 1970`);
  const isInMs = text.length > MAX_DIGITS_OF_SECONDS;
  if (Math.abs(now - Number(text) * (isInMs ? 1 : 1_000)) > tolerance * 1_000)
    throw unverified(
      `the time in the header ${header} is more than ${tolerance} seconds away from the time of this server. Check the clock of the sender, and send the call again instead of repeating it`,
    );
}

/** The bytes that are signed. Headers and URLs are read as the bytes that were sent. */
function contentOf(
  verifier: SignatureVerifier,
  call: VerifiableCall,
  time: string,
  { siteUrl, isPayloadInUrl = false }: Evidence,
): Buffer {
  const { signed, id_header: idHeader } = verifier;
  const url = siteUrl + call.originalUrl;
  if (signed === URL_AND_FORM) return Buffer.from(url + formContent(call));
  if (!signed.includes('{url}') && (isPayloadInUrl || queryOf(call).has('payload')))
    throw unverified('the payload is in the URL, which is not signed. Send it in the body');
  const id = idHeader === '' ? '' : headerOf(call, idHeader);
  const values: Readonly<Record<string, string>> = { '{url}': url, '{timestamp}': time, '{id}': id };
  return Buffer.concat(
    partsOf(signed).map((part) =>
      part === '{body}' ? call.body : Buffer.from(values[part] ?? part, 'latin1'),
    ),
  );
}

/** Names and values of a form, sorted by name. Twilio signs other bodies by their hash, which is in the URL. */
function formContent(call: VerifiableCall): string {
  const { body } = call;
  if (!FORM.test(String(call.headers['content-type']))) {
    const hash = createHash('sha256').update(body).digest('hex');
    if (queryOf(call).get('bodySHA256') === hash) return '';
    throw unverified('the body is neither a form, nor is its SHA-256 hash the bodySHA256 of the URL');
  }
  const fields = [...new URLSearchParams(body.toString('utf8'))];
  if (fields.length > MAX_FORM_FIELDS) throw unverified(`the form has more than ${MAX_FORM_FIELDS} fields`);
  const sorted = fields
    .sort(([a, x], [b, y]) => compare(a, b) || compare(x, y))
    .map((field) => field.join(''));
  return [...new Set(sorted)].join('');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function requireToken(
  { header, query, prefix }: TokenVerifier,
  call: VerifiableCall,
  evidence: Evidence,
): void {
  const place = header === '' ? `query parameter ${query}` : `header ${header}`;
  const sent =
    header === ''
      ? Buffer.from(queryOf(call).get(query) ?? '')
      : Buffer.from(headerOf(call, header), 'latin1');
  if (evidence.secrets.some((secret) => isEqual(sent, Buffer.from(prefix + secret)))) return;
  throw unverified(
    `the ${place} must be ${prefix === '' ? '' : `${prefix.trim()} and `}the secret of this webhook`,
  );
}

function requirePassword({ user }: BasicVerifier, call: VerifiableCall, evidence: Evidence): void {
  const [, credentials = ''] = /^basic +(\S+)$/i.exec(headerOf(call, 'Authorization')) ?? [];
  const sent = Buffer.from(credentials, 'base64');
  if (evidence.secrets.some((secret) => isEqual(sent, Buffer.from(`${user}:${secret}`)))) return;
  throw unverified('the header Authorization must be Basic, with the user and the password of this webhook');
}

function requireAddress({ networks }: IpVerifier, { ip = '' }: VerifiableCall): void {
  const address = givenAddress(ip);
  if (address && networks.some((network) => new Network(network).has(address))) return;
  throw unverified(
    'the address of the sender is in none of the networks of this webhook',
    ip && ` It is ${ip}.`,
  );
}

function headerOf({ headers }: VerifiableCall, name: string): string {
  const value = headers[name.toLowerCase()];
  if (typeof value !== 'string' || value === '') throw unverified(`the header ${name} is missing`);
  return value;
}

function queryOf({ originalUrl }: VerifiableCall): URLSearchParams {
  const [, query = ''] = /\?(.*)/s.exec(originalUrl) ?? [];
  return new URLSearchParams(query);
}

/** In constant time: the hashes have the same length. */
function isEqual(a: Buffer, b: Buffer): boolean {
  const [x, y] = [a, b].map((bytes) => createHash('sha256').update(bytes).digest()) as [Buffer, Buffer];
  return timingSafeEqual(x, y);
}
