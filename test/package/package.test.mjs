/** Installs and runs the shipped package as in docs/deploy.md: `npm run test:package`. */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { root } from '../../scripts/prepare.mjs';
import { ApiClient } from '../support/api-client.mjs';
import { findFreePort } from '../support/server-process.mjs';

const execute = promisify(execFile);
const folder = mkdtempSync(path.join(tmpdir(), 'hookline-package-'));
const inFolder = (...parts) => path.join(folder, ...parts);
const password = 'a password from standard input';
const servers = new Set();
after(() => {
  for (const server of servers) server.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** Runs a program without the settings of this process; returns its standard output. */
async function run(program, args, { cwd, env = {}, input = '' }) {
  const { PATH, HOME } = process.env;
  const running = execute(program, args, { cwd, env: { PATH, HOME, ...env }, maxBuffer: 1 << 26 });
  running.child.stdin?.on('error', () => undefined).end(input); // it may be gone already: its exit code shows it
  return (await running).stdout;
}

/** Starts a server, and returns all its output when it is ready. */
async function start(program, args, { cwd, env }) {
  const { PATH } = process.env;
  const server = spawn(program, args, { cwd, env: { PATH, ...env } });
  servers.add(server);
  const ended = once(server, 'close');
  let output = '';
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (text) => (output += text));
  while (!/Listens on .*\n[^]*\n\n/.test(output)) {
    assert.equal(server.exitCode, null, output);
    await Promise.race([once(server.stdout, 'data'), ended]);
  }
  const stop = async () => {
    server.kill('SIGTERM');
    assert.equal((await ended)[0], 0);
    servers.delete(server);
  };
  return { output, stop };
}

describe('the packed tarball', () => {
  const place = inFolder('installed');
  const hookline = path.join(place, 'node_modules', '.bin', 'hookline');
  let env;
  let url;

  test('is installed in an empty folder without development packages', async () => {
    mkdirSync(place);
    const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
    const [{ filename }] = JSON.parse(await run('npm', pack, { cwd: root }));
    await run('npm', ['install', '--omit=dev', '--no-audit', '--no-fund', inFolder(filename)], {
      cwd: place,
    });
    const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
    assert.equal(await run('npx', ['--no-install', 'hookline', 'version'], { cwd: place }), `${version}\n`);
    assert.ok(!readdirSync(path.join(place, 'node_modules')).includes('jest'));
    const port = await findFreePort();
    env = { PORT: String(port), DATA_DIR: path.join(place, 'data') };
    url = `http://localhost:${port}`;
  });

  test('starts in an empty folder, and accepts a post by the saved command', async () => {
    const server = await start(hookline, ['start'], { cwd: place, env });
    const command = readFileSync(path.join(place, 'data', 'first-webhook.txt'), 'utf8').trim();
    assert.ok(!server.output.includes(command.slice(-26)), server.output);
    assert.match(
      await run('sh', ['-c', `${command} -sS`], { cwd: place }),
      /^HTTP\/1.1 200 OK[^]*\r\n\r\nok$/,
    );
    await run(hookline, ['backup', 'kept.backup'], { cwd: place, env });
    assert.match(await run('sh', ['-c', `${command} -sS`.replace('Hello', 'Lost')], { cwd: place }), /\nok$/);
    await server.stop();
  });

  test('restores, and accepts the administrator', async () => {
    assert.match(await run(hookline, ['restore', 'kept.backup'], { cwd: place, env }), / is restored\.\n/);
    const created = await run(hookline, ['create-admin', 'anna'], {
      cwd: place,
      env,
      input: `${password}\n`,
    });
    assert.equal(created, 'anna is an administrator.\n');
    const reset = await run(hookline, ['reset-password', 'admin', '--generate'], { cwd: place, env });
    const server = await start(hookline, ['start'], { cwd: place, env });
    const anna = await new ApiClient(url).login('anna', password);
    assert.ok(anna, 'anna cannot sign in.');
    assert.ok(await new ApiClient(url).login('admin', reset.trim().split(' ').at(-1)));
    const { id: teamId } = await anna.call('GET', '/teams/name/main');
    const { id } = await anna.call('GET', `/teams/${teamId}/channels/name/town-square`);
    const messages = Object.values((await anna.call('GET', `/channels/${id}/posts`)).posts).map(
      ({ message }) => message,
    );
    assert.ok(messages.includes('Hello from Hookline'));
    assert.ok(!messages.includes('Lost from Hookline'));
    await server.stop();
  });
});

describe('a copy of the repository with a finished dist', () => {
  const place = inFolder('copy');

  test('runs with production packages, and neither installs nor builds', async () => {
    const files = (await run('git', ['ls-files', '-z'], { cwd: root })).split('\0').filter(Boolean);
    for (const file of files) cpSync(path.join(root, file), path.join(place, file), { recursive: true });
    cpSync(path.join(root, 'dist'), path.join(place, 'dist'), { recursive: true });
    const install = ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'];
    await run('npm', install, { cwd: place });
    const installed = statSync(path.join(place, 'node_modules', '.package-lock.json')).mtimeMs;
    const env = { PORT: String(await findFreePort()), DATA_DIR: path.join(place, 'data') };
    const server = await start(process.execPath, ['scripts/hookline.mjs', 'start'], { cwd: place, env });
    assert.doesNotMatch(server.output, /Installing|Building|other sources/);
    assert.equal(statSync(path.join(place, 'node_modules', '.package-lock.json')).mtimeMs, installed);
    assert.equal((await fetch(`http://127.0.0.1:${env.PORT}/health/ready`)).status, 200);
    await server.stop();
  });
});
