import 'reflect-metadata';
import { statSync } from 'node:fs';
import { Settings } from '../platform/config/settings.js';
import { fileArgument, requireNewFile, runCommand, say } from './command.js';
import { backUpEmbedded } from '../platform/database/backup/embedded-backup.js';
import { describeKeys } from './rotate-key.js';
import { backUpMysql } from '../platform/database/backup/mysql-backup.js';

/** `npm run backup -- FILE`: copies the database consistently to a new file, even while the server runs. */
export const run = (): Promise<void> =>
  runCommand(async (all, args) => {
    const settings = all.get(Settings);
    const { databaseUrl, dataDir } = settings;
    const file = fileArgument(args, 'backup');
    requireNewFile(file);
    const keyIds =
      databaseUrl === undefined ? backUpEmbedded(dataDir, file) : await backUpMysql(databaseUrl, file);
    say(`The backup is ${file} (${statSync(file).size} bytes).`);
    say(describeKeys(keyIds, settings));
    say(
      'Back up the key as well, in another place: without it, tokens, signing secrets and secure connections are lost.',
    );
  });
