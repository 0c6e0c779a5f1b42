import 'reflect-metadata';
import { Settings } from '../platform/config/settings.js';
import { fileArgument, requireFile, runCommand, say, whileStopped } from './command.js';
import { restoreEmbedded } from '../platform/database/backup/embedded-backup.js';
import { describeKeys } from './rotate-key.js';
import { restoreMysql } from '../platform/database/backup/mysql-backup.js';

/** `npm run restore -- FILE`: replaces the database with a backup, while the server is stopped. */
export const run = (): Promise<void> =>
  runCommand(async (all, args) => {
    const settings = all.get(Settings);
    const { databaseUrl, dataDir } = settings;
    const file = fileArgument(args, 'restore');
    requireFile(file);
    await whileStopped(settings, async () => {
      const { keyIds, kept } =
        databaseUrl === undefined
          ? restoreEmbedded(dataDir, file)
          : { keyIds: await restoreMysql(databaseUrl, file), kept: undefined };
      say(`${file} is restored.`);
      if (kept !== undefined) say(`The previous data is kept in ${kept}`);
      say(describeKeys(keyIds, settings));
    });
  });
