import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inForce, namesFromFile, namesInFile } from './settings.js';

const shown = (name: string, values: string, text: string | undefined, fallback = ''): unknown => {
  const { value, origin, isHidden } = inForce(
    { name, values, fallback },
    { text, isFromFile: false, isDescribed: true },
  );
  return isHidden ? [origin] : [origin, value];
};

describe('an effective setting', () => {
  it('is the given value, or else the default', () => {
    expect(shown('PORT', '0 to 65535', undefined, '8065')).toEqual(['default', '8065']);
    expect(shown('PORT', '0 to 65535', ' 80 ', '8065')).toEqual(['environment', '80']);
    expect(shown('PORT', '0 to 65535', '', '8065')).toEqual(['default', '8065']);
    expect(shown('SITE_URL', 'URL', '', 'http://localhost:8065')).toEqual(['environment', '']);
  });

  it('comes from the file if the file has the same value', () => {
    const read = { name: 'PORT', values: '0 to 65535', fallback: '8065' };
    expect(inForce(read, { text: '80', isFromFile: true, isDescribed: true }).origin).toBe('file');
    expect(inForce(read, { text: '', isFromFile: true, isDescribed: true }).origin).toBe('default');
  });

  it('is not shown if it is a secret, or has one in it', () => {
    for (const [name, values, text] of [
      ['METRICS_TOKEN', 'text', 'word'],
      ['DATABASE_URL', 'URL', 'mysql://root:word@host/db'],
      ['DATABASE_URL', 'URL', 'mysql://root:two words@host/db'],
      ['DATABASE_URL', 'URL', 'mysql//root:word@host'],
      ['REDIS_URL', 'URL', 'redis://:a/b@host'],
      ['OTEL_EXPORTER_OTLP_ENDPOINT', 'URL', 'http://host/a?key=word'],
      ['OTEL_EXPORTER_OTLP_ENDPOINT', 'URL', 'http:/user:word@host'],
      ['PROXIES', 'list', 'a, http://user:two words@host'],
    ] as const)
      expect(shown(name, values, text)).toEqual(['environment']);
    expect(shown('METRICS_TOKEN', 'text', undefined)).toEqual(['default', '']);
    expect(shown('DATABASE_URL', 'URL', 'mysql://host/db')).toEqual(['environment', 'mysql://host/db']);
    expect(shown('ENABLE_USER_ACCESS_TOKENS', '`true`, `false`', 'false')).toEqual(['environment', 'false']);
    const own = { name: 'OWN', values: 'text', fallback: '' };
    expect(inForce(own, { text: 'word', isFromFile: false, isDescribed: false })).toMatchObject({
      value: '',
      isHidden: true,
    });
  });

  it('is truncated if it is long', () => {
    const { value } = inForce(
      { name: 'DNS_SERVERS', values: 'list', fallback: '' },
      { text: 'x'.repeat(5_000), isFromFile: false, isDescribed: true },
    );
    expect(value).toHaveLength(1_000);
  });
});

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
