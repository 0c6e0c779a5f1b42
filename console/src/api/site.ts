import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from './client';

/** Defaults to the page's own URL if SITE_URL is not set or only works on this machine. */
let address = new URL('.', document.baseURI).href;

/** Public URL of the server, with a trailing slash. The page itself does not call this URL. */
export const siteAddress = (): string => address;

/** Loads the configured site URL, so that users do not share an internal URL they may be using. */
async function loadSite(): Promise<string> {
  const { SiteURL: site = '' } = await answerOf(api.GET('/api/v4/config/client')).catch(() => ({}) as never);
  if (URL.canParse(site) && !isLocal(new URL(site))) address = site.replace(/\/*$/, '/');
  return address;
}

/** Local URLs, such as the default of SITE_URL. */
const isLocal = ({ hostname }: URL): boolean => /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(hostname);

/** The public URL, read once. */
export const site = queryOptions({ queryKey: ['site'], queryFn: loadSite, staleTime: Infinity });
