import { existsSync, readFileSync } from 'node:fs';
import { isJsonObject } from '../platform/common/json.js';
import { PrivateFile } from './private-file.js';

/** The account of the first administrator. */
export interface FirstAccount {
  readonly id: string;
  readonly username: string;
}

/** The file of the first administrator, whose password the first start made. */
export const initialAdminFile = (dataDir: string): PrivateFile =>
  new PrivateFile(dataDir, 'initial-admin.json');

/** Removes the file if it is about this account, whose password has changed. An account that was renamed keeps its id. */
export function forgetFirstPassword(dataDir: string, account: Partial<FirstAccount>): void {
  const first = readInitialAdmin(dataDir);
  if (first && (first.id === account.id || (account.id === undefined && first.username === account.username)))
    initialAdminFile(dataDir).remove();
}

/** Whom the file is about; undefined if there is none, or it is somebody's own. */
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
