import cluster from 'node:cluster';
import { existsSync, lstatSync, statSync, unlinkSync } from 'node:fs';
import { createConnection, type Server } from 'node:net';
import { dirname } from 'node:path';

/** LOCAL_MODE_SOCKET cannot be opened. The message is shown to the person who started the server. */
export class LocalSocketRefused extends Error {
  constructor(path: string, reason: string) {
    super(`LOCAL_MODE_SOCKET names ${path}, which cannot be used: ${reason}.`);
    this.name = new.target.name;
  }
}

/** The longest path that the kernel accepts; Node silently truncates longer ones. */
const MAX_PATH_BYTES = process.platform === 'darwin' ? 103 : 107;
const OWNER_ONLY = 0o600;

/** Removes the leftover file of a killed process. Throws LocalSocketRefused if no socket can be created. */
export async function prepareSocketFile(path: string): Promise<void> {
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) {
    throw new LocalSocketRefused(
      path,
      `it is longer than ${MAX_PATH_BYTES} bytes, the limit for a socket path`,
    );
  }
  if (!existsSync(dirname(path))) throw new LocalSocketRefused(path, 'its folder does not exist');
  await removeStaleFile(path);
}

/** Listens on a Unix socket that only the user of this process can open. Workers share that of the primary. */
export async function listenOnSocketFile(server: Server, path: string): Promise<void> {
  if (!cluster.isWorker) await prepareSocketFile(path);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new LocalSocketRefused(path, codeOf(error))));
    server.once('listening', resolve);
    const previous = process.umask(0o777 & ~OWNER_ONLY);
    try {
      server.listen(path); // binds synchronously, so the mask applies only to this file
    } finally {
      process.umask(previous);
    }
  });
  if ((statSync(path).mode & 0o777) === OWNER_ONLY) return;
  server.close();
  throw new LocalSocketRefused(path, 'its file system cannot restrict it to its owner');
}

/** Removes the file of a killed process. Throws if a process listens on it or if it is not a socket. */
async function removeStaleFile(path: string): Promise<void> {
  const file = lstatSync(path, { throwIfNoEntry: false });
  if (!file) return;
  if (!file.isSocket())
    throw new LocalSocketRefused(path, 'a file with that name exists and is not a socket');
  if (await hasListener(path)) throw new LocalSocketRefused(path, 'another process listens on it');
  unlinkSync(path);
}

function hasListener(path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const connection = createConnection(path);
    connection.once('connect', () => {
      connection.destroy();
      resolve(true);
    });
    connection.once('error', (error) => {
      const code = codeOf(error);
      if (code === 'ECONNREFUSED' || code === 'ENOENT') resolve(false);
      else reject(new LocalSocketRefused(path, code));
    });
  });
}

function codeOf(error: NodeJS.ErrnoException): string {
  return error.code ?? error.message;
}
