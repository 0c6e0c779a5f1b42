/**
 * `npm run check:module -- incoming-hooks`: what a change of one module can break, on SQLite: types, lint and format of its
 * files, its specs and suites, and the suites about the whole repository, restricted to its routes where they can be.
 */
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { findModule } from './module-folder.mjs';
import { Failure, exitBecauseOf, prepare, root } from './prepare.mjs';

/** They check all modules at once, and take seconds. */
const REPOSITORY_WIDE = [
  ...['access', 'access-permissions', 'access-refused', 'access-statuses', 'audit-bodies', 'list-order'],
  ...[
    'answer-sizes',
    'citations',
    'declarations',
    'event-table',
    'migrations',
    'permissions',
    'settings-table',
  ],
  'text-functions',
].join('|');

try {
  const [name = '', ...others] = process.argv.slice(2);
  if (name === '' || others.length > 0)
    throw new Failure('Name one module: npm run check:module -- incoming-hooks');
  const folder = path.relative(root, findModule(name));
  const tests = readdirSync(path.join(root, 'test'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && new RegExp(`^${name}\\b.*\\.ts$`).test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
  const files = [folder, ...tests];
  await prepare({ build: false });
  const jest = ['jest/bin/jest.js', '--ci', '--maxWorkers=1', '--selectProjects', 'unit', 'e2e', 'apart'];
  const results = await Promise.all([
    run('typescript/bin/tsc', '--noEmit'),
    run('eslint/bin/eslint.js', ...files)
      .then((isFine) => isFine && run('prettier/bin/prettier.cjs', '--check', ...files))
      .then(async (isFine) => {
        const suites = `/(${folder}/.*|test/(${name}[^/]*|${REPOSITORY_WIDE}))\\.(e2e-)?spec\\.ts$`;
        return (await run(...jest, '--testPathPatterns', suites)) && isFine;
      }),
  ]);
  if (results.includes(false)) process.exitCode = 1;
  else console.log(`${name} is fine. Before you push, run bash .ci/run.`);

  /** Runs the program of a package; false if it fails. */
  function run(program, ...args) {
    const child = spawn(process.execPath, [path.join(root, 'node_modules', program), ...args], {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, CHECK_MODULE: name },
    });
    return new Promise((resolve) => child.once('close', (code) => resolve(code === 0)));
  }
} catch (error) {
  exitBecauseOf(error);
}
