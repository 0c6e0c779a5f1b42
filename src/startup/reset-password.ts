import 'reflect-metadata';
import { runAccountCommand } from './accounts/account-command.js';
import { forgetFirstPassword } from './initial-admin.js';

/** `hookline reset-password`: a new password for an account, whose sessions end, also while a server with local mode runs. */
export const run = (): void =>
  runAccountCommand('reset-password NAME [--generate]', async (accounts, chosen) => {
    const { username, password, dataDir } = chosen;
    const { isActive } = await accounts.resetPassword(username, password);
    forgetFirstPassword(dataDir, { username });
    const done = `${username} has a new password; the sessions of the account have ended.`;
    return isActive
      ? done
      : `${done} It is deactivated, and cannot sign in until an administrator activates it.`;
  });
