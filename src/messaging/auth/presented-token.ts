import type { IncomingHttpHeaders } from 'node:http';
import { hash } from 'node:crypto';

export interface PresentedToken {
  readonly token: string;
  readonly location: 'cookie' | 'header' | 'query';
}

export const TOKEN_COOKIE = 'MMAUTHTOKEN';
export const USER_COOKIE = 'MMUSERID';
export const CSRF_COOKIE = 'MMCSRF';

const MAX_TOKEN_LENGTH = 50;

/** The token of a request, from the first location that has one (docs/contract/conventions.md#credentials). */
export function presentedToken(headers: IncomingHttpHeaders, url: string): PresentedToken | undefined {
  const cookie = cookieValue(headers.cookie, TOKEN_COOKIE);
  if (cookie !== undefined) return { token: cut(cookie), location: 'cookie' };
  const header = /^(?:bearer|token) +(\S+)/i.exec(headers.authorization ?? '')?.[1];
  if (header !== undefined) return { token: cut(header), location: 'header' };
  const query = url.includes('access_token=')
    ? new URL(url, 'http://localhost').searchParams.get('access_token')
    : null;
  return query ? { token: cut(query), location: 'query' } : undefined;
}

export function cookieValue(header: string | undefined, name: string): string | undefined {
  for (const pair of (header ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name)
      return (
        pair
          .slice(at + 1)
          .trim()
          .replace(/^"(.*)"$/, '$1') || undefined
      );
  }
  return undefined;
}

function cut(token: string): string {
  return token.slice(0, MAX_TOKEN_LENGTH);
}

/** The hash under which a token is stored (docs/contract/messaging.md#sessions). */
export function tokenHash(token: string): string {
  return hash('sha256', token, 'hex');
}
