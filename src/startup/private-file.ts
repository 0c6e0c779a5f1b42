import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../platform/common/files.js';

/** A file in the data folder that keeps a secret for the person who runs the server. Only they can read it. */
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
    const file = openSync(draft, 'wx', 0o600);
    try {
      writeSync(file, `${text}\n`);
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
