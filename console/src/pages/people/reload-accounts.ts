import { queries } from '../../app/services';

/** Query keys of all cached account names. */
const KEYS = ['people', 'usernames', 'authors', 'teams', 'me'];

/** Refetches all account data after a change. */
export async function reloadAccounts(): Promise<void> {
  await Promise.all(KEYS.map((key) => queries.invalidateQueries({ queryKey: [key] })));
}
