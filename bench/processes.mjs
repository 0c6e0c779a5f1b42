/** Starts the processes of a measurement and reads their CPU time and memory. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const ticksPerSecond = 100;

/** Starts a command and waits for the first line of output for which `ready` returns a value. */
export function startProcess(command, args, { env = {}, ready }) {
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (text) => {
      output += text;
      const value = ready(output);
      if (value === undefined) return;
      child.stdout.removeAllListeners('data');
      child.stdout.resume();
      resolve({ value, pid: child.pid, startMs: performance.now() - startedAt, stop: () => stop(child) });
    });
    child.on('exit', (code) =>
      reject(new Error(`${command} ${args.join(' ')} ended with ${code}: ${output.slice(-500)}`)),
    );
  });
}

function stop(child) {
  child.removeAllListeners('exit');
  return new Promise((resolve) => {
    child.on('exit', resolve);
    child.kill('SIGTERM');
  });
}

/** CPU time of a process so far, in seconds. */
export function cpuSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** Resident memory of a process in MiB. */
export function residentMiB(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
}

export function temporaryFolder() {
  const folder = mkdtempSync(path.join(tmpdir(), 'hookline-bench-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
