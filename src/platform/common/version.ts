import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Hookline's own version, from package.json. */
export const VERSION = readVersion(__dirname);

/** The Mattermost version of the implemented API. Clients enable features by it. */
export const API_VERSION = '11.6.0';

function readVersion(folder: string): string {
  const file = join(folder, 'package.json');
  if (existsSync(file)) return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
  return readVersion(dirname(folder));
}
