import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { loadSecretKeys, type SecretKey } from './secret-key.js';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 'v1';

/** A sealed text cannot be decrypted: it was sealed with another key or was modified. */
export class SecretUnreadable extends Error {
  override readonly name = 'SecretUnreadable';
}

/**
 * Encrypts secrets for the database: AES-256-GCM (NIST SP 800-38D) with SECRET_KEY. A sealed text names its key, so that
 * keys can be rotated.
 */
@Injectable()
export class SecretBox {
  private readonly key: SecretKey;
  private readonly keys: ReadonlyMap<string, SecretKey>;

  constructor(settings: Settings) {
    const { secretKey, previousSecretKey, dataDir } = settings;
    const { current, previous } = loadSecretKeys(secretKey, previousSecretKey, dataDir);
    this.key = current;
    this.keys = new Map([...previous, current].map((key) => [key.id, key]));
  }

  /** Encrypts a text with the current key. */
  seal(secret: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.key.key, nonce);
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return [
      VERSION,
      this.key.id,
      Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url'),
    ].join('.');
  }

  /** Whether a text is sealed with the current key. */
  isCurrent(sealed: string): boolean {
    return sealed.startsWith(`${VERSION}.${this.key.id}.`);
  }

  /** Decrypts a sealed text. Throws SecretUnreadable. */
  open(sealed: string): string {
    const [version, keyId, text = ''] = sealed.split('.');
    if (version !== VERSION) throw new SecretUnreadable('A stored secret has an unknown form.');
    const key = this.keys.get(keyId ?? '');
    if (!key) {
      throw new SecretUnreadable(
        `A stored secret was sealed under the key ${keyId}, but SECRET_KEY is the key ${this.key.id}.`,
      );
    }
    try {
      const bytes = Buffer.from(text, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', key.key, bytes.subarray(0, NONCE_BYTES));
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const opened = Buffer.concat([
        decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)),
        decipher.final(),
      ]);
      return opened.toString('utf8');
    } catch {
      throw new SecretUnreadable('A stored secret was changed.');
    }
  }
}
