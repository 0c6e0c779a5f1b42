import { readFileSync } from 'node:fs';
import { PrivateFile } from './private-file.js';

/** The file of the first administrator, whose password the first start made. */
export const initialAdminFile = (dataDir: string): PrivateFile =>
  new PrivateFile(dataDir, 'initial-admin.json');

/** Removes the file if it is about this account, whose password has changed. */
export function forgetFirstPassword(dataDir: string, username: string): void {
  const file = initialAdminFile(dataDir);
  if (file.exists && isAbout(username, readFileSync(file.path, 'utf8'))) file.remove();
}

function isAbout(username: string, text: string): boolean {
  try {
    return (JSON.parse(text) as { username?: string }).username?.toLowerCase() === username;
  } catch {
    return false; // somebody's own file
  }
}
