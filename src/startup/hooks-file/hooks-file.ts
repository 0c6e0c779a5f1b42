import { readFileSync, statSync } from 'node:fs';
import { CommandRefused } from '../../platform/common/errors/command-refused.js';
import { isJsonObject, type JsonObject } from '../../platform/common/json.js';
import { listOf, text } from './field.js';
import {
  type Fields,
  hasId,
  isWebhook,
  keyOf,
  KIND_NAMES,
  type KindName,
  kindOf,
  type Named,
} from './kinds.js';
import { Misfit, within, YamlFile } from './yaml-file.js';

/** The version of the format. */
export const VERSION = 1;
const MAX_BYTES = 1024 * 1024;
const MAX_OBJECTS = 10_000;
const ID = /^[0-9a-f]{12}$/;
/** Names of channels, accounts and connections. */
const NAME = /^[a-z0-9._-]{1,64}$/;
const { read: readText } = text();

/** An object of the file. */
export interface Entry extends Named {
  readonly path: readonly [KindName, number];
  /** A digest of the id of a webhook whose name is not unique. */
  readonly id?: string;
  readonly renamedFrom?: string;
  /** Those with a default are always here. */
  readonly fields: Fields;
}

/** What a file says. */
export interface HooksFile {
  readonly yaml: YamlFile;
  readonly teams: readonly string[];
  /** Kinds that are not here are left alone. */
  readonly kinds: ReadonlySet<KindName>;
  readonly entries: readonly Entry[];
}

/** The text of a file of at most 1 MiB. Throws CommandRefused. */
export function readFileText(file: string): string {
  try {
    if (statSync(file).size > MAX_BYTES) throw new RangeError(`it has more than ${MAX_BYTES} bytes`);
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    throw new CommandRefused(`${file} cannot be read: ${(error as Error).message}.`);
  }
}

/** Parses and checks a file, except for what only the server knows. Throws CommandRefused with the lines. */
export async function parseHooksFile(name: string, content: string): Promise<HooksFile> {
  const yaml = await YamlFile.parse(name, content);
  const file = yaml.check([], () => readTop(yaml));
  yaml.refuseIfFaulty();
  return file as HooksFile;
}

function readTop(yaml: YamlFile): HooksFile {
  const { version, teams: teamList, ...sections } = objectOf(yaml.value);
  if (version !== VERSION) throw new Misfit(`it must be ${VERSION}`, ['version']);
  const teams = within('teams', () => listOf(readText)(teamList)) as readonly string[];
  const entries = Object.entries(sections).flatMap(([section, list]) => {
    if (!isKind(section)) throw new Misfit(`unknown key ${JSON.stringify(section)}`, [section]);
    const items = within(section, () => (list === null ? [] : listOf((item) => item)(list)));
    if (items.length > MAX_OBJECTS) throw new Misfit(`it has more than ${MAX_OBJECTS} objects`, [section]);
    return items.flatMap(
      (item, index) => yaml.check([section, index], () => readEntry([section, index], item, teams)) ?? [],
    );
  });
  const seen = new Set<string>();
  for (const entry of entries) {
    const key = keyOf(entry, entry.id);
    if (seen.has(key))
      yaml.add(entry.path, `another object has the same ${entry.id === undefined ? 'name' : 'id'}`);
    seen.add(key);
  }
  return { yaml, teams, kinds: new Set(Object.keys(sections) as KindName[]), entries };
}

function readEntry(path: Entry['path'], value: unknown, teams: readonly string[]): Entry {
  const [kind] = path;
  const { key, isInTeam, fields: rules } = kindOf(kind);
  const given = objectOf(value);
  const own = [
    key,
    ...(isInTeam ? ['team'] : []),
    ...(hasId(kind) ? ['id'] : []),
    ...(isWebhook(kind) ? ['renamed_from'] : []),
  ];
  const [name = '', team = '', id, renamedFrom] = [key, 'team', 'id', 'renamed_from'].map((each) =>
    given[each] === undefined ? undefined : (within(each, () => readText(given[each])) as string),
  );
  const rule = (isMet: boolean, field: string, reason: string): void => {
    if (!isMet) throw new Misfit(reason, [field]);
  };
  for (const each of Object.keys(given))
    rule(own.includes(each) || Object.hasOwn(rules, each), each, 'unknown key');
  rule(!isInTeam || teams.includes(team), 'team', 'it must be one of "teams"');
  rule(id === undefined || ID.test(id), 'id', 'it must be the 12 characters that an export writes');
  if (isWebhook(kind)) rule(name !== '' || id !== undefined, key, 'it is missing');
  else rule(NAME.test(name), key, 'it must have 1 to 64 of a–z, 0–9, dot, dash and underscore');
  const fields = Object.entries(rules).map(([field, { read, fallback, isRequired }]) => {
    const one = given[field] ?? undefined;
    rule(one !== undefined || isRequired !== true, field, 'it is missing');
    return [field, one === undefined ? fallback : within(field, () => read(one))];
  });
  return { kind, team, name, path, id, renamedFrom, fields: Object.fromEntries(fields) as Fields };
}

function objectOf(value: unknown): JsonObject {
  if (isJsonObject(value)) return value;
  throw new Misfit('it must be a map of keys and values');
}

function isKind(name: string): name is KindName {
  return (KIND_NAMES as readonly string[]).includes(name);
}
