import type { NextFunction, Response } from 'express';
import type { HttpRequest } from './http-request.js';

/** What browsers read as a slash or leave out, and what has no place in a header. */
const UNSAFE = /[^!#-;=?-[\]_a-z~]/g;

/**
 * A path without empty segments and without `.` and `..`, as clients would resolve it; escaped slashes and dots stay. It
 * begins with a single slash, so that a redirect to it never leaves the server.
 */
export function cleanPath(path: string): string {
  const kept: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') kept.pop();
    else if (segment !== '' && segment !== '.') kept.push(segment);
  }
  return `/${kept.join('/')}${kept.length > 0 && path.endsWith('/') ? '/' : ''}`;
}

/** Whether a path is not what `cleanPath` makes of it. */
export function isUnclean(path: string): boolean {
  return /\/(?:\/|\.{1,2}(?:\/|$))/.test(path);
}

/** Redirects paths that are not clean to the clean ones, as stock servers do, below the path of the site. */
export function redirectToCleanPath(
  siteUrl: string | undefined,
): (request: HttpRequest, response: Response, next: NextFunction) => void {
  const base = siteUrl === undefined ? '' : cleanPath(new URL(siteUrl).pathname).replace(/\/$/, '');
  return ({ url }, response, next) => {
    const end = url.indexOf('?');
    const path = end < 0 ? url : url.slice(0, end);
    if (!isUnclean(path)) return next();
    const target = `${base}${cleanPath(path)}${end < 0 ? '' : url.slice(end)}`;
    response.statusCode = 301;
    response.setHeader('Location', target.replace(UNSAFE, escaped));
    response.setHeader('Content-Length', 0);
    response.end();
  };
}

function escaped(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}
