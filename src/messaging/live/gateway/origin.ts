/**
 * Whether a page of `origin` may connect: one of this server itself, by the address it was asked at or by the address
 * it is known by. Programs send no origin. Without this check any site could use the cookie of a visitor.
 */
export function isOwnOrigin(
  origin: string | undefined,
  host: string | undefined,
  siteUrl: string | undefined,
): boolean {
  if (origin === undefined) return true;
  const asking = parse(origin);
  if (!asking) return false;
  if (host !== undefined && parse(`${asking.protocol}//${host}`)?.host === asking.host) return true;
  const site = siteUrl === undefined ? undefined : parse(siteUrl);
  return site !== undefined && site.host === asking.host;
}

function parse(url: string): URL | undefined {
  try {
    const parsed = new URL(url);
    return parsed.protocol === 'http:' || parsed.protocol === 'https:' ? parsed : undefined;
  } catch {
    return undefined;
  }
}
