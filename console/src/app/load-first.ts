import { site } from '../api/site';
import { myTeams } from '../parts/team-picker';
import { router } from './router';
import { queries } from './services';
import { hasSession, me } from './session';

/** Loads at once what every page needs, and the page itself. Failures are shown where the data is used. */
export async function loadFirst(): Promise<void> {
  const isKnown = hasSession();
  if (isKnown) void queries.prefetchQuery(myTeams);
  await Promise.all([queries.prefetchQuery(me), queries.prefetchQuery(site), isKnown && router.load()]);
}
