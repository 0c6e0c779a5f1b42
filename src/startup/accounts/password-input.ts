import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline/promises';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { CommandRefused } from '../../platform/common/errors/command-refused.js';

const MAX_INPUT_LENGTH = 4_096;

/** Where a password is read from, such as standard input. */
export type PasswordSource = Readable & { readonly isTTY?: boolean };

/** Reads a password: typed twice at a terminal, otherwise the only line of the input. Throws CommandRefused. */
export async function readPassword(input: PasswordSource, output: Writable): Promise<string> {
  const password = input.isTTY ? await askTwice(input, output) : withoutNewline(await text(input));
  if (password === '') throw new CommandRefused('There is no password on standard input.');
  if (password.length > MAX_INPUT_LENGTH || /[\r\n]/.test(password))
    throw new CommandRefused('Standard input must have one line, the password.');
  return password;
}

function withoutNewline(line: string): string {
  return line.replace(/\r?\n$/, '');
}

/** Readline edits the line in raw mode; its own output is discarded. */
async function askTwice(input: PasswordSource, output: Writable): Promise<string> {
  const nowhere = new PassThrough().resume();
  const lines = createInterface({ input, output: nowhere, terminal: true, historySize: 0 });
  lines.on('SIGINT', () => lines.close());
  try {
    const password = await ask(lines, output, 'New password: ');
    if ((await ask(lines, output, 'Again: ')) === password) return password;
  } finally {
    lines.close();
  }
  throw new CommandRefused('The two passwords differ; nothing was changed.');
}

async function ask(lines: Interface, output: Writable, question: string): Promise<string> {
  output.write(question);
  const answer = await Promise.race([once(lines, 'line'), once(lines, 'close').then(() => undefined)]);
  output.write('\n');
  if (answer === undefined) throw new CommandRefused('No password was given; nothing was changed.');
  return String(answer[0]);
}
