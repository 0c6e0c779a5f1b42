import { writeFileSync } from 'node:fs';
import { CommandRefused } from '../platform/common/errors/command-refused.js';
import { runHooksFileCommand } from './hooks-file/command.js';
import { exportText } from './hooks-file/export-text.js';
import { Inventory } from './hooks-file/inventory.js';
import { KIND_NAMES } from './hooks-file/kinds.js';

/** `hookline export`: writes the webhooks that the caller can manage, and what they need, to a new YAML file. */
export const run = (): Promise<void> =>
  runHooksFileCommand('export FILE --url SERVER [--team NAME]', async (command) => {
    const { team } = command.options;
    const inventory = await Inventory.read(command.api, team === undefined ? undefined : [team], KIND_NAMES);
    if (inventory.reached.size === 0)
      throw new CommandRefused(inventory.refused.get('incoming_webhooks') ?? 'The team does not exist.');
    const { yaml, notes } = await exportText(inventory, team !== undefined);
    for (const note of notes) command.print(note, process.stderr);
    if (command.file === '-') process.stdout.write(yaml);
    else write(command.path, yaml);
    return 0;
  });

/** An existing file may have comments and references of its own, so it stays. */
function write(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: 'wx' });
  } catch (error) {
    throw new CommandRefused(`${path} cannot be written: ${(error as Error).message}.`);
  }
}
