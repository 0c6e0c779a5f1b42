import { answerOf, api } from '../api/client';
import { queries } from './services';

/** Ends the session, if it has not ended yet, and begins anew with nothing of the user left. */
export async function signOut(): Promise<void> {
  await answerOf(api.POST('/api/v4/users/logout')).catch(() => undefined); // the page shows who is signed in still
  queries.clear();
  sessionStorage.clear(); // drafts
  location.reload();
}
