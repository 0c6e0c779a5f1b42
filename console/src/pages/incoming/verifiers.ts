import type { Schemas } from '../../api/client';
import { PRESETS, type Preset } from './senders';

type Verifier = Schemas['VerifierDto'];
type Given = Schemas['GivenVerifierDto'];

/** Fields of verifiers: label, hint, and choices of which the first is the default. */
export const FIELDS: Readonly<
  Record<string, readonly [label: string, hint?: string | undefined, choices?: readonly string[]]>
> = {
  header: ['Header', 'The header with the signature or the token.'],
  query: ['Query parameter', 'Instead of a header. URLs end up in logs, so prefer a header.'],
  prefix: ['Prefix', 'What precedes the signature or the token, such as sha256=.'],
  algorithm: ['Hash', undefined, ['sha256', 'sha1', 'sha512']],
  encoding: ['Encoding', undefined, ['hex', 'base64']],
  signed: [
    'What is signed',
    'body if empty, url-and-form, or a text with {body}, {timestamp}, {id} and {url}.',
  ],
  timestamp_header: ['Header with the {timestamp}'],
  timestamp_prefix: ['Prefix of the {timestamp}', 'If it is in the header with the signature.'],
  id_header: ['Header with the {id}'],
  tolerance: ['Tolerance, in seconds', 'How old or early a {timestamp} may be. 300 if empty.'],
  user: ['User'],
  networks: ['Addresses or networks, one per line', 'Such as 203.0.113.0/24.'],
};

const TIMED = ['signed', 'timestamp_header', 'timestamp_prefix', 'id_header', 'tolerance'];

/** Ways to verify the calls of other senders: title and fields. */
export const TYPES: Readonly<Record<string, readonly [title: string, fields: readonly string[]]>> = {
  hmac: ['HMAC signature', ['header', 'algorithm', 'encoding', 'prefix', ...TIMED]],
  ed25519: ['Ed25519 signature', ['header', 'encoding', 'prefix', ...TIMED]],
  token: ['Secret token', ['header', 'query', 'prefix']],
  basic: ['User and password', ['user']],
  ip: ['IP addresses', ['networks']],
};

/** The label of a secret; undefined if there is none. */
export function secretLabel(choice: string): string | undefined {
  if (choice === '' || choice === 'ip') return undefined;
  if (choice === 'ed25519' || choice === 'telnyx') return 'Public key of the sender';
  return choice === 'basic' ? 'Password' : 'Secret';
}

/** What the fields of a form contain. */
export interface VerifierDraft {
  /** A preset or a type; empty for none. */
  readonly choice: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly secret: string;
}

export const choiceOf = (verifier: Verifier | null): string => verifier?.preset ?? verifier?.type ?? '';

export function draftOf(verifier: Verifier | null): VerifierDraft {
  const texts = Object.entries(verifier ?? {}).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join('\n') : String(value),
  ]);
  return { choice: choiceOf(verifier), fields: Object.fromEntries(texts), secret: '' };
}

/** The part of a request that changes a verifier. The secret of the previous kind is no longer valid then. */
export function verifierChange(
  before: VerifierDraft,
  { choice, fields, secret }: VerifierDraft,
): { readonly verifier?: Given | null } {
  const names = TYPES[choice]?.[1] ?? [];
  const isNew = choice !== before.choice;
  if (!isNew && names.every((name) => fields[name] === before.fields[name])) return {};
  if (choice === '') return { verifier: null };
  const given = Object.fromEntries(
    names.filter((name) => fields[name]).map((name) => [name, valueOf(name, fields[name] ?? '')]),
  );
  const kind =
    choice in TYPES ? { type: choice as NonNullable<Given['type']> } : { preset: choice as Preset };
  const hasSecret = isNew && secretLabel(choice) !== undefined;
  return { verifier: { ...kind, ...given, ...(hasSecret && { secret, rotate: false }) } };
}

function valueOf(name: string, text: string): string | number | string[] {
  if (name === 'tolerance') return Number(text);
  if (name !== 'networks') return text;
  return text.split(/[\s,]+/).filter((one) => one !== '');
}

/** What proves a call, in words. */
export function describeVerifier({ preset, type, header, query, user, networks = [] }: Verifier): string {
  const by = preset === undefined ? '' : ` of ${PRESETS[preset][0].split(',')[0]}`;
  if (type === 'ip') return `the address${by || ' of the sender'}, ${networks.join(', ')}`;
  if (type === 'basic') return `the user ${user} and a password`;
  const place = header ? `the header ${header}` : `the query parameter ${query}`;
  return `a ${type === 'token' ? 'token' : 'signature'}${by} in ${place}`;
}
