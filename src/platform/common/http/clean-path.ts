import type { NextFunction, Response } from 'express';
import type { HttpRequest } from './http-request.js';

/** Characters that browsers read as a slash or strip, or that are invalid in a header. */
const UNSAFE = /[^!#-;=?-[\]_a-z~]/g;

/** Removes empty, `.` and `..` segments. The result begins with one slash, so it never leads to another server. */
export function cleanPath(path: string): string {
  const kept: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') kept.pop();
    else if (segment !== '' && segment !== '.') kept.push(segment);
  }
  return `/${kept.join('/')}${kept.length > 0 && path.endsWith('/') ? '/' : ''}`;
}

/** Whether `cleanPath` would change a path. */
export function isUnclean(path: string): boolean {
  return /\/(?:\/|\.{1,2}(?:\/|$))/.test(path);
}

/** Redirects unclean paths to the clean ones below the path of the site URL, as stock servers do. */
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
