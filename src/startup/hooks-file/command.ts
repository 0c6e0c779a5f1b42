import { resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { CommandRefused } from '../../platform/common/errors/command-refused.js';
import { stackOf } from '../../platform/common/errors/stack-of.js';
import { readEnvironment } from '../../platform/config/settings.js';
import { isHttpUrl, tokenFromEnvironment, withoutSlashes } from '../api-target.js';
import { type HooksFile, parseHooksFile, readFileText } from './hooks-file.js';
import { Inventory } from './inventory.js';
import { type PlanOptions, planOf, type Step } from './plan.js';
import { referencesIn } from './reference.js';
import { ServerApi } from './server-api.js';

const TEXT = { type: 'string' } as const;
/** Shorter ones are parts of words. */
const MIN_SECRET_LENGTH = 4;
const FLAG = { type: 'boolean' } as const;
const OPTIONS = { url: TEXT, team: TEXT, json: FLAG, prune: FLAG, secrets: FLAG, yes: FLAG };

/** A command about a file, with its arguments. */
export class HooksFileCommand {
  /** The file as it was typed, and its absolute path. */
  readonly file: string;
  readonly path: string;
  readonly api: ServerApi;
  readonly options: Omit<ReturnType<typeof parsed>['values'], 'url'>;
  private readonly secrets: string[] = [];

  constructor(args: readonly string[], usage: string) {
    const { positionals, values } = parsed(args, usage);
    const [file = '', ...more] = positionals;
    const isUnknown = Object.keys(values).some((name) => !usage.includes(`--${name}`));
    const { url = '', ...options } = values;
    const token = tokenFromEnvironment();
    if (file === '' || more.length > 0 || isUnknown || !isHttpUrl(url) || token === '')
      throw new CommandRefused(usage);
    this.secrets.push(token);
    this.api = new ServerApi(withoutSlashes(url), token);
    this.file = file;
    this.path = resolve(readEnvironment()['INIT_CWD'] ?? process.cwd(), file);
    this.options = options;
  }

  /** Reads the file and its secrets. Throws CommandRefused. */
  async readFile(): Promise<HooksFile> {
    const file = await parseHooksFile(this.file, readFileText(this.path));
    for (const { path, fields } of file.entries)
      for (const reference of referencesIn(fields)) {
        file.yaml.check(path, () => reference.resolve(readEnvironment(), this.path));
        if (reference.value !== undefined) this.secrets.push(reference.value);
      }
    file.yaml.refuseIfFaulty();
    return file;
  }

  /** Compares the file with the server as it is now. Throws CommandRefused. */
  async plan(file: HooksFile, { prune = false, secrets = false }: Partial<PlanOptions>): Promise<Planned> {
    const accounts = file.entries.flatMap(({ fields: { owner, bot } }) => [owner, bot]) as string[];
    const inventory = await Inventory.read(this.api, file.teams, file.kinds, accounts.filter(Boolean));
    return { steps: planOf(file, inventory, { prune, secrets }), inventory };
  }

  /** Prints a text without secrets, regardless of their source. */
  print(text: string, stream: Writable = process.stdout): void {
    const shown = this.secrets
      .filter((secret) => secret.length >= MIN_SECRET_LENGTH)
      .reduce((rest, secret) => rest.replaceAll(secret, '(secret)'), text);
    stream.write(`${shown}\n`);
  }
}

interface Planned {
  readonly steps: readonly Step[];
  readonly inventory: Inventory;
}

/** Runs a command, which returns the exit code. A failure is printed, and its exit code is 1. */
export async function runHooksFileCommand(
  usage: string,
  action: (command: HooksFileCommand) => Promise<number>,
): Promise<void> {
  let print = (text: string): void => void process.stderr.write(`${text}\n`);
  try {
    const whole = `Usage: hookline ${usage}. The variable HOOKLINE_TOKEN has the token of an account.`;
    const command = new HooksFileCommand(process.argv.slice(2), whole);
    print = (text) => command.print(text, process.stderr);
    process.exitCode = await action(command);
  } catch (error) {
    print(error instanceof CommandRefused ? error.message : stackOf(error));
    process.exitCode = 1;
  }
}

function parsed(args: readonly string[], usage: string) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new CommandRefused(`${(error as Error).message}\n${usage}`);
  }
}
