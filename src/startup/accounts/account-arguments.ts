import { parseArgs } from 'node:util';
import { CommandRefused } from '../../platform/common/errors/command-refused.js';

/** What a command about an account was told. */
export interface AccountArguments {
  readonly username: string;
  readonly email: string | undefined;
  /** The password is made and printed. */
  readonly isGenerated: boolean;
}

/** Reads the arguments of a command about an account, of which none is a password. Throws CommandRefused. */
export function accountArguments(args: readonly string[], usage: string): AccountArguments {
  const { positionals, values } = parsed(args, usage);
  const [username, ...more] = positionals;
  if (more.length > 0)
    throw refusal(
      usage,
      'A password is no argument, which others could see: it is asked for, or read from standard input.',
    );
  if (username === undefined || username === '') throw refusal(usage, 'Name the account.');
  if (values.email !== undefined && !usage.includes('--email'))
    throw refusal(usage, 'The address is not changed.');
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
