import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { loadSecretKeys, type SecretKey } from './secret-key.js';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HASH_KEY_BYTES = 32;
const VERSION = 'v2';

/** A sealed text cannot be decrypted: it was sealed with another key or for another place, or modified. */
export class SecretUnreadable extends Error {
  override readonly name = 'SecretUnreadable';
}

/** The sealing key, all keys that can open texts by id, and the hash key. */
interface LoadedKeys {
  readonly key: SecretKey;
  readonly keys: ReadonlyMap<string, SecretKey>;
  readonly hashKey: Buffer;
}

/** Where a sealed text is stored; it cannot be opened for any other place. */
export interface SealedPlace {
  readonly table: string;
  readonly column: string;
  readonly id: string;
}

/**
 * Encrypts secrets for the database: AES-256-GCM (NIST SP 800-38D) with SECRET_KEY. A sealed text names its
 * key, for rotation, and is bound to its place, so that database access does not suffice to swap two.
 */
@Injectable()
export class SecretBox implements OnModuleInit {
  private loaded: LoadedKeys | undefined;

  constructor(private readonly settings: Settings) {}

  /** Runs after the database has accepted the keys, so later changes to the key file have no effect. */
  onModuleInit(): void {
    this.load();
  }

  load(): LoadedKeys {
    return (this.loaded ??= loadKeys(this.settings));
  }

  seal(secret: string, place: SealedPlace): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.load().key.key, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(bindingOf(place));
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return [
      VERSION,
      this.load().key.id,
      Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url'),
    ].join('.');
  }

  /** Whether a text is sealed in the current format with the current key. */
  isCurrent(sealed: string): boolean {
    return sealed.startsWith(`${VERSION}.${this.load().key.id}.`);
  }

  /** Decrypts the sealed text of a place. Throws SecretUnreadable. */
  open(sealed: string, place: SealedPlace): string {
    const [version, keyId, text = ''] = sealed.split('.');
    if (version !== VERSION) throw new SecretUnreadable('A stored secret has an unknown form.');
    const key = this.load().keys.get(keyId ?? '');
    if (!key) {
      throw new SecretUnreadable(
        `A stored secret was encrypted with the key ${keyId}, but SECRET_KEY is the key ${this.load().key.id}.`,
      );
    }
    try {
      const bytes = Buffer.from(text, 'base64url');
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv(CIPHER, key.key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(bindingOf(place));
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const opened = Buffer.concat([
        decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)),
        decipher.final(),
      ]);
      return opened.toString('utf8');
    } catch {
      throw new SecretUnreadable(
        'A stored secret was changed. It can be decrypted only in its own row and column.',
      );
    }
  }

  /** A base64url hash for values that are only compared. It depends on the place and on SECRET_KEY. */
  hash(text: string, place: SealedPlace): string {
    return createHmac('sha256', this.load().hashKey)
      .update(bindingOf(place))
      .update(text)
      .digest('base64url');
  }
}

function loadKeys(settings: Settings): LoadedKeys {
  const { current, previous } = loadSecretKeys(settings);
  return {
    key: current,
    keys: new Map([...previous, current].map((key) => [key.id, key])),
    hashKey: Buffer.from(hkdfSync('sha256', current.key, '', 'hookline hashes 1', HASH_KEY_BYTES)),
  };
}

/** The additional authenticated data of a sealed text. JSON keeps the parts apart. */
function bindingOf({ table, column, id }: SealedPlace): Buffer {
  return Buffer.from(JSON.stringify([VERSION, table, column, id]), 'utf8');
}
