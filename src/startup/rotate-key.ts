import 'reflect-metadata';
import { AppModule } from '../app.module.js';
import { Settings } from '../platform/config/settings.js';
import { dataSourceOptions } from '../platform/database/data-source.options.js';
import { openDatabase } from '../platform/database/database.module.js';
import { InstallationKeys } from '../platform/database/installation/installation-keys.js';
import { resealAll } from '../platform/database/sealed-columns.js';
import { SecretBox, SecretUnreadable } from '../platform/secrets/secret-box.js';
import {
  beginRotation,
  endRotation,
  findSecretKeys,
  keyFile,
  type KeySettings,
} from '../platform/secrets/secret-key.js';
import { runCommand, say, whileStopped } from './command.js';

/**
 * `npm run rotate-key`: re-encrypts every stored secret with a new key, while the server is stopped. The new
 * key is SECRET_KEY, with SECRET_KEY_PREVIOUS as the old one; without it, a key is generated in the data
 * folder. If interrupted, both keys remain, and the next run completes it. Undecryptable secrets are reported
 * and left alone; `--lost-key` accepts the current key although they stay unreadable.
 */
async function rotate(settings: Settings, isKeyLost: boolean): Promise<void> {
  await whileStopped(settings, async () => {
    const dataSource = await openDatabase(dataSourceOptions(settings, AppModule.declared));
    const keys = new InstallationKeys(dataSource, settings);
    try {
      if (isKeyLost) await keys.acceptLoss();
      else await beginUnder(keys, settings);
      const { count, unreadable } = await resealAll(
        dataSource,
        new SecretBox(settings),
        (sentence) => void process.stderr.write(`${sentence}\n`),
      );
      say(`${count} stored secrets are encrypted with the new key.`);
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

/** Begins a rotation; from here on both keys are needed. Throws KeyRefused. */
async function beginUnder(keys: InstallationKeys, settings: Settings): Promise<void> {
  await keys.accept();
  if (settings.secretKey !== undefined) return;
  beginRotation(settings.dataDir);
  await keys.add();
}

function lostMessage(count: number): string {
  return `${count} stored secrets are lost: regenerate the tokens of their webhooks, and create their connections again.`;
}

function unreadableMessage(count: number): string {
  return `${count} stored secrets cannot be decrypted; the old key is kept. Repair or delete them, and run this again.`;
}

export const run = (): Promise<void> =>
  runCommand((all, args) => rotate(all.get(Settings), args.includes('--lost-key')));

/** Describes which keys a backup needs and where they are. `ids` is empty for backups of older versions. */
export function describeKeys(ids: readonly string[], settings: KeySettings): string {
  const { current, previous } = findSecretKeys(settings);
  const place = settings.secretKey === undefined ? keyFile(settings.dataDir) : 'SECRET_KEY';
  if (ids.length === 0) return `It requires the key of the server that created it (here: ${place}).`;
  const needed = `It requires the key${ids.length === 1 ? '' : 's'} ${ids.join(' and ')}`;
  const known = [current, ...previous].map((key) => key?.id);
  if (ids.every((id) => known.includes(id)))
    return `${needed}: ${current?.id === ids.at(-1) ? place : `${place} and the previous one`}.`;
  return current
    ? `${needed}, but ${place} is the key ${current.id}.`
    : `${needed}, but there is no ${place}.`;
}
