import { createHash } from 'node:crypto';
import { InviteKeys, type KeyDerivation } from '../../src/remote-cluster/invite/key-derivation.js';
import { knownKeys, nameOfKey } from './invites.js';
import type { TestServer } from './test-server.js';

/**
 * Lets a server remember the keys it has derived, and those that the tests have: each costs half a second, and the
 * derivations themselves are held against the vectors elsewhere.
 */
export function rememberKeys(server: TestServer): void {
  const keys = server.app.get(InviteKeys);
  const derive = keys.derive.bind(keys);
  keys.derive = async (derivation: KeyDerivation, password: string, salt: Buffer) => {
    const name = nameOfKey(derivation, password, salt);
    const key = knownKeys.get(name) ?? (await derive(derivation, password, salt));
    knownKeys.set(name, key);
    return key;
  };
}

/**
 * For suites that are not about keys: what the server seals gets a key that costs nothing, and the tests open it with
 * the same one. Keys that the tests have derived themselves, as for the vectors, are real.
 */
export function useQuickKeys(server: TestServer): void {
  server.app.get(InviteKeys).derive = (derivation: KeyDerivation, password: string, salt: Buffer) => {
    const name = nameOfKey(derivation, password, salt);
    const key = knownKeys.get(name) ?? createHash('sha256').update(name).digest();
    knownKeys.set(name, key);
    return Promise.resolve(key);
  };
}
