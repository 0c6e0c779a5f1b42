import { spawnSync } from 'node:child_process';
import path from 'node:path';

const root = path.resolve(__dirname, '..');

describe('the packed tarball', () => {
  const { status, stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    shell: process.platform === 'win32',
  });
  const [{ files }] = JSON.parse(stdout.toString()) as [{ files: { path: string; mode: number }[] }];
  const paths = files.map((file) => file.path);

  it('contains what a server needs, and the documentation for operators', () => {
    expect(status).toBe(0);
    expect(paths).toEqual(
      expect.arrayContaining([
        'package.json',
        'README.md',
        'LICENSE',
        'CHANGELOG.md',
        'SECURITY.md',
        'docs/deploy.md',
        'docs/operating.md',
        'docs/settings.md',
        'scripts/hookline.mjs',
        'scripts/prepare.mjs',
      ]),
    );
  });

  it('contains nothing else', () => {
    const expected =
      /^(package\.json|[A-Z]+(\.md)?|docs\/.*\.md|docs\/examples\/\w+\.(mjs|py)|dist\/.*\.js|dist\/programs\.js\.LEGAL\.txt|dist\/console\/.+\.(html|css|svg|woff2)|scripts\/(hookline|prepare)\.mjs)$/;
    expect(paths.filter((file) => !expected.test(file))).toEqual([]);
  });
});
