import { AppError } from '../../platform/common/errors/app-error.js';
import { CommandRefused } from '../../platform/common/errors/command-refused.js';
import type { AllSettings } from '../../platform/config/all-settings.js';
import { Settings } from '../../platform/config/settings.js';
import { LocalAccounts } from './local-accounts.js';
import { withStoppedServer } from './stopped-accounts.js';

/** A new administrator. */
export interface NewAdministrator {
  readonly username: string;
  readonly email: string;
  readonly password: string;
}

/** What the commands of the terminal do to accounts, with a running server or without one. */
export interface Accounts {
  has(username: string): Promise<boolean>;
  createAdministrator(administrator: NewAdministrator): Promise<void>;
  /** Ends all sessions of the account. Returns whether it is active. */
  resetPassword(username: string, password: string): Promise<{ isActive: boolean }>;
}

/**
 * Runs `action` on the accounts: through the socket of local mode if a server listens there, since a running server keeps
 * accounts in memory; else in the database, while no server uses it. Throws CommandRefused.
 */
export async function withAccounts<T>(
  all: AllSettings,
  action: (accounts: Accounts) => Promise<T>,
): Promise<T> {
  const { localModeSocket } = all.get(Settings);
  const local = localModeSocket === undefined ? undefined : await LocalAccounts.find(localModeSocket);
  try {
    return await (local ? action(local) : withStoppedServer(all, action));
  } catch (error) {
    throw error instanceof AppError ? new CommandRefused(error.message) : error;
  }
}
