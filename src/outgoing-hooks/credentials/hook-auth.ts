import { requireCallableUrl } from '../../delivery/outbound/callable-url.js';
import { OutboundFailure } from '../../delivery/outbound/outbound-failure.js';
import { InvalidBodyParam } from '../../platform/common/errors/common-errors.js';
import { foldKeys, type JsonObject } from '../../platform/common/json.js';

interface BasicAuth {
  readonly type: 'basic';
  readonly username: string;
}

interface BearerAuth {
  readonly type: 'bearer';
}

/** The client credentials grant of OAuth 2 (RFC 6749 section 4.4). */
export interface OAuth2Auth {
  readonly type: 'oauth2';
  readonly token_url: string;
  readonly client_id: string;
  readonly scope: string;
  readonly audience: string;
  readonly token_endpoint_auth_method: (typeof CLIENT_AUTH_METHODS)[number];
}

/** How calls authenticate, as stored and shown: without the secret. */
export type HookAuth = BasicAuth | BearerAuth | OAuth2Auth;

/** `auth` in a body; an undefined secret keeps the stored one. */
export interface GivenAuth {
  readonly auth: HookAuth;
  readonly secret: string | undefined;
}

/** The names of RFC 7591. */
export const CLIENT_AUTH_METHODS = ['client_secret_basic', 'client_secret_post'] as const;
export const MAX_AUTH_TEXT = 1_000;
const MAX_TOKEN = 4_096;
export const MAX_TOKEN_URL = 1_024;
const MAX_SHOWN = 64;

interface Rule {
  readonly fallback?: string;
  readonly fault: (value: string) => string | undefined;
}

const matching = (pattern: RegExp, is: string, fallback?: string): Rule => ({
  ...(fallback !== undefined && { fallback }),
  fault: (value) => (pattern.test(value) ? undefined : `it must ${is}`),
});
const NAME = 'have 1 to 255 printable ASCII characters';
const LIMIT = `have at most ${MAX_AUTH_TEXT} printable ASCII characters`;
const SECRET = matching(/^[\x20-\x7e]{1,1024}$/, 'have 1 to 1024 printable ASCII characters');

/** The secret of each type, and the fields that are shown. */
const TYPES: Readonly<
  Record<HookAuth['type'], { readonly secret: string; readonly rule: Rule; fields: Record<string, Rule> }>
> = {
  basic: {
    secret: 'password',
    rule: SECRET,
    fields: { username: matching(/^[\x20-\x39\x3b-\x7e]{1,255}$/, `${NAME}, without a colon`) },
  },
  bearer: {
    secret: 'token',
    rule: matching(
      /^[\x21-\x7e]{1,4096}$/,
      `have 1 to ${MAX_TOKEN} printable ASCII characters, without spaces`,
    ),
    fields: {},
  },
  oauth2: {
    secret: 'client_secret',
    rule: SECRET,
    fields: {
      token_url: { fault: faultOfUrl },
      client_id: matching(/^[\x20-\x7e]{1,255}$/, NAME),
      scope: matching(/^[\x20-\x7e]{0,1000}$/, LIMIT, ''),
      audience: matching(/^[\x20-\x7e]{0,1000}$/, LIMIT, ''),
      token_endpoint_auth_method: matching(
        new RegExp(`^(?:${CLIENT_AUTH_METHODS.join('|')})$`),
        `be ${CLIENT_AUTH_METHODS.join(' or ')}`,
        'client_secret_basic',
      ),
    },
  },
};

export const AUTH_TYPES = Object.keys(TYPES);

const invalid = (field: string, reason: string) => new InvalidBodyParam(`auth.${field}`, reason);

/** The name of the secret of this kind of authentication. */
export function secretFieldOf({ type }: HookAuth): string {
  return TYPES[type].secret;
}

/** Reads the body field `auth` (docs/contract/outgoing-webhooks.md#authentication). Throws InvalidBodyParam. */
export function readAuth(body: object): GivenAuth {
  const sent = Object.entries(foldKeys(body as JsonObject)).filter(([, value]) => value !== null);
  const { type, ...given } = Object.fromEntries(sent);
  if (!isType(type)) throw invalid('type', `it must be ${AUTH_TYPES.join(', ')}`);
  const { secret: secretField, rule, fields } = TYPES[type];
  const unknown = Object.keys(given).find((name) => name !== secretField && !Object.hasOwn(fields, name));
  if (unknown !== undefined)
    throw invalid(unknown.slice(0, MAX_SHOWN), `authentication of type ${type} has no such field`);
  const read = (name: string, { fallback, fault }: Rule): string => {
    const value = given[name] ?? fallback;
    const reason = typeof value === 'string' ? fault(value) : `it must be a string`;
    if (typeof value !== 'string' || reason !== undefined) throw invalid(name, reason ?? '');
    return value;
  };
  const shown = Object.entries(fields).map(([name, each]) => [name, read(name, each)]);
  return {
    auth: { type, ...Object.fromEntries(shown) } as HookAuth,
    secret: given[secretField] === undefined ? undefined : read(secretField, rule),
  };
}

/** Whether a stored secret may serve for changed authentication: only for the same use, at the same server. */
export function canKeepSecret(stored: HookAuth, changed: HookAuth): boolean {
  if (stored.type !== 'oauth2' || changed.type !== 'oauth2') return stored.type === changed.type;
  return new URL(stored.token_url).origin === new URL(changed.token_url).origin;
}

export const secretMissing = (auth: HookAuth): InvalidBodyParam =>
  invalid(
    secretFieldOf(auth),
    'it is missing. A stored one is kept only for the same type and the same hosts',
  );

function isType(type: unknown): type is HookAuth['type'] {
  return typeof type === 'string' && Object.hasOwn(TYPES, type);
}

function faultOfUrl(text: string): string | undefined {
  if (text.length > MAX_TOKEN_URL) return `it must have at most ${MAX_TOKEN_URL} characters`;
  try {
    return requireCallableUrl(text).hash === '' ? undefined : 'The URL must not have a fragment.';
  } catch (error) {
    if (error instanceof OutboundFailure) return error.message;
    throw error;
  }
}
