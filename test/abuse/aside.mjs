import { fork } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = path.dirname(fileURLToPath(import.meta.url));

/** Starts a program of this folder with the lowest priority, all its threads: it stands for machines of its own. */
export function forkAside(program) {
  const nice = { execPath: 'nice', execArgv: ['-n', '19'] };
  return fork(process.execPath, [path.join(folder, program)], { cwd: folder, ...nice });
}
