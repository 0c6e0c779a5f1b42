import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../platform/common/files.js';
import { isJsonObject } from '../platform/common/json.js';

/** A file in the data folder with a secret for the operator. Only the owner can read it. */
export class PrivateFile {
  readonly path: string;

  constructor(
    private readonly dataDir: string,
    name: string,
  ) {
    this.path = join(dataDir, name);
  }

  get exists(): boolean {
    return existsSync(this.path);
  }

  /** Writes the file atomically and durably. */
  write(text: string): void {
    makeFolder(this.dataDir, 0o700);
    const draft = `${this.path}.new`;
    rmSync(draft, { force: true });
    writeFileSync(draft, `${text}\n`, { flag: 'wx', mode: 0o600, flush: true });
    renameSync(draft, this.path);
  }

  remove(): void {
    rmSync(this.path, { force: true });
  }
}

interface FirstAccount {
  readonly id: string;
  readonly username: string;
}

/** The file with the initial administrator's generated password. */
export const initialAdminFile = (dataDir: string): PrivateFile =>
  new PrivateFile(dataDir, 'initial-admin.json');

/** Removes the file if it belongs to this account, whose password changed. Renamed accounts keep their id. */
export function forgetFirstPassword(dataDir: string, account: Partial<FirstAccount>): void {
  const first = readInitialAdmin(dataDir);
  if (first && (first.id === account.id || (account.id === undefined && first.username === account.username)))
    initialAdminFile(dataDir).remove();
}

/** The account in the file; undefined if the file does not exist or was not written by us. */
export function readInitialAdmin(dataDir: string): FirstAccount | undefined {
  const { path } = initialAdminFile(dataDir);
  if (!existsSync(path)) return undefined;
  try {
    const content: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (!isJsonObject(content)) return undefined;
    const { id, username } = content;
    if (typeof id !== 'string' || typeof username !== 'string') return undefined;
    return { id, username: username.toLowerCase() };
  } catch {
    return undefined;
  }
}
