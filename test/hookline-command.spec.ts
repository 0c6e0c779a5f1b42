import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
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

  it('tells its version and its commands instead of starting, also as npm start', () => {
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

  it('refuses what it does not know', () => {
    const { status, stdout, stderr } = run('hookline.mjs', 'bakcup');
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain('There is no command "bakcup".');
  });
});
