import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CommandRefused } from '../../platform/common/errors/command-refused.js';
import { stackOf } from '../../platform/common/errors/stack-of.js';
import { readEnvironment } from '../../platform/config/settings.js';
import { isHttpUrl, tokenFromEnvironment, withoutSlashes } from '../api-target.js';
import { Faults } from './faults.js';
import { type HooksFile, parseHooksFile, readFileText } from './hooks-file.js';
import { Inventory } from './inventory.js';
import { type PlanOptions, planOf, type Step } from './plan.js';
import { type Reference, referencesIn } from './reference.js';
import { ServerApi } from './server-api.js';

const TEXT = { type: 'string' } as const;
const FLAG = { type: 'boolean', default: false } as const;
const OPTIONS = { url: TEXT, team: TEXT, json: FLAG, prune: FLAG, secrets: FLAG, yes: FLAG };

/** A command about a file: what it was given, and what it needs. */
export class HooksFileCommand implements PlanOptions {
  /** The file as it was typed. */
  readonly file: string;
  readonly api: ServerApi;
  readonly team: string | undefined;
  readonly json: boolean;
  readonly prune: boolean;
  readonly secrets: boolean;
  readonly yes: boolean;
  private references: readonly Reference[] = [];
  private readonly token = tokenFromEnvironment();

  constructor(args: readonly string[], usage: string) {
    const { positionals, values } = parsed(args, usage);
    const [file, ...more] = positionals;
    const unknown = Object.entries(values).find(([name, value]) => value && !usage.includes(`--${name}`));
    if (file === undefined || more.length > 0 || unknown) throw new CommandRefused(usage);
    const { url = '' } = values;
    if (!isHttpUrl(url)) throw new CommandRefused(`--url must be the URL of the server.\n${usage}`);
    if (this.token === '') throw new CommandRefused('HOOKLINE_TOKEN must have the token of an account.');
    ({ team: this.team, json: this.json, prune: this.prune, secrets: this.secrets, yes: this.yes } = values);
    this.file = file;
    this.api = new ServerApi(withoutSlashes(url), this.token);
  }

  /** The file, relative to the folder it was typed in. */
  get path(): string {
    return resolve(readEnvironment()['INIT_CWD'] ?? process.cwd(), this.file);
  }

  /** Reads the file and its secrets. Throws CommandRefused. */
  async readFile(): Promise<HooksFile> {
    const faults = new Faults(this.file);
    const file = await parseHooksFile(readFileText(this.path), faults);
    this.references = referencesIn(file.entries);
    for (const reference of this.references)
      faults.catching(() => reference.resolve(readEnvironment(), this.path));
    faults.throwIfAny();
    return file;
  }

  /** Compares the file with the server as it is now. Throws CommandRefused. */
  async plan(
    file: HooksFile,
    options: PlanOptions = this,
  ): Promise<{ steps: readonly Step[]; inventory: Inventory }> {
    const accounts = file.entries.flatMap(({ fields: { owner, bot } }) => [owner, bot]);
    const usernames = accounts.filter((name) => typeof name === 'string' && name !== '') as string[];
    const inventory = await Inventory.read(this.api, file.teams.keys(), file.kinds, usernames);
    return { steps: planOf(file, inventory, options, new Faults(this.file)), inventory };
  }

  /** The text without secrets, whoever put them there. */
  redacted(text: string): string {
    const values = [this.token, ...this.references.map(({ value }) => value ?? '')].filter(
      (value) => value !== '',
    );
    return values.reduce((rest, value) => rest.replaceAll(value, '[redacted]'), text);
  }
}

/** Runs a command, which returns the exit code. A failure is printed, and its exit code is 1. */
export function runHooksFileCommand(
  usage: string,
  action: (command: HooksFileCommand) => Promise<number>,
): void {
  let command: HooksFileCommand | undefined;
  const run = async (): Promise<number> => {
    command = new HooksFileCommand(process.argv.slice(2), `Usage: hookline ${usage}`);
    return action(command);
  };
  run().then(
    (code) => (process.exitCode = code),
    (error: unknown) => {
      const text = error instanceof CommandRefused ? error.message : stackOf(error);
      process.stderr.write(`${command?.redacted(text) ?? text}\n`);
      process.exitCode = 1;
    },
  );
}

function parsed(args: readonly string[], usage: string) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new CommandRefused(`${(error as Error).message}\n${usage}`);
  }
}
