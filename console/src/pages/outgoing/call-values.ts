import type { Schemas } from '../../api/client';
import type { Explanation } from '../../parts/form';
import type { OutgoingHook } from './outgoing-queries';

interface AuthInput {
  readonly label: string;
  readonly isSecret?: boolean;
  readonly isOptional?: boolean;
  readonly choices?: readonly string[];
}

/** The kinds of authentication, with their fields as in the API. */
export const AUTH_TYPES: Readonly<
  Record<string, { readonly title: string; readonly inputs: Readonly<Record<string, AuthInput>> }>
> = {
  basic: {
    title: 'User and password',
    inputs: { username: { label: 'User' }, password: { label: 'Password', isSecret: true } },
  },
  bearer: { title: 'Bearer token', inputs: { token: { label: 'Token', isSecret: true } } },
  oauth2: {
    title: 'OAuth 2, client credentials',
    inputs: {
      token_url: { label: 'Token endpoint' },
      client_id: { label: 'Client ID' },
      client_secret: { label: 'Client secret', isSecret: true },
      scope: { label: 'Scope', isOptional: true },
      audience: { label: 'Audience', isOptional: true },
      token_endpoint_auth_method: {
        label: 'Send the client secret as',
        choices: ['client_secret_basic', 'client_secret_post'],
      },
    },
  },
};

/** What calls carry in addition to the payload, and how fast they are made, as typed. */
export interface CallValues {
  readonly plain_headers: string;
  readonly secret_headers: string;
  readonly auth_type: string;
  readonly auth_fields: Readonly<Record<string, string>>;
  readonly ordering: '' | 'channel';
  readonly requests_per_second: number;
}

export function callValuesOf(hook: OutgoingHook | undefined): CallValues {
  const headers = hook?.headers ?? [];
  const { type = '', ...fields } = hook?.auth ?? {};
  return {
    plain_headers: headers.flatMap((one) => (one.secret ? [] : `${one.name}: ${one.value}`)).join('\n'),
    secret_headers: headers.flatMap((one) => (one.secret ? one.name : [])).join('\n'),
    auth_type: type,
    auth_fields: fields as Record<string, string>,
    ordering: hook?.ordering === 'channel' ? 'channel' : '',
    requests_per_second: hook?.requests_per_second ?? 0,
  };
}

/** The fields of the API. A secret that was not typed is kept. */
export function callBodyOf(values: CallValues) {
  const { auth_type: type, auth_fields: fields, ordering, requests_per_second } = values;
  const names = Object.keys(AUTH_TYPES[type]?.inputs ?? {});
  const typed = names.filter((name) => (fields[name] ?? '') !== '').map((name) => [name, fields[name]]);
  return {
    headers: [...headersIn(values.plain_headers, false), ...headersIn(values.secret_headers, true)],
    auth: type === '' ? null : ({ type, ...Object.fromEntries(typed) } as Schemas['GivenAuthDto']),
    ordering,
    requests_per_second,
  };
}

/** A refusal of authentication concerns the field that it names after `auth.`. */
export function authRefusal(error: Error): Explanation | undefined {
  const [, field] = /\bauth\.(\w+)/.exec(error.message) ?? [];
  return field === undefined ? undefined : { field: `auth.${field}` };
}

function headersIn(text: string, secret: boolean) {
  return text.split('\n').flatMap((line) => {
    const [name = '', ...rest] = line.split(':');
    const value = rest.join(':').trim();
    return line.trim() === '' ? [] : [{ name: name.trim(), secret, ...(value !== '' && { value }) }];
  });
}

/** The non-empty lines of a text. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
