/**
 * `npm run test:mutation`: changes the rules without I/O one place at a time, and runs their specs against each change.
 *
 *   npm run test:mutation                           all modules of test/mutation/modules.mjs
 *   npm run test:mutation -- signature matching     some of them
 *   npm run test:mutation -- --concurrency=1
 *
 * A change that no spec notices fails the run, unless test/mutation/survivors.mjs says why none can.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Failure, exitBecauseOf, prepare, root } from './prepare.mjs';

const minScore = 90;
const results = path.join(root, '.cache', 'mutation');

try {
  await prepare({ build: false });
  const { modules } = await import('../test/mutation/modules.mjs');
  const { survivors } = await import('../test/mutation/survivors.mjs');
  const { names, concurrency } = readArguments(modules);
  const tallies = [];
  for (const name of names) {
    await mutate(name, modules[name], concurrency);
    tallies.push(tally(name, survivors[name] ?? []));
  }
  if (tallies.length > 1) tallies.push(sum(tallies));
  for (const tally of tallies) print(tally);
  if (tallies.some(({ score, problems }) => score < minScore || problems.length > 0)) process.exitCode = 1;
} catch (error) {
  exitBecauseOf(error);
}

function readArguments(modules) {
  const given = process.argv.slice(2);
  const chosen = given.filter((argument) => !argument.startsWith('-'));
  const unknown = chosen.find((name) => !(name in modules));
  if (unknown) throw new Failure(`No module "${unknown}". There are: ${Object.keys(modules).join(', ')}.`);
  const concurrency = /^--concurrency=(\d+)$/m.exec(given.join('\n'))?.[1] ?? '2';
  return { names: chosen.length > 0 ? chosen : Object.keys(modules), concurrency };
}

async function mutate(name, { specs }, concurrency) {
  const env = {
    ...process.env,
    MUTATION_MODULE: name,
    MUTATION_SPECS: JSON.stringify(specs),
    MUTATION_CONCURRENCY: concurrency,
    // The seed stands in the names of tests, by which they are chosen.
    FC_SEED: process.env.FC_SEED ?? '1',
  };
  const stryker = path.join(root, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');
  const args = [stryker, 'run', path.join(root, 'test', 'mutation', 'stryker.config.mjs')];
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  const [code, signal] = await once(child, 'close');
  if (code !== 0) throw new Failure(`${name}: the run ended with ${signal ?? code}.\n${said}`);
}

/** Reads the report of a run, and compares the surviving mutants with the explained ones. */
function tally(name, explained) {
  const { files } = JSON.parse(readFileSync(path.join(results, `${name}.json`), 'utf8'));
  const mutants = Object.entries(files).flatMap(([file, { source, mutants }]) => {
    const lines = source.split('\n');
    return mutants.map((mutant) => ({ ...mutant, file, source: textAt(lines, mutant.location) }));
  });
  const noticed = mutants.filter(({ status }) => ['Killed', 'Timeout', 'RuntimeError'].includes(status));
  const missed = mutants.filter(({ status }) => ['Survived', 'NoCoverage'].includes(status));
  const left = [...explained];
  const unexplained = missed.filter((mutant) => {
    const index = left.findIndex((one) => explains(one, mutant));
    if (index >= 0 && !left[index].isAll) left.splice(index, 1);
    return index < 0;
  });
  const stale = left.filter((one) => !missed.some((mutant) => explains(one, mutant)));
  return withScore({
    name,
    noticed: noticed.length,
    missed: missed.length,
    problems: [
      ...unexplained.map(
        ({ file, location, source, replacement, status }) =>
          `${file}:${location.start.line}: ${brief(source)} → ${brief(replacement)} (${status})`,
      ),
      ...stale.map(({ from, to }) => `explained, but it does not survive: ${brief(from)} → ${brief(to)}`),
    ],
  });
}

function explains({ from, to }, mutant) {
  return oneLine(mutant.source) === from && oneLine(mutant.replacement) === to;
}

function textAt(lines, { start, end }) {
  const part = lines.slice(start.line - 1, end.line);
  part[part.length - 1] = part[part.length - 1].slice(0, end.column - 1);
  part[0] = part[0].slice(start.column - 1);
  return part.join('\n');
}

function oneLine(text) {
  return text.replace(/\s+/g, ' ').trim();
}

function brief(text) {
  const line = oneLine(text);
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}

function sum(tallies) {
  const total = (field) => tallies.reduce((count, tally) => count + tally[field], 0);
  return withScore({ name: 'all', noticed: total('noticed'), missed: total('missed'), problems: [] });
}

function withScore(tally) {
  return { ...tally, score: (100 * tally.noticed) / (tally.noticed + tally.missed) };
}

function print({ name, noticed, missed, score, problems }) {
  console.log(`${name.padEnd(12)} ${score.toFixed(1).padStart(5)} %  ${noticed} of ${noticed + missed}`);
  for (const problem of problems) console.log(`  ${problem}`);
}
