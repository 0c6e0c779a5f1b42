import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const servicePolicy = '/usr/sbin/policy-rc.d';

/** The programs of the suites that are not on npm, and the Debian packages that contain them. */
const programs = [
  { name: 'curl', package: 'curl' },
  { name: 'openssl', package: 'openssl' },
  { name: 'apprise', package: 'apprise' },
  { name: 'prometheus-alertmanager', package: 'prometheus-alertmanager' },
  { name: 'promtool', package: 'prometheus' },
  { name: 'docker-compose', package: 'docker-compose' },
  { name: 'haproxy', package: 'haproxy' },
  { name: 'webhook', package: 'webhook' },
  { name: 'tinyproxy', package: 'tinyproxy-bin' },
  { name: 'chromium', package: 'chromium' },
];

/** Installs the missing programs with apt-get if possible, and returns those still missing, each with the reason. */
export async function installMachineClients(say) {
  const missing = programs.filter((program) => !findProgram(program.name));
  if (missing.length === 0) return [];
  const packages = missing.map((program) => program.package);
  let reason;
  if (process.getuid?.() !== 0 || !findProgram('apt-get')) {
    reason = `it is not installed; on Debian: apt-get install ${packages.join(' ')}`;
  } else {
    say(`Installing with apt-get: ${packages.join(', ')}.`);
    reason = await install(packages);
  }
  return missing
    .filter((program) => !findProgram(program.name))
    .map((program) => `${program.name} could not be had: ${reason ?? 'its package does not contain it'}`);
}

/** The path of a program, or undefined. */
export function findProgram(name) {
  return [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin', '/sbin']
    .map((folder) => path.join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** Returns the reason of a failure. The services of the packages are started neither now nor at boot. */
async function install(packages) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args) =>
    execute('apt-get', ['-o', 'DPkg::Lock::Timeout=300', ...args], {
      env,
      timeout: 600_000,
      maxBuffer: 64 * 1024 * 1024,
    });
  const ownsPolicy = !existsSync(servicePolicy);
  if (ownsPolicy) writeFileSync(servicePolicy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    await apt('update');
    await apt('install', '-y', '--no-install-recommends', ...packages);
  } catch (error) {
    return (
      error.stderr
        ?.trim()
        .split('\n')
        .findLast((line) => line.startsWith('E:')) ?? error.message
    );
  } finally {
    if (ownsPolicy) rmSync(servicePolicy, { force: true });
  }
  for (const service of ['haproxy', 'prometheus', 'prometheus-alertmanager', 'prometheus-node-exporter'])
    for (const verb of ['disable', 'stop']) {
      // Without systemd there is nothing to stop.
      await execute('systemctl', [verb, service]).catch(() => undefined);
    }
  return undefined;
}
