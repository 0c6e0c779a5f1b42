import { existsSync, readFileSync } from 'node:fs';
import { isJsonObject } from '../platform/common/json.js';
import { PrivateFile } from './private-file.js';

/** The account of the first administrator, as far as it is known. */
export interface FirstAccount {
  readonly id?: string;
  readonly username: string;
}

/** The file of the first administrator, whose password the first start made. */
export const initialAdminFile = (dataDir: string): PrivateFile =>
  new PrivateFile(dataDir, 'initial-admin.json');

/** Removes the file if it is about this account, whose password has changed. An account is known by its id, even if it was renamed. */
export function forgetFirstPassword(dataDir: string, { id, username }: FirstAccount): void {
  const first = readInitialAdmin(dataDir);
  if (!first) return;
  const isAbout = first.id === undefined || id === undefined ? first.username === username : first.id === id;
  if (isAbout) initialAdminFile(dataDir).remove();
}

/** Whom the file is about; undefined if there is none, or it is somebody's own. */
export function readInitialAdmin(dataDir: string): FirstAccount | undefined {
  const { path } = initialAdminFile(dataDir);
  if (!existsSync(path)) return undefined;
  try {
    const content: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (!isJsonObject(content) || typeof content['username'] !== 'string') return undefined;
    const username = content['username'].toLowerCase();
    return typeof content['id'] === 'string' ? { id: content['id'], username } : { username };
  } catch {
    return undefined;
  }
}
