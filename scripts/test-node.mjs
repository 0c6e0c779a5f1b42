/**
 * `npm run test:node`: starts the production build on each supported version of Node.js and tests its main features.
 *
 *   npm run test:node              all versions
 *   npm run test:node -- 22 24     these
 *
 * The npm package of each version's program for this machine is kept in .cache/node; the program that runs this script
 * stands for its own version.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Failure, exitBecauseOf, prepare, root, runNpm } from './prepare.mjs';

const versions = ['20', '22', '24'];
const suite = path.join('test', 'node', 'smoke.test.mjs');
const counts = { passed: 0, failed: 0 };

try {
  const chosen = process.argv.slice(2);
  const unknown = chosen.find((version) => !versions.includes(version));
  if (unknown) throw new Failure(`Hookline is tested on Node.js ${versions.join(', ')}, not ${unknown}.`);
  await prepare();
  for (const version of chosen.length > 0 ? chosen : versions) await runSuite(await findNode(version));
  console.log(`\n${counts.passed} passed, ${counts.failed} failed`);
  if (counts.failed > 0) process.exitCode = 1;
} catch (error) {
  exitBecauseOf(error);
}

/** The program of the newest release of this version, or of the one that was installed before. */
async function findNode(version) {
  if (process.versions.node.startsWith(`${version}.`)) return process.execPath;
  const isWindows = process.platform === 'win32';
  const name = `node-${isWindows ? 'win' : process.platform}-${process.arch}`;
  const folder = path.join(root, '.cache', 'node', version);
  const program = path.join(folder, 'node_modules', name, 'bin', isWindows ? 'node.exe' : 'node');
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true }\n');
  const code = await runNpm(['install', '--no-audit', '--no-fund', `${name}@${version}`], { cwd: folder });
  if (code !== 0 || !existsSync(program))
    throw new Failure(`npm does not give Node.js ${version} for this machine.`);
  return program;
}

async function runSuite(node) {
  const child = spawn(node, ['--test', '--test-reporter=spec', suite], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
    process.stdout.write(text);
  });
  const [code] = await once(child, 'close');
  const count = (name) => Number(new RegExp(`^ℹ ${name} (\\d+)$`, 'm').exec(output)?.[1] ?? 0);
  counts.passed += count('pass');
  // A missing count is a failure too.
  counts.failed += Math.max(
    count('fail') + count('cancelled') + count('skipped') + count('todo'),
    code === 0 ? 0 : 1,
  );
}
