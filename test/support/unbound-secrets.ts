import { createCipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

/** Seals a text as servers before `v2` did, without its place. `material` is SECRET_KEY, or the bytes of the key file. */
export function sealUnbound(secret: string, material: string | Buffer): string {
  const key = Buffer.from(hkdfSync('sha256', material, '', 'hookline secrets 1', 32));
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  const id = createHash('sha256').update(key).digest('hex').slice(0, 8);
  return ['v1', id, Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')].join('.');
}
