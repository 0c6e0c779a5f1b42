import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(__dirname, '..');
const run = (script: string, ...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [
    path.join(root, 'scripts', script),
    ...args,
  ]);
  return { status, stdout: stdout.toString(), stderr: stderr.toString() };
};

describe('the hookline command', () => {
  const { version, bin } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

  it('prints its version and its commands instead of starting, even with npm start', () => {
    expect(bin).toEqual({ hookline: 'scripts/hookline.mjs' });
    for (const [script, ...args] of [
      ['hookline.mjs', 'version'],
      ['hookline.mjs', '--version'],
      ['start.mjs', '--version'],
    ] as const)
      expect(run(script, ...args)).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
    for (const [script, ...args] of [
      ['hookline.mjs'],
      ['hookline.mjs', 'help'],
      ['hookline.mjs', 'backup', '--help'],
      ['start.mjs', '--help'],
    ] as const)
      expect(run(script, ...args)).toMatchObject({
        status: 0,
        stdout: expect.stringMatching(/ {2}backup FILE {2}/),
      });
  });

  it('rejects unknown arguments', () => {
    const { status, stdout, stderr } = run('hookline.mjs', 'bakcup');
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain('There is no command "bakcup".');
  });

  describe('with production packages only', () => {
    let place: string;
    const write = (file: string, text: string): void => {
      mkdirSync(path.dirname(path.join(place, file)), { recursive: true });
      writeFileSync(path.join(place, file), text);
    };
    const start = () => {
      const { stdout, stderr } = spawnSync(process.execPath, ['scripts/hookline.mjs', 'start'], {
        cwd: place,
      });
      return stdout.toString() + stderr.toString();
    };

    beforeEach(() => {
      place = mkdtempSync(path.join(tmpdir(), 'hookline-production-'));
      cpSync(path.join(root, 'scripts'), path.join(place, 'scripts'), { recursive: true });
      const used = { 'node_modules/used': { version: '1.0.0' } };
      const builder = { 'node_modules/builder': { version: '1.0.0', dev: true } };
      write('package.json', '{ "type": "commonjs" }');
      write('package-lock.json', JSON.stringify({ packages: { '': {}, ...used, ...builder } }));
      write('node_modules/.package-lock.json', JSON.stringify({ packages: used }));
      write('src/main.ts', '');
    });
    afterEach(() => rmSync(place, { recursive: true }));

    it('runs the included dist, and neither installs nor builds', () => {
      write('dist/src/main.js', 'console.log("It runs.")');
      expect(start()).toBe('It runs.\n');
    });

    it('says so if it is outdated or missing', () => {
      expect(start()).toMatch(/^There is no dist folder, and the development packages /);
      write('dist/src/main.js', 'console.log("It runs.")');
      write('dist/.hookline-stamp', 'of other sources');
      expect(start()).toMatch(/^It runs\.\nThe dist folder was built from other sources /);
    });
  });
});
