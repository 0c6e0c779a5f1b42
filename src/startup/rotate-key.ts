import 'reflect-metadata';
import { AppModule } from '../app.module.js';
import { readSettings } from '../app.settings.js';
import { stackOf } from '../platform/common/errors/stack-of.js';
import { readEnvironment } from '../platform/config/environment.js';
import { Settings } from '../platform/config/settings.js';
import { dataSourceOptions } from '../platform/database/data-source.options.js';
import { openDatabase } from '../platform/database/database.module.js';
import { takeOwnerLock } from '../platform/database/owner-lock.js';
import { resealAll } from '../platform/database/sealed-columns.js';
import { SecretBox, SecretUnreadable } from '../platform/secrets/secret-box.js';
import { beginRotation, endRotation } from '../platform/secrets/secret-key.js';
import { explainStartFailure } from './start-failure.js';

/**
 * `npm run rotate-key`, while the server is stopped: seals every stored secret afresh. Without SECRET_KEY a new key is
 * made in the data folder; with it the new one is SECRET_KEY, and SECRET_KEY_PREVIOUS opens what is there. Whatever
 * stops it half-way, both keys are still known, and running it again finishes. So does a secret that cannot be opened:
 * it is named, and the others are sealed afresh.
 */
async function rotate(settings: Settings): Promise<void> {
  const lock = await takeOwnerLock(settings, (reason) => {
    throw reason;
  });
  try {
    if (settings.secretKey === undefined) beginRotation(settings.dataDir);
    const box = new SecretBox(settings);
    const dataSource = await openDatabase(dataSourceOptions(settings, AppModule.declared));
    try {
      let unreadable = 0;
      const count = await resealAll(dataSource, (sealed, place) => {
        try {
          return box.isCurrent(sealed) ? undefined : box.seal(box.open(sealed));
        } catch (error) {
          if (!(error instanceof SecretUnreadable)) throw error;
          process.stderr.write(`${place.table}.${place.column} of the row ${place.id}: ${error.message}\n`);
          unreadable++;
          return undefined;
        }
      });
      process.stdout.write(`${count} stored secrets are sealed under the new key.\n`);
      if (unreadable > 0) throw new SecretUnreadable(leftOver(unreadable));
    } finally {
      await dataSource.destroy();
    }
    if (settings.secretKey === undefined) endRotation(settings.dataDir);
    else process.stdout.write('SECRET_KEY_PREVIOUS is not needed any more.\n');
  } finally {
    await lock.release();
  }
}

function leftOver(count: number): string {
  return `${count} stored secrets cannot be opened; the old key is kept. Mend or delete them, and run this again.`;
}

process.umask(0o077); // what this process writes is its owner's alone
let settings: Settings | undefined;
try {
  settings = readSettings(readEnvironment()).get(Settings);
} catch (error) {
  fail(error);
}
if (settings) rotate(settings).catch(fail);

function fail(error: unknown): void {
  const stack = stackOf(error);
  process.stderr.write(`${explainStartFailure(error, settings) ?? stack}\n`);
  process.exitCode = 1;
}
