import { answerOf, api } from '../api/client';
import { forgetRecent } from './recent';
import { queries } from './services';

/** Ends the session if it is still active, and reloads without any data of the user. */
export async function signOut(): Promise<void> {
  await answerOf(api.POST('/api/v4/users/logout')).catch(() => undefined); // the reload shows if it failed
  queries.clear();
  sessionStorage.clear(); // drafts
  forgetRecent();
  location.reload();
}
