import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../common/files.js';

const FILE = 'secrets.bound';
const TEXT = `Every secret in the database is sealed for its row, and secrets in the form of earlier versions are refused.
Delete this file, while the server is stopped, only after restoring a database from before that.
`;

/**
 * Whether secrets that earlier servers have sealed may still be sealed anew. Once all were, a file in the data folder
 * says so: from the database it could be removed by whoever wants to bring such a secret back.
 */
export class UnboundSecrets {
  readonly path: string;

  constructor(private readonly dataDir: string) {
    this.path = path.join(dataDir, FILE);
  }

  get areAccepted(): boolean {
    return !existsSync(this.path);
  }

  /** From now on they are refused. Throws the errors of the file system. */
  refuse(): void {
    if (!this.areAccepted) return;
    makeFolder(this.dataDir, 0o700);
    writeFileSync(this.path, TEXT, { mode: 0o600, flush: true });
  }
}
