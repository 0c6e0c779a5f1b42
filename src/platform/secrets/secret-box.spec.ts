import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Settings } from '../config/settings.js';
import { SecretBox, SecretUnreadable } from './secret-box.js';
import { createSecretKey, SecretKeyUnusable } from './secret-key.js';

const KEY = 'a key of sixteen characters or more';
const PLACE = { table: 'hooks', column: 'sealed_token', id: 'one' };
const boxOf = (env: Record<string, string>): SecretBox => new SecretBox(new Settings(env));

describe('SecretBox', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'hookline-secrets-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('decrypts its own ciphertexts, and never encrypts the same way twice', () => {
    const box = boxOf({ SECRET_KEY: KEY });
    const sealed = box.seal('größer 🚀', PLACE);
    expect(box.open(sealed, PLACE)).toBe('größer 🚀');
    const bytes = Buffer.from(sealed.slice(sealed.lastIndexOf('.') + 1), 'base64url');
    expect(bytes.includes('größer')).toBe(false);
    expect(box.seal('größer 🚀', PLACE)).not.toBe(sealed);
  });

  it('hashes a text for its place with the key', () => {
    const hash = boxOf({ SECRET_KEY: KEY }).hash('10.0.0.1', PLACE);
    expect(hash).toMatch(/^[\w-]{43}$/);
    expect(boxOf({ SECRET_KEY: KEY }).hash('10.0.0.1', PLACE)).toBe(hash);
    for (const other of [
      boxOf({ SECRET_KEY: KEY }).hash('10.0.0.2', PLACE),
      boxOf({ SECRET_KEY: KEY }).hash('10.0.0.1', { ...PLACE, id: 'two' }),
      boxOf({ SECRET_KEY: `${KEY}!` }).hash('10.0.0.1', PLACE),
    ])
      expect(other).not.toBe(hash);
  });

  it('does not decrypt changed ciphertexts or those of another key', () => {
    const box = boxOf({ SECRET_KEY: KEY });
    const sealed = box.seal('secret', PLACE);
    const last = sealed.at(-2) === 'A' ? 'B' : 'A';
    expect(() => box.open(`${sealed.slice(0, -2)}${last}${sealed.at(-1)}`, PLACE)).toThrow(SecretUnreadable);
    expect(() => box.open('', PLACE)).toThrow(SecretUnreadable);
    expect(() => box.open('v3.x.y', PLACE)).toThrow(SecretUnreadable);
    expect(() => boxOf({ SECRET_KEY: `${KEY}!` }).open(sealed, PLACE)).toThrow(/was encrypted with the key/);
  });

  it('decrypts a text only for its own table, column and row', () => {
    const box = boxOf({ SECRET_KEY: KEY });
    const sealed = box.seal('secret', PLACE);
    const others = [
      { table: 'peers' },
      { column: 'sealed_secret' },
      { id: 'two' },
      { column: '', id: 'sealed_tokenone' },
    ];
    for (const other of others)
      expect(() => box.open(sealed, { ...PLACE, ...other })).toThrow(/only in its own row and column/);
  });

  it('refuses a shortened tag', () => {
    const box = boxOf({ SECRET_KEY: KEY });
    const [version, key, text = ''] = box.seal('', PLACE).split('.');
    const bytes = Buffer.from(text, 'base64url');
    expect(box.open([version, key, bytes.toString('base64url')].join('.'), PLACE)).toBe('');
    for (const length of [12, 13, 16, 24, 27]) {
      const short = [version, key, bytes.subarray(0, length).toString('base64url')].join('.');
      expect(() => box.open(short, PLACE)).toThrow(SecretUnreadable);
    }
  });

  it('creates a key file once, readable by its owner only', () => {
    createSecretKey(folder);
    const sealed = boxOf({ DATA_DIR: folder }).seal('secret', PLACE);
    createSecretKey(folder);
    expect(boxOf({ DATA_DIR: folder }).open(sealed, PLACE)).toBe('secret');
    expect(statSync(path.join(folder, 'secret.key')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['secret.key']);
  });

  it('refuses a damaged key file', () => {
    writeFileSync(path.join(folder, 'secret.key'), 'abc');
    expect(() => boxOf({ DATA_DIR: folder }).load()).toThrow(SecretKeyUnusable);
  });
});
