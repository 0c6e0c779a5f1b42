import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { readSettings } from '../app.settings.js';
import { CommandRefused } from '../platform/common/errors/command-refused.js';
import { stackOf } from '../platform/common/errors/stack-of.js';
import type { AllSettings } from '../platform/config/all-settings.js';
import { readEnvironment, Settings } from '../platform/config/settings.js';
import { takeOwnerLockAlone } from '../platform/database/owner-lock.js';
import { explainStartFailure } from './start-failure.js';

/** Runs a CLI command with the server's settings. On failure, prints one sentence and exits with code 1. */
export async function runCommand(
  command: (all: AllSettings, args: readonly string[]) => Promise<void>,
): Promise<void> {
  process.umask(0o077); // only the owner may read what this process writes
  let settings: Settings | undefined;
  try {
    const all = readSettings(readEnvironment());
    settings = all.get(Settings);
    await command(all, process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${explainStartFailure(error, settings) ?? stackOf(error)}\n`);
    process.exitCode = 1;
  }
}

/** The only file argument, relative to the directory it was typed in. Throws CommandRefused. */
export function fileArgument(args: readonly string[], command: string): string {
  const [file, ...more] = args;
  if (file === undefined || file === '' || file.startsWith('-') || more.length > 0)
    throw new CommandRefused(`Name one file: npm run ${command} -- FILE`);
  return resolve(readEnvironment()['INIT_CWD'] ?? process.cwd(), file);
}

/** Throws CommandRefused if the file exists or its folder is not writable. */
export function requireNewFile(file: string): void {
  if (existsSync(file))
    throw new CommandRefused(`${file} already exists; a backup does not overwrite files.`);
  const folder = dirname(file);
  try {
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw new CommandRefused(
      `The folder ${folder} cannot be written: ${(error as NodeJS.ErrnoException).code}.`,
    );
  }
}

/** Throws CommandRefused unless the file exists. */
export function requireFile(file: string): void {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile())
    throw new CommandRefused(`The file ${file} does not exist.`);
}

/** Runs `action` while no server uses the database. Throws DatabaseOwned. */
export async function whileStopped(settings: Settings, action: () => Promise<void>): Promise<void> {
  const lock = await takeOwnerLockAlone(settings);
  try {
    await action();
  } finally {
    await lock.release();
  }
}

export const say = (line: string): void => void process.stdout.write(`${line}\n`);
