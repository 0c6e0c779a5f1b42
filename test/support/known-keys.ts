import { InviteKeys, type KeyDerivation } from '../../src/remote-cluster/invite/key-derivation.js';
import { knownKeys, nameOfKey } from './invites.js';

const derive = InviteKeys.prototype.derive;

/**
 * Lets the server of this process remember the keys it has derived, and those that the tests have: each costs half a
 * second, and the derivations themselves are held against the vectors elsewhere.
 */
InviteKeys.prototype.derive = async function (derivation: KeyDerivation, password: string, salt: Buffer) {
  const name = nameOfKey(derivation, password, salt);
  const key = knownKeys.get(name) ?? (await derive.call(this, derivation, password, salt));
  knownKeys.set(name, key);
  return key;
};
