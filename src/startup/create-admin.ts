import 'reflect-metadata';
import { UsernameExists } from '../messaging/users/users.errors.js';
import { runAccountCommand } from './accounts/accounts.js';

/** `hookline create-admin`: creates an administrator; also works while a server with local mode runs. */
export const run = (): Promise<void> =>
  runAccountCommand('create-admin NAME [--email ADDRESS] [--generate]', async (accounts, chosen) => {
    const { username, password, email = `${username}@localhost.localdomain` } = chosen;
    if (await accounts.has(username)) throw new UsernameExists(); // the derived address would be taken too
    await accounts.createAdministrator({ username, email, password });
    return `${username} is an administrator.`;
  });
