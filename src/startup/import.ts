import 'reflect-metadata';
import type { AllSettings } from '../platform/config/all-settings.js';
import { CommandRefused } from '../platform/common/errors/command-refused.js';
import { runCommand } from './command.js';
import { importBulk } from './import/bulk/command.js';
import { importMattermost } from './import/mattermost/command.js';
import { importRocketChat } from './import/rocketchat/command.js';

/** What each source imports: reads its own arguments, and sets the exit code. */
const SOURCES: Readonly<Record<string, (all: AllSettings, args: readonly string[]) => Promise<void>>> = {
  mattermost: importMattermost,
  bulk: importBulk,
  rocketchat: importRocketChat,
};

/** `hookline import SOURCE …`: brings over the contents of another server, while this one is stopped. */
export const run = (): Promise<void> =>
  runCommand(async (all, [source = '', ...args]) => {
    const start = Object.hasOwn(SOURCES, source) ? SOURCES[source] : undefined;
    if (!start)
      throw new CommandRefused(`Name what to import: hookline import ${Object.keys(SOURCES).join('|')} …`);
    await start(all, args);
  });
