/**
 * The folder for temporary databases and files of tests: in memory if there is room, so that they do not wait for a
 * disk. The database still requests every flush; a killed process loses nothing.
 */
'use strict';
const { mkdtempSync, readdirSync, rmSync, statfsSync } = require('node:fs');
const path = require('node:path');

const memory = '/dev/shm';
const prefix = 'hookline-tests-';
const wantedBytes = 2 * 1024 ** 3;

/**
 * Makes a folder in memory the temporary one of this process and its children, unless TMPDIR is set. It is removed
 * with the process, or by the returned function; that of a killed process is removed by the next run.
 */
function useScratchFolder() {
  if (process.env.TMPDIR || !hasRoom()) return () => undefined;
  removeAbandoned();
  const folder = mkdtempSync(path.join(memory, `${prefix}${process.pid}-`));
  process.env.TMPDIR = folder;
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  process.on('exit', remove);
  return remove;
}

function hasRoom() {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize > wantedBytes;
  } catch {
    return false;
  }
}

/** Of killed runs. */
function removeAbandoned() {
  for (const name of readdirSync(memory)) {
    const pid = Number(name.startsWith(prefix) ? name.slice(prefix.length).split('-')[0] : NaN);
    if (pid > 0 && !isAlive(pid)) rmSync(path.join(memory, name), { recursive: true, force: true });
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

module.exports = { useScratchFolder };
