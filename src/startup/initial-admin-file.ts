import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../platform/common/files.js';

/** The credentials of the first administrator. */
export interface InitialAdmin {
  readonly username: string;
  readonly email: string;
  readonly password: string;
}

/** `initial-admin.json` in the data folder: the only place where a generated password is shown. */
export class InitialAdminFile {
  readonly path: string;

  constructor(private readonly dataDir: string) {
    this.path = join(dataDir, 'initial-admin.json');
  }

  get exists(): boolean {
    return existsSync(this.path);
  }

  /** Writes the file atomically and durably, readable only by its owner. */
  write(admin: InitialAdmin): void {
    makeFolder(this.dataDir, 0o700);
    const draft = `${this.path}.new`;
    rmSync(draft, { force: true });
    const file = openSync(draft, 'wx', 0o600);
    try {
      writeSync(file, `${JSON.stringify(admin, null, 2)}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, this.path);
  }

  remove(): void {
    rmSync(this.path, { force: true });
  }
}
