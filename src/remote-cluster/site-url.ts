const MAX_LENGTH = 512;

/** Whether a peer may say that it is there: an absolute http or https URL without credentials, query and fragment. */
export function isPeerUrl(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > MAX_LENGTH || !/^https?:\/\/[^/?#\\\s]/.test(value))
    return false;
  // eslint-disable-next-line no-control-regex -- what a URL parser would strip in silence must not get that far
  if (/[\u0000-\u0020\u007f\\]/.test(value) || !URL.canParse(value)) return false;
  const url = new URL(value);
  return url.hostname !== '' && url.username === '' && url.password === '' && !/[?#@]/.test(value);
}

/** The form in which a site URL is told and stored: without slashes at its end. */
export function trimSiteUrl(siteUrl: string): string {
  return siteUrl.replace(/\/+$/, '');
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
