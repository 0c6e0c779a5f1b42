import { isIP } from 'node:net';
import type { Settings } from '../platform/config/settings.js';
import { siteUrlMissing } from './remote-clusters.errors.js';

const MAX_LENGTH = 512;
const MAX_HOST_LENGTH = 253;
/** One label of a host name as URLs spell it: lower case, with other scripts in punycode. */
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** Whether a peer may have this address: an absolute http or https URL without credentials, query or fragment. */
export function isPeerUrl(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > MAX_LENGTH || !/^https?:\/\/[^/?#\\\s]/i.test(value))
    return false;
  // eslint-disable-next-line no-control-regex -- URL parsers silently strip these characters
  if (/[\u0000-\u0020\u007f\\]/.test(value) || !URL.canParse(value)) return false;
  const url = new URL(value);
  return isHost(url.hostname) && url.username === '' && url.password === '' && !/[?#@]/.test(value);
}

/** The host of a URL without brackets and without a trailing dot. */
export function plainHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

/** Whether this is a valid host name or address. URL parsers also accept `a..b` and `*.x`. */
function isHost(hostname: string): boolean {
  const host = plainHost(hostname);
  if (isIP(host) !== 0) return true;
  return host.length <= MAX_HOST_LENGTH && host.split('.').every((label) => LABEL.test(label));
}

/** The form in which a site URL is sent and stored: scheme in lower case, no trailing slashes. */
export function trimSiteUrl(siteUrl: string): string {
  return siteUrl.replace(/^https?:/i, (scheme) => scheme.toLowerCase()).replace(/(?<!\/)\/+$/, '');
}

/** Whether two URLs name the same site, regardless of spelling. */
export function isSameSite(a: string, b: string): boolean {
  const [first, second] = [new URL(a), new URL(b)];
  return first.origin === second.origin && trimSiteUrl(first.pathname) === trimSiteUrl(second.pathname);
}

/** The URL of a call to a peer. */
export function peerApiUrl(siteUrl: string, path: string): string {
  return `${trimSiteUrl(siteUrl)}/api/v4/remotecluster/${path}`;
}

/** The address at which peers reach this server. Throws `siteUrlMissing`. */
export function requireOwnSiteUrl({ siteUrl }: Pick<Settings, 'siteUrl'>): string {
  if (siteUrl === undefined) throw siteUrlMissing();
  return trimSiteUrl(siteUrl);
}
