/**
 * Where tests keep databases and other files that nobody needs afterwards: in memory where there is room, so that
 * they wait for no disk. The database still asks for every flush; a killed process loses nothing by that.
 */
'use strict';
const { mkdtempSync, readdirSync, rmSync, statfsSync } = require('node:fs');
const path = require('node:path');

const memory = '/dev/shm';
const prefix = 'hookline-tests-';
const wantedBytes = 2 * 1024 ** 3;

/**
 * Makes a folder in memory the temporary one of this process and its children, unless TMPDIR is set. It goes with the
 * process, or by the function that is given; that of a killed process goes with the next run.
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

/** Of runs that were killed. */
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
