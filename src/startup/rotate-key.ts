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
import { UnboundSecrets } from '../platform/secrets/unbound-secrets.js';
import { beginRotation, endRotation } from '../platform/secrets/secret-key.js';
import { explainStartFailure } from './start-failure.js';

/**
 * `npm run rotate-key`, while the server is stopped: encrypts every stored secret with a new key. That is SECRET_KEY,
 * with SECRET_KEY_PREVIOUS as the old one; without SECRET_KEY, a new key is generated in the data folder. If it is
 * interrupted, both keys remain, and the next run completes it. Secrets that cannot be decrypted are reported and left
 * as they are.
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
      const { count, unreadable } = await resealAll(dataSource, {
        box,
        unbound: new UnboundSecrets(settings.dataDir),
        prefix: '',
        onUnreadable: (sentence) => void process.stderr.write(`${sentence}\n`),
      });
      process.stdout.write(`${count} stored secrets are sealed under the new key.\n`);
      if (unreadable > 0) throw new SecretUnreadable(unreadableMessage(unreadable));
    } finally {
      await dataSource.destroy();
    }
    if (settings.secretKey === undefined) endRotation(settings.dataDir);
    else process.stdout.write('SECRET_KEY_PREVIOUS is not needed any more.\n');
  } finally {
    await lock.release();
  }
}

function unreadableMessage(count: number): string {
  return `${count} stored secrets cannot be opened; the old key is kept. Repair or delete them, and run this again.`;
}

process.umask(0o077); // only the owner may read what this process writes
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
