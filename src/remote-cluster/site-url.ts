import { isIP } from 'node:net';

const MAX_LENGTH = 512;
const MAX_HOST_LENGTH = 253;
/** Of names as URLs spell them: small letters, other scripts as punycode. */
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** Whether a peer may say that it is there: an absolute http or https URL without credentials, query and fragment. */
export function isPeerUrl(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > MAX_LENGTH || !/^https?:\/\/[^/?#\\\s]/i.test(value))
    return false;
  // eslint-disable-next-line no-control-regex -- what a URL parser would strip in silence must not get that far
  if (/[\u0000-\u0020\u007f\\]/.test(value) || !URL.canParse(value)) return false;
  const url = new URL(value);
  return isHost(url.hostname) && url.username === '' && url.password === '' && !/[?#@]/.test(value);
}

/** The host of a URL without brackets and without the dot that may end a name. */
export function plainHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

/** Whether a server can have that name or address: URLs take `a..b` and `*.x` as well. */
function isHost(hostname: string): boolean {
  const host = plainHost(hostname);
  if (isIP(host) !== 0) return true;
  return host.length <= MAX_HOST_LENGTH && host.split('.').every((label) => LABEL.test(label));
}

/** The form in which a site URL is told and stored: its scheme in small letters, without slashes at its end. */
export function trimSiteUrl(siteUrl: string): string {
  return siteUrl.replace(/^https?:/i, (scheme) => scheme.toLowerCase()).replace(/\/+$/, '');
}

/** Whether two URLs name the same site, whatever their spelling. */
export function isSameSite(a: string, b: string): boolean {
  const [first, second] = [new URL(a), new URL(b)];
  return first.origin === second.origin && trimSiteUrl(first.pathname) === trimSiteUrl(second.pathname);
}

/** An address of a peer's API. */
export function peerApiUrl(siteUrl: string, path: string): string {
  return `${trimSiteUrl(siteUrl)}/api/v4/remotecluster/${path}`;
}
