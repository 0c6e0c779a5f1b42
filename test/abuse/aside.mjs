import { fork } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = path.dirname(fileURLToPath(import.meta.url));

/**
 * Starts a program of this folder. With `isLowPriority` all its threads get the lowest priority, as if it ran on another
 * machine; used for measurements. On a busy machine such a program hardly makes progress.
 */
export function forkAside(program, isLowPriority) {
  const nice = isLowPriority ? { execPath: 'nice', execArgv: ['-n', '19', process.execPath] } : {};
  return fork(path.join(folder, program), { cwd: folder, ...nice });
}
