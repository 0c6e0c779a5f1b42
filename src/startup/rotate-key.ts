import 'reflect-metadata';
import { AppModule } from '../app.module.js';
import { Settings } from '../platform/config/settings.js';
import { dataSourceOptions } from '../platform/database/data-source.options.js';
import { openDatabase } from '../platform/database/database.module.js';
import { InstallationKeys } from '../platform/database/installation/installation-keys.js';
import { resealAll } from '../platform/database/sealed-columns.js';
import { SecretBox, SecretUnreadable } from '../platform/secrets/secret-box.js';
import { UnboundSecrets } from '../platform/secrets/unbound-secrets.js';
import { beginRotation, endRotation } from '../platform/secrets/secret-key.js';
import { runCommand, say, whileStopped } from './command.js';

/**
 * `npm run rotate-key`, while the server is stopped: encrypts every stored secret with a new key. That is SECRET_KEY,
 * with SECRET_KEY_PREVIOUS as the old one; without SECRET_KEY, a new key is generated in the data folder. If it is
 * interrupted, both keys remain, and the next run completes it. Secrets that cannot be decrypted are reported and left
 * as they are. With `--lost-key` the present key takes over, though what was sealed under another one stays unreadable.
 */
async function rotate(settings: Settings, isKeyLost: boolean): Promise<void> {
  await whileStopped(settings, async () => {
    const dataSource = await openDatabase(dataSourceOptions(settings, AppModule.declared));
    const keys = new InstallationKeys(dataSource, settings);
    try {
      if (isKeyLost) await keys.acceptLoss();
      else await beginUnder(keys, settings);
      const { count, unreadable } = await resealAll(dataSource, {
        box: new SecretBox(settings),
        unbound: new UnboundSecrets(settings.dataDir),
        prefix: '',
        onUnreadable: (sentence) => void process.stderr.write(`${sentence}\n`),
      });
      say(`${count} stored secrets are sealed under the new key.`);
      if (unreadable > 0 && !isKeyLost) throw new SecretUnreadable(unreadableMessage(unreadable));
      await keys.forgetOthers();
      if (unreadable > 0) say(lostMessage(unreadable));
    } finally {
      await dataSource.destroy();
    }
    if (settings.secretKey === undefined) endRotation(settings.dataDir);
    else say('SECRET_KEY_PREVIOUS is not needed any more.');
  });
}

/** From here on both keys are needed. Throws KeyRefused. */
async function beginUnder(keys: InstallationKeys, settings: Settings): Promise<void> {
  await keys.accept();
  if (settings.secretKey !== undefined) return;
  beginRotation(settings.dataDir);
  await keys.add();
}

function lostMessage(count: number): string {
  return `${count} stored secrets are lost: regenerate the tokens of their webhooks, and make their connections again.`;
}

function unreadableMessage(count: number): string {
  return `${count} stored secrets cannot be opened; the old key is kept. Repair or delete them, and run this again.`;
}

export const run = (): void =>
  runCommand((all, args) => rotate(all.get(Settings), args.includes('--lost-key')));
