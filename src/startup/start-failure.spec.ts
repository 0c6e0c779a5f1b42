import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { Settings } from '../platform/config/settings.js';
import { folderFault } from './start-failure.js';
import { explainStartFailure } from './start-failure.js';

describe('a problem with a folder', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'folder-fault-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Refuses one path with a code, because the tests may run as a user who may write everything. */
  const refuse =
    (refused: string, code: string) =>
    (path: string): void => {
      if (path === refused) throw Object.assign(new Error(code), { code });
    };
  const { username } = userInfo();

  it('is undefined if it can be written or created', () => {
    expect(folderFault(folder)).toBeUndefined();
    expect(folderFault(join(folder, 'a', 'b'))).toBeUndefined();
  });

  it('is a file in its place or above it', () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    expect(folderFault(file)).toBe('it is a file, not a folder');
    expect(folderFault(join(file, 'data'))).toBe(`${file} is a file, not a folder`);
  });

  it('is missing write access to it or to its parent', () => {
    expect(folderFault(folder, refuse(folder, 'EACCES'))).toBe(
      `it cannot be written by this user, ${username}`,
    );
    expect(folderFault(join(folder, 'a', 'b'), refuse(folder, 'EACCES'))).toBe(
      `${folder} cannot be written by this user, ${username}`,
    );
  });

  it('is a file in it of another user, or a read-only file system', () => {
    const database = join(folder, 'hookline.db');
    writeFileSync(database, '');
    expect(folderFault(folder, refuse(database, 'EACCES'))).toBe(
      `${database} cannot be written by this user, ${username}`,
    );
    expect(folderFault(folder, refuse(folder, 'EROFS'))).toContain('a file system that cannot be written');
  });

  it('is reported on start', () => {
    const dataDir = join(folder, 'file');
    writeFileSync(dataDir, '');
    const failure = Object.assign(new Error('EEXIST'), { code: 'EEXIST', path: dataDir });
    expect(explainStartFailure(failure, new Settings({ DATA_DIR: dataDir }))).toBe(
      `The data folder ${dataDir} (DATA_DIR) cannot be used: it is a file, not a folder.`,
    );
  });
});
