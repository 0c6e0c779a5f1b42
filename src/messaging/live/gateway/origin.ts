/**
 * Whether a page of `origin` may connect: its host must be that of the request or of the site URL. Programs send no
 * origin, and may connect. Without this check, any site could use a visitor's cookie. Of a site with TLS, a page without TLS
 * is somebody else's: whoever is in between can make it.
 */
export function isOwnOrigin(
  origin: string | undefined,
  host: string | undefined,
  siteUrl: string | undefined,
): boolean {
  if (origin === undefined) return true;
  const page = parse(origin);
  if (!page) return false;
  const site = siteUrl === undefined ? undefined : parse(siteUrl);
  if (site?.protocol === 'https:' && page.hostname === site.hostname && page.protocol === 'http:')
    return false;
  if (host !== undefined && parse(`${page.protocol}//${host}`)?.host === page.host) return true;
  return site !== undefined && site.host === page.host;
}

function parse(url: string): URL | undefined {
  try {
    const parsed = new URL(url);
    return parsed.protocol === 'http:' || parsed.protocol === 'https:' ? parsed : undefined;
  } catch {
    return undefined;
  }
}
