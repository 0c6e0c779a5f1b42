const PICTURE_SCHEMES: ReadonlySet<string> = new Set(['http', 'https']);
/** `mattermost` links open the server in common client apps. */
const LINK_SCHEMES: ReadonlySet<string> = new Set([...PICTURE_SCHEMES, 'mailto', 'tel', 'mattermost']);

/** Browsers execute the content of these URLs or show it as if it came from the server. */
const DANGEROUS_SCHEMES: ReadonlySet<string> = new Set(['javascript', 'vbscript', 'data', 'blob']);

/** The text before the first colon, unless a path, query or fragment starts earlier. */
const BEFORE_COLON = /^[^/?#:]*(?=:)/;
/** Markdown entities can hide a scheme: `java&#115;cript:`, `javascript&colon;`. */
const ENTITY_IN_FRONT = /^[^/?]*&(?:#|[a-z]+;)/i;
const NOT_OF_A_SCHEME = /[^a-z0-9+.-]/g;

/** Returns the URL if it has an allowed scheme or none; otherwise an empty string. */
export function linkUrl(url: string): string {
  return isSafe(url, (scheme) => LINK_SCHEMES.has(scheme)) ? url : '';
}

/** Returns the URL if a link in a text may point to it: any scheme that is not dangerous. Otherwise empty. */
export function textLinkUrl(url: string): string {
  return isSafe(url, (scheme) => !DANGEROUS_SCHEMES.has(scheme)) ? url : '';
}

/** Returns the URL if it may be shown as an image: `http`, `https`, or no scheme. Otherwise empty. */
export function pictureUrl(url: string): string {
  return isSafe(url, (scheme) => PICTURE_SCHEMES.has(scheme)) ? url : '';
}

function isSafe(url: string, isAllowed: (scheme: string) => boolean): boolean {
  if (url.startsWith('https://') || url.startsWith('http://') || url === '') return true;
  if (ENTITY_IN_FRONT.test(url)) return false;
  const front = BEFORE_COLON.exec(url)?.[0];
  if (front === undefined) return true;
  // Browsers ignore white space and control characters in the scheme.
  const scheme = front.toLowerCase().replace(NOT_OF_A_SCHEME, '');
  return isAllowed(scheme) || scheme.includes('.'); // a dot means a host with a port
}
