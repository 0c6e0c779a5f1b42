/**
 * `npm run test:readme`: does what README.md says, block by block, in an interactive bash, and in zsh if
 * installed, and compares what it prints.
 *
 * It works in a fresh copy of the project, on free ports. A block that starts a server runs in a separate
 * shell; all others share one. A block ```text is what the block above it prints. `npm test` is not run: .ci/run
 * does.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../test/support/server-process.mjs';
import { Failure, exitBecauseOf, prepare, root } from './prepare.mjs';

const shells = { bash: ['--norc', '--noprofile', '-i'], zsh: ['-f', '-i'] };
/** The ports used in README.md. */
const ports = ['8065', '8066', '9000'];
const copied = [
  'dist',
  'scripts',
  'src',
  'console',
  'package.json',
  'package-lock.json',
  'nest-cli.json',
  'ormconfig.ts',
];
/** Commands that the page must show, each in a separate block. */
const commands = ['npm start', 'npm test'];
const blockLimitMs = 30_000;
/** The message of a shell for a command that it could not run. */
const complaint =
  /event not found|command not found|no matches found|syntax error|parse error|SyntaxError|TypeError/;

/** An interactive shell that is typed into. */
class Shell {
  #program;
  #out = '';
  #err = '';
  #blocks = 0;

  constructor(name, flags, options) {
    this.#program = spawn(name, flags, { ...options, stdio: 'pipe', detached: true });
    this.#program.stdout.setEncoding('utf8').on('data', (text) => (this.#out += text));
    this.#program.stderr.setEncoding('utf8').on('data', (text) => (this.#err += text));
  }

  /** Runs a block. Returns the problem: its exit code, the message of the shell, or the wrong output. */
  async fault(command, output) {
    this.#out = this.#err = '';
    const mark = `== end of block ${(this.#blocks += 1)}`;
    this.#program.stdin.write(`${command}\nended=$?; echo; echo "${mark} $ended"\n`);
    const end = new RegExp(`\\n${mark} (\\d+)\\n`);
    for (const deadline = performance.now() + blockLimitMs; !end.test(this.#out); await sleep(20))
      if (performance.now() > deadline) return `It did not end:\n${this.#out}${this.#err}`;
    const code = end.exec(this.#out)[1];
    const printed = this.#out.split(`\n${mark}`)[0].trim();
    if (code !== '0' || complaint.test(this.#err)) return `It ended with ${code}:\n${printed}\n${this.#err}`;
    return output === undefined || printed === output
      ? undefined
      : `It printed:\n${printed}\n\nnot:\n${output}`;
  }

  /** Ends the shell and what it has started. */
  end() {
    this.#program.stdin.end();
    try {
      process.kill(-this.#program.pid, 'SIGKILL');
    } catch {
      // it has ended already
    }
  }
}

const counts = { passed: 0, failed: 0 };
try {
  await prepare();
  for (const [shell, flags] of Object.entries(shells)) if (await isThere(shell)) await follow(shell, flags);
  if (counts.passed === 0) throw new Failure('There is neither bash nor zsh.');
  console.log(`\n${counts.passed} passed, ${counts.failed} failed`);
  if (counts.failed > 0) process.exitCode = 1;
} catch (error) {
  exitBecauseOf(error);
}

/** The blocks of the page: the command, and its output if the page shows it. */
function blocksOf(page) {
  const blocks = [];
  for (const [, kind, text] of page.matchAll(/^```(sh|text)\n([^]*?)\n```$/gm)) {
    if (kind === 'sh') blocks.push({ command: text });
    else blocks.at(-1).output = text;
  }
  return blocks;
}

/** The blocks that are run. Throws if a command is missing on the page. */
function runnableBlocksOf(page) {
  const blocks = blocksOf(page);
  for (const wanted of commands)
    if (!blocks.some(({ command }) => command === wanted))
      throw new Failure(`README.md does not show '${wanted}'.`);
  return blocks.filter(({ command }) => command !== 'npm test');
}

async function follow(name, flags) {
  const folder = freshCopy();
  const servers = new Map();
  const chosen = await Promise.all(ports.map(() => findFreePort()));
  const onFreePorts = (text) =>
    ports.reduce((changed, port, index) => changed.replaceAll(port, chosen[index]), text);
  const env = { PATH: process.env.PATH, HOME: folder, PORT: String(chosen[0]), TERM: 'dumb' };
  const shell = new Shell(name, flags, { cwd: folder, env });
  try {
    for (const { command, output } of runnableBlocksOf(
      onFreePorts(readFileSync(path.join(root, 'README.md'), 'utf8')),
    )) {
      const fault = / ?npm start$/.test(command)
        ? await startServer(command, { cwd: folder, env }, servers)
        : await shell.fault(command, output);
      counts[fault === undefined ? 'passed' : 'failed'] += 1;
      console.log(`${fault === undefined ? '✔' : '✖'} ${name}: ${command.split('\n')[0].slice(0, 100)}`);
      if (fault !== undefined) return console.log(fault);
    }
  } finally {
    shell.end();
    await Promise.all([...servers.values()].map(stop));
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Files of a clone after the first install and build: those are tested by the caller. */
function freshCopy() {
  const folder = mkdtempSync(path.join(tmpdir(), 'hookline-readme-'));
  for (const name of [...copied, 'tsconfig.json', 'tsconfig.build.json'])
    cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  return folder;
}

/** Starts a server as in another terminal, in place of one with the same data. Returns the problem, if any. */
async function startServer(command, options, servers) {
  const data = /DATA_DIR=(\S+)/.exec(command)?.[1] ?? './data';
  await stop(servers.get(data));
  const server = spawn('bash', ['-c', command], {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  servers.set(data, server);
  let output = '';
  for (const stream of [server.stdout, server.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output += text));
  const isRunning = async () => {
    while (!output.includes('is running.')) {
      if (server.exitCode !== null) return false;
      await sleep(50);
    }
    return true;
  };
  const isUp = await Promise.race([isRunning(), sleep(blockLimitMs, false, { ref: false })]);
  return isUp ? undefined : `The server did not start:\n${output}`;
}

/** Stops a server as Ctrl-C does. */
async function stop(server) {
  if (!server || server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  process.kill(-server.pid, 'SIGINT');
  await ended;
}

async function isThere(program) {
  const child = spawn(program, ['--version'], { stdio: 'ignore' });
  const isFound = await once(child, 'exit').then(
    () => true,
    () => false,
  );
  if (!isFound) console.log(`There is no ${program} on this machine.`);
  return isFound;
}
