import { newId } from '../../platform/common/ids.js';
import { Settings } from '../../platform/config/settings.js';
import { runCommand, say } from '../command.js';
import { accountArguments } from './account-arguments.js';
import { type Accounts, withAccounts } from './accounts.js';
import { readPassword } from './password-input.js';

/** The account that a command is about. */
interface Chosen {
  readonly username: string;
  readonly email: string | undefined;
  readonly password: string;
  readonly dataDir: string;
}

/** Runs a command that gives an account a password. `change` returns what is to be said. */
export function runAccountCommand(
  usage: string,
  change: (accounts: Accounts, chosen: Chosen) => Promise<string>,
): void {
  runCommand(async (all, args) => {
    const { username, email, isGenerated } = accountArguments(args, usage);
    const password = isGenerated ? newId() : await readPassword(process.stdin, process.stderr);
    const { dataDir } = all.get(Settings);
    say(await withAccounts(all, (accounts) => change(accounts, { username, email, password, dataDir })));
    if (isGenerated) say(`Password: ${password}`);
  });
}
