import { parseArgs } from 'node:util';
import { AppError } from '../../platform/common/errors/app-error.js';
import { CommandRefused } from '../../platform/common/errors/command-refused.js';
import type { AllSettings } from '../../platform/config/all-settings.js';
import { Settings } from '../../platform/config/settings.js';
import { LocalAccounts } from './local-accounts.js';
import { withStoppedAccounts } from './stopped-accounts.js';
import { newId } from '../../platform/common/ids.js';
import { runCommand, say } from '../command.js';
import { readPassword } from './password-input.js';

/** A new administrator. */
export interface NewAdministrator {
  readonly username: string;
  readonly email: string;
  readonly password: string;
}

/** Account operations of the CLI commands, with or without a running server. */
export interface Accounts {
  has(username: string): Promise<boolean>;
  createAdministrator(administrator: NewAdministrator): Promise<void>;
  /** Ends all sessions of the account. Returns whether it is active. */
  resetPassword(username: string, password: string): Promise<{ isActive: boolean }>;
}

/** Runs `action` through the local mode socket of a running server, else in the database. Throws CommandRefused. */
async function withAccounts<T>(all: AllSettings, action: (accounts: Accounts) => Promise<T>): Promise<T> {
  const { localModeSocket } = all.get(Settings);
  const local = localModeSocket === undefined ? undefined : await LocalAccounts.find(localModeSocket);
  try {
    return await (local ? action(local) : withStoppedAccounts(all, action));
  } catch (error) {
    throw error instanceof AppError ? new CommandRefused(error.message) : error;
  }
}

interface AccountArguments {
  readonly username: string;
  readonly email: string | undefined;
  readonly isGenerated: boolean;
}

/** Parses the arguments of an account command; a password is never one of them. Throws CommandRefused. */
export function accountArguments(args: readonly string[], usage: string): AccountArguments {
  const { positionals, values } = parsed(args, usage);
  const [username, ...more] = positionals;
  if (more.length > 0)
    throw refusal(
      usage,
      'A password cannot be an argument, because others could see it: enter it at the prompt or on standard input.',
    );
  if (username === undefined || username === '') throw refusal(usage, 'The account name is missing.');
  if (values.email !== undefined && !usage.includes('--email'))
    throw refusal(usage, 'The e-mail address cannot be changed.');
  return { username: username.toLowerCase(), email: values.email, isGenerated: values.generate };
}

function parsed(args: readonly string[], usage: string) {
  try {
    const options = { generate: { type: 'boolean', default: false }, email: { type: 'string' } } as const;
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    throw refusal(usage, (error as Error).message);
  }
}

function refusal(usage: string, reason: string): CommandRefused {
  return new CommandRefused(`${reason}\nUsage: hookline ${usage}`);
}

interface Chosen {
  readonly username: string;
  readonly email: string | undefined;
  readonly password: string;
  readonly dataDir: string;
}

/** Runs a command that sets the password of an account. `change` returns the line to print. */
export function runAccountCommand(
  usage: string,
  change: (accounts: Accounts, chosen: Chosen) => Promise<string>,
): Promise<void> {
  return runCommand(async (all, args) => {
    const { username, email, isGenerated } = accountArguments(args, usage);
    const password = isGenerated ? newId() : await readPassword(process.stdin, process.stderr);
    const { dataDir } = all.get(Settings);
    say(await withAccounts(all, (accounts) => change(accounts, { username, email, password, dataDir })));
    if (isGenerated) say(`Password: ${password}`);
  });
}
