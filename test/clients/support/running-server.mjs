import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const startsWithinMs = 60_000;
const stopsWithinMs = 12_000;

/**
 * The built server as a process of its own: a free port, an empty folder for its data, a known administrator.
 * Gives { url, adminPassword, errors(), stop() }; `stop` throws when the server does not end as it promises.
 */
export async function startRunningServer(root) {
  const folder = mkdtempSync(path.join(tmpdir(), 'hookline-clients-'));
  const logFile = path.join(folder, 'server.log');
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const adminPassword = 'only stock clients here';
  const log = openSync(logFile, 'a');
  // Nothing of the caller's settings, nor of a .env file, may reach it.
  const child = spawn(process.execPath, [path.join(root, 'dist', 'src', 'main.js')], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      SITE_URL: url,
      DATA_DIR: path.join(folder, 'data'),
      ADMIN_PASSWORD: adminPassword,
      ALLOWED_INTERNAL_HOSTS: '127.0.0.1',
      OUTGOING_SCHEDULE: '0s,200ms,200ms,200ms,200ms',
    },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const clean = () => {
    if (!hasEnded(child)) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  process.on('exit', clean);
  try {
    await answers(url, child);
  } catch (error) {
    throw new Error(`${error.message}\n${lastLines(logFile)}`, { cause: error });
  }
  return {
    url,
    adminPassword,
    errors: () => errorsIn(logFile),
    stop: async () => {
      try {
        await end(child);
      } catch (error) {
        throw new Error(`${error.message}\n${lastLines(logFile)}`, { cause: error });
      } finally {
        clean();
        process.off('exit', clean);
      }
    },
  };
}

/** A port of 127.0.0.1 that nobody listens on at the moment. */
export async function findFreePort() {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

async function answers(url, child) {
  const deadline = Date.now() + startsWithinMs;
  while (Date.now() < deadline) {
    if (hasEnded(child)) throw new Error(`The server ended while starting (${describeEnd(child)}).`);
    const isReady = await fetch(`${url}/health/ready`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (isReady) return;
    await sleep(50);
  }
  throw new Error(`The server did not become ready at ${url} within ${startsWithinMs / 1000} seconds.`);
}

async function end(child) {
  if (hasEnded(child)) throw new Error(`The server ended before it was asked to (${describeEnd(child)}).`);
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), stopsWithinMs);
  await ended;
  clearTimeout(timer);
  if (child.exitCode !== 0) throw new Error(`The server did not stop cleanly (${describeEnd(child)}).`);
}

function errorsIn(logFile) {
  return readFileSync(logFile, 'utf8')
    .split('\n')
    .filter((line) => {
      try {
        const { level } = JSON.parse(line);
        return ['error', 'fatal'].includes(level) || level >= 50;
      } catch {
        return false;
      }
    });
}

function lastLines(logFile) {
  return readFileSync(logFile, 'utf8').trim().split('\n').slice(-20).join('\n');
}

function hasEnded(child) {
  return child.exitCode !== null || child.signalCode !== null;
}

function describeEnd(child) {
  return child.signalCode ?? `exit code ${child.exitCode}`;
}
