import type { Settings } from '../platform/config/settings.js';
import { findSecretKeys, keyFile } from '../platform/secrets/secret-key.js';

type KeySettings = Pick<Settings, 'secretKey' | 'previousSecretKey' | 'dataDir'>;

/** Which keys a backup needs, and where they are. `ids` are empty if it comes from a version that did not keep them. */
export function describeKeys(ids: readonly string[], settings: KeySettings): string {
  const { secretKey, previousSecretKey, dataDir } = settings;
  const { current, previous } = findSecretKeys(secretKey, previousSecretKey, dataDir);
  const place = secretKey === undefined ? keyFile(dataDir) : 'SECRET_KEY';
  if (ids.length === 0) return `It needs the key of the server that made it (here: ${place}).`;
  const needed = `It needs the key${ids.length === 1 ? '' : 's'} ${ids.join(' and ')}`;
  const known = [current, ...previous].map((key) => key?.id);
  if (ids.every((id) => known.includes(id)))
    return `${needed}: ${current?.id === ids.at(-1) ? place : `${place} and the one before`}.`;
  return current
    ? `${needed}, but ${place} is the key ${current.id}.`
    : `${needed}, but there is no ${place}.`;
}
