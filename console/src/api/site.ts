import { answerOf, api } from './client';

/** The page's own address stands for one that nobody has set, or that leads nowhere from another machine. */
let address = new URL('.', document.baseURI).href;

/** Where programs find the server, with a slash at its end. Not where the page calls it. */
export const siteAddress = (): string => address;

/** Learns the address that the server was given; who reads this page by another one, as within a network, shall not pass that on. */
export async function learnSite(): Promise<string> {
  const { SiteURL: site = '' } = await answerOf(api.GET('/api/v4/config/client')).catch(() => ({}) as never);
  if (URL.canParse(site) && !isLocal(new URL(site))) address = site.replace(/\/*$/, '/');
  return address;
}

/** Also what SITE_URL is by default. */
const isLocal = ({ hostname }: URL): boolean => /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
