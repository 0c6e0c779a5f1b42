import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Settings } from '../config/settings.js';
import { SecretBox, SecretUnreadable } from './secret-box.js';
import { SecretKeyUnusable } from './secret-key.js';

const KEY = 'a key of sixteen characters or more';
const boxOf = (env: Record<string, string>): SecretBox => new SecretBox(new Settings(env));

describe('SecretBox', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'hookline-secrets-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('opens what it has sealed, and seals nothing twice the same way', () => {
    const box = boxOf({ SECRET_KEY: KEY });
    const sealed = box.seal('größer 🚀');
    expect(box.open(sealed)).toBe('größer 🚀');
    expect(sealed).not.toContain('gr');
    expect(box.seal('größer 🚀')).not.toBe(sealed);
  });

  it('opens nothing that was changed, or sealed under another key', () => {
    const box = boxOf({ SECRET_KEY: KEY });
    const sealed = box.seal('secret');
    const last = sealed.at(-2) === 'A' ? 'B' : 'A';
    expect(() => box.open(`${sealed.slice(0, -2)}${last}${sealed.at(-1)}`)).toThrow(SecretUnreadable);
    expect(() => box.open('')).toThrow(SecretUnreadable);
    expect(() => box.open('v2.x.y')).toThrow(SecretUnreadable);
    expect(() => boxOf({ SECRET_KEY: `${KEY}!` }).open(sealed)).toThrow(/was sealed under the key/);
  });

  it('makes a key file for its owner alone, once', () => {
    const sealed = boxOf({ DATA_DIR: folder }).seal('secret');
    expect(boxOf({ DATA_DIR: folder }).open(sealed)).toBe('secret');
    expect(statSync(path.join(folder, 'secret.key')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['secret.key']);
  });

  it('refuses a damaged key file', () => {
    writeFileSync(path.join(folder, 'secret.key'), 'abc');
    expect(() => boxOf({ DATA_DIR: folder })).toThrow(SecretKeyUnusable);
  });
});
