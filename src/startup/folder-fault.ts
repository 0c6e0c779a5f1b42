import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';

/** Throws a system error if this process may not write a path. */
type RequireWritable = (path: string) => void;

const requireWritable: RequireWritable = (path) => {
  const isFolder = statSync(path).isDirectory();
  accessSync(path, isFolder ? constants.W_OK | constants.X_OK : constants.W_OK);
};

/**
 * Why the server cannot write to a folder, as the end of a sentence; undefined if no problem is found. For a
 * missing folder, checks its nearest existing ancestor.
 */
export function folderFault(folder: string, require: RequireWritable = requireWritable): string | undefined {
  const nearest = nearestExisting(folder);
  if (!statSync(nearest).isDirectory())
    return nearest === folder ? 'it is a file, not a folder' : `${nearest} is a file, not a folder`;
  const paths = nearest === folder ? [folder, ...filesOf(folder)] : [nearest];
  for (const path of paths) {
    const reason = reasonAgainst(path, require);
    if (reason !== undefined) return path === folder ? `it ${reason}` : `${path} ${reason}`;
  }
  return undefined;
}

function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));
}

/** The files of the embedded database, which an earlier start may have created as another user. */
function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.startsWith('hookline.'))
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function reasonAgainst(path: string, require: RequireWritable): string | undefined {
  try {
    require(path);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'EROFS'
      ? 'is on a file system that cannot be written'
      : `cannot be written by this user, ${userName()}`;
  }
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown'); // a container may run under a UID without a name
  }
}
