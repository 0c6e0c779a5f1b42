import { queries } from '../../app/services';

/** Wherever the names of accounts are kept. */
const KEYS = ['people', 'usernames', 'authors', 'teams', 'me'];

/** Reads again what tells of accounts, after one was changed. */
export async function reloadAccounts(): Promise<void> {
  await Promise.all(KEYS.map((key) => queries.invalidateQueries({ queryKey: [key] })));
}
