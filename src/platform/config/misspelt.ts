import { editDistance } from '../common/edit-distance.js';
import type { Env } from './parse.js';

/** Shorter names of the environment are too often close to one of ours by chance. */
const MIN_LENGTH = 8;
const MAX_DISTANCE = 2;
const MAX_NAMED = 20;
const MAX_NAME_LENGTH = 60;
/** What the runtime and the SDK of OpenTelemetry read, and may stand in `.env` as well. */
const OF_THE_RUNTIME =
  /^(?:NODE_|OTEL_|UV_|SSL_CERT_|npm_|TZ$|LANG$|LC_|PATH$|HOME$|https?_proxy$|no_proxy$)/i;

/**
 * A sentence for each variable that looks like a setting and is none: all that `.env` sets, and those of the environment
 * that are close to the name of a setting.
 */
export function misspeltSettings(
  env: Env,
  inFile: readonly string[],
  settings: ReadonlySet<string>,
): readonly string[] {
  const names = new Set([...inFile, ...Object.keys(env).filter((name) => name.length >= MIN_LENGTH)]);
  const sentences: string[] = [];
  for (const name of names) {
    if (settings.has(name) || OF_THE_RUNTIME.test(name)) continue;
    const nearest = nearestTo(name, settings);
    const isInFile = inFile.includes(name);
    if (nearest === undefined && !isInFile) continue;
    const where = isInFile ? ' in .env' : '';
    const advice = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
    sentences.push(`There is no setting ${printable(name)}${where}: it has no effect.${advice}`);
  }
  return sentences.slice(0, MAX_NAMED);
}

/** The setting that differs least, in at most two letters; the one in other letters' case is nearest. */
function nearestTo(name: string, settings: ReadonlySet<string>): string | undefined {
  let nearest: string | undefined;
  let least = MAX_DISTANCE + 1;
  for (const setting of settings) {
    const distance = editDistance(name.toUpperCase(), setting, least - 1);
    if (distance < least) [nearest, least] = [setting, distance];
  }
  return nearest;
}

function printable(name: string): string {
  return name.replace(/[^\x20-\x7e]/g, '?').slice(0, MAX_NAME_LENGTH);
}
