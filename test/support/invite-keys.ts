import { createHash } from 'node:crypto';
import { InviteCodec, type KeyDerivation } from '../../src/remote-cluster/invite.js';
import { knownKeys, nameOfKey } from './invites.js';
import type { TestServer } from './test-server.js';

/**
 * Makes a server cache the keys that it and the tests derive, because each takes half a second. The derivations
 * themselves are checked against test vectors elsewhere.
 */
export function rememberKeys(server: TestServer): void {
  for (const codec of server.everywhere(InviteCodec)) {
    const derive = codec.derive.bind(codec);
    codec.derive = async (derivation: KeyDerivation, password: string, salt: Buffer) => {
      const name = nameOfKey(derivation, password, salt);
      const key = knownKeys.get(name) ?? (await derive(derivation, password, salt));
      knownKeys.set(name, key);
      return key;
    };
  }
}

/**
 * For suites that do not test keys: the server encrypts with a cheap key, and the tests decrypt with the same one.
 * Keys that the tests derive themselves, as for test vectors, are real.
 */
export function useQuickKeys(server: TestServer): void {
  const derive = (derivation: KeyDerivation, password: string, salt: Buffer): Promise<Buffer> => {
    const name = nameOfKey(derivation, password, salt);
    const key = knownKeys.get(name) ?? createHash('sha256').update(name).digest();
    knownKeys.set(name, key);
    return Promise.resolve(key);
  };
  for (const codec of server.everywhere(InviteCodec)) codec.derive = derive;
}
