import { fork } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = path.dirname(fileURLToPath(import.meta.url));

/** Starts a program of this folder with the lowest priority: it stands for machines of its own. */
export function forkAside(program) {
  const child = fork(path.join(folder, program), { cwd: folder });
  os.setPriority(child.pid, os.constants.priority.PRIORITY_LOW);
  return child;
}
