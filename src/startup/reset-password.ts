import 'reflect-metadata';
import { runAccountCommand } from './accounts/accounts.js';
import { forgetFirstPassword } from './private-file.js';

/** `hookline reset-password`: sets a password and ends all sessions; also while a local mode server runs. */
export const run = (): Promise<void> =>
  runAccountCommand('reset-password NAME [--generate]', async (accounts, chosen) => {
    const { username, password, dataDir } = chosen;
    const { isActive } = await accounts.resetPassword(username, password);
    forgetFirstPassword(dataDir, { username });
    const done = `${username} has a new password; the sessions of the account have ended.`;
    return isActive
      ? done
      : `${done} It is deactivated, and cannot sign in until an administrator activates it.`;
  });
