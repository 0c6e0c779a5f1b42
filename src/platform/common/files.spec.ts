import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onlyWhere } from '../../../test/support/only-where.js';
import { makeFolder } from './files.js';

describe('makeFolder', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'hookline-test-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('creates missing folders, and accepts existing ones', () => {
    const path = join(folder, 'a', 'b');
    makeFolder(path, 0o700);
    makeFolder(path, 0o755);
    expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  it('refuses a file in place of a folder', () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    expect(() => makeFolder(file)).toThrow('EEXIST');
    expect(() => makeFolder(join(file, 'below'))).toThrow('ENOTDIR');
  });

  const withProc = onlyWhere(existsSync('/proc/self'), 'there is no /proc');
  withProc.it('fails instead of looping where no folder can be created', () => {
    expect(() => makeFolder('/proc/hookline')).toThrow('ENOENT');
    expect(() => makeFolder('/proc/hookline/below')).toThrow('ENOENT');
  });
});
