import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { root, runNpm } from '../../../scripts/prepare.mjs';

const folder = path.join(root, '.cache', 'clients');
const { dependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

/** npm packages of the suites that are not dependencies of this repository, including BullMQ. */
const packages = {
  '@bull-board/api': '9.10.1',
  '@bull-board/express': '9.10.1',
  '@octokit/webhooks-examples': '7.6.1',
  '@octokit/webhooks-methods': '4.1.0', // the last one that can be required
  bullmq: dependencies.bullmq,
  cloudevents: '10.0.0',
  express: '5.3.0',
};

/** Installs the packages into a separate folder, and returns those that failed. */
export async function installNpmClients(say) {
  if (missing().length === 0) return [];
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true }\n');
  const wanted = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
  say(`Installing with npm: ${wanted.join(', ')}.`);
  const options = ['--ignore-scripts', '--save-exact', '--no-audit', '--no-fund'];
  await runNpm(['install', ...options, ...wanted], { cwd: folder });
  return missing().map((name) => `${name} could not be had: npm does not give ${packages[name]}`);
}

/** Loads one of them as its users do, or returns undefined if it is not installed. */
export function findPackage(name) {
  const load = createRequire(path.join(folder, 'package.json'));
  return missing().length === 0 ? load(name) : undefined;
}

function missing() {
  return Object.keys(packages).filter((name) => {
    const file = path.join(folder, 'node_modules', name, 'package.json');
    return !existsSync(file) || JSON.parse(readFileSync(file, 'utf8')).version !== packages[name];
  });
}
