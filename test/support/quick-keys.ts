import { createHash } from 'node:crypto';
import { InviteKeys, type KeyDerivation } from '../../src/remote-cluster/invite/key-derivation.js';
import { knownKeys, nameOfKey } from './invites.js';

/**
 * For suites that are not about keys: what the server of this process seals gets a key that costs nothing, and the
 * tests open it with the same one. Keys that the tests have derived themselves, as for the vectors, are real.
 */
InviteKeys.prototype.derive = function (derivation: KeyDerivation, password: string, salt: Buffer) {
  const name = nameOfKey(derivation, password, salt);
  const key = knownKeys.get(name) ?? createHash('sha256').update(name).digest();
  knownKeys.set(name, key);
  return Promise.resolve(key);
};
