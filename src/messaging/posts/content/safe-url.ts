const PICTURE_SCHEMES: ReadonlySet<string> = new Set(['http', 'https']);
/** `mattermost` opens the usual clients at a place on their server. */
const LINK_SCHEMES: ReadonlySet<string> = new Set([...PICTURE_SCHEMES, 'mailto', 'tel', 'mattermost']);

/** Browsers run what follows these, or show it as if it came from the server. */
const DANGEROUS_SCHEMES: ReadonlySet<string> = new Set(['javascript', 'vbscript', 'data', 'blob']);

/** What stands before the first colon, unless a path, a query or a fragment begins earlier. */
const BEFORE_COLON = /^[^/?#:]*(?=:)/;
/** In Markdown, these hide a scheme: `java&#115;cript:`, `javascript&colon;`. */
const ENTITY_IN_FRONT = /^[^/?]*&(?:#|[a-z]+;)/i;
const NOT_OF_A_SCHEME = /[^a-z0-9+.-]/g;

/** The address if it may be followed: of a known scheme, or without any. Otherwise empty. */
export function linkUrl(url: string): string {
  return isSafe(url, (scheme) => LINK_SCHEMES.has(scheme)) ? url : '';
}

/** The address if a link in a text may lead there: of any scheme that is not dangerous. Otherwise empty. */
export function textLinkUrl(url: string): string {
  return isSafe(url, (scheme) => !DANGEROUS_SCHEMES.has(scheme)) ? url : '';
}

/** The address if it may be shown as a picture: `http`, `https`, or without scheme. Otherwise empty. */
export function pictureUrl(url: string): string {
  return isSafe(url, (scheme) => PICTURE_SCHEMES.has(scheme)) ? url : '';
}

function isSafe(url: string, isAllowed: (scheme: string) => boolean): boolean {
  if (url.startsWith('https://') || url.startsWith('http://') || url === '') return true;
  if (ENTITY_IN_FRONT.test(url)) return false;
  const front = BEFORE_COLON.exec(url)?.[0];
  if (front === undefined) return true;
  // Browsers ignore white space and control characters there.
  const scheme = front.toLowerCase().replace(NOT_OF_A_SCHEME, '');
  return isAllowed(scheme) || scheme.includes('.'); // the latter is a host with a port
}
