import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beginRotation, createSecretKey, endRotation, loadSecretKeys } from './secret-key.js';

/** Records the operations on the key folder, in order; `sync` is that of the folder itself. */
function watch(folder: string): string[] {
  const steps: string[] = [];
  const folders = new Set<unknown>();
  const { openSync } = fs;
  jest.spyOn(fs, 'openSync').mockImplementation((file, flags, mode) => {
    const handle = openSync(file, flags, mode);
    if (file === folder) folders.add(handle);
    return handle;
  });
  const note = <T extends 'linkSync' | 'renameSync' | 'rmSync'>(name: T, step: string): void => {
    const real = fs[name] as (...args: unknown[]) => void;
    jest.spyOn(fs, name).mockImplementation(((...args: unknown[]) => {
      real(...args);
      steps.push(step);
    }) as never);
  };
  note('linkSync', 'link');
  note('renameSync', 'rename');
  note('rmSync', 'remove');
  const { fsyncSync } = fs;
  jest.spyOn(fs, 'fsyncSync').mockImplementation((handle) => {
    fsyncSync(handle);
    if (folders.has(handle)) steps.push('sync');
  });
  return steps;
}

describe('the key file', () => {
  let folder: string;
  beforeEach(() => (folder = fs.mkdtempSync(path.join(tmpdir(), 'hookline-key-'))));
  afterEach(() => {
    jest.restoreAllMocks();
    fs.rmSync(folder, { recursive: true });
  });

  it('is on disk under its name before it is used', () => {
    const steps = watch(folder);
    createSecretKey(folder);
    expect(steps).toEqual(['link', 'sync']);
  });

  it('is never created by reading it', () => {
    expect(() => loadSecretKeys({ dataDir: folder })).toThrow(/secret\.key is gone/);
    expect(() => beginRotation(folder)).toThrow(/secret\.key cannot be used: ENOENT/);
    expect(fs.readdirSync(folder)).toEqual([]);
  });

  it('is replaced so that a power failure leaves both keys at any point', () => {
    createSecretKey(folder);
    const { current } = loadSecretKeys({ dataDir: folder });
    const steps = watch(folder);
    beginRotation(folder);
    expect(steps).toEqual(['remove', 'link', 'sync', 'rename', 'sync']);
    const keys = loadSecretKeys({ dataDir: folder });
    expect(keys.previous).toEqual([current]);
    expect(keys.current).not.toEqual(current);
    steps.length = 0;
    endRotation(folder);
    expect(steps).toEqual(['remove', 'sync']);
    expect(loadSecretKeys({ dataDir: folder })).toEqual({ current: keys.current, previous: [] });
  });
});
