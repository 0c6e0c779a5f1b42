import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { namesFromFile, namesInFile } from './settings.js';

describe('the file .env', () => {
  const before = process.cwd();
  const folder = mkdtempSync(join(tmpdir(), 'hookline-env-'));
  beforeAll(() => process.chdir(folder));
  afterAll(() => {
    process.chdir(before);
    rmSync(folder, { recursive: true });
  });

  it('can be missing', () => {
    expect(namesInFile()).toEqual([]);
    expect(namesFromFile({ PORT: '80' })).toEqual(new Set());
  });

  it('sets only variables that are not set', () => {
    writeFileSync('.env', 'PORT=80\nHOST="::1"\nLOG_LEVEL=warn\n');
    expect([...namesInFile()].sort()).toEqual(['HOST', 'LOG_LEVEL', 'PORT']);
    expect(namesFromFile({ PORT: '80', HOST: '::1', LOG_LEVEL: 'debug' })).toEqual(new Set(['PORT', 'HOST']));
  });
});
