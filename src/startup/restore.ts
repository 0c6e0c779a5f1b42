import 'reflect-metadata';
import { Settings } from '../platform/config/settings.js';
import { fileArgument, requireFile, runCommand, say, whileStopped } from './command.js';
import { restoreEmbedded } from '../platform/database/backup/embedded-backup.js';
import { describeKeys } from './key-names.js';
import { restoreMysql } from '../platform/database/backup/mysql-backup.js';

/** `npm run restore -- FILE`, while the server is stopped: puts a backup in the place of the database. */
export const run = (): void =>
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
      if (kept !== undefined) say(`What was there before is kept: ${kept}`);
      say(describeKeys(keyIds, settings));
    });
  });
