import { readFileSync, statSync } from 'node:fs';
import { CommandRefused } from '../../platform/common/errors/command-refused.js';
import { Faults, Misfit } from './faults.js';
import { type Field, listOf, readMap, readText } from './field.js';
import { type Entry, isWebhook, KIND_NAMES, type KindName, kindOf } from './kinds.js';
import { parseTree, type Tree } from './yaml-tree.js';

/** The version of the format. */
export const VERSION = 1;
const MAX_BYTES = 1024 * 1024;
const MAX_OBJECTS = 10_000;
const ID = /^[0-9a-f]{12}$/;
/** Names of channels, accounts and connections. */
const NAME = /^[a-z0-9._-]{1,64}$/;

/** What a file says. */
export interface HooksFile {
  /** The teams that it describes, with their lines. */
  readonly teams: ReadonlyMap<string, number>;
  /** Kinds that are not here are left alone. */
  readonly kinds: ReadonlySet<KindName>;
  readonly entries: readonly Entry[];
}

/** Reads a file of at most 1 MiB. Throws CommandRefused. */
export function readFileText(file: string): string {
  try {
    if (statSync(file).size > MAX_BYTES)
      throw new CommandRefused(`${file} has more than ${MAX_BYTES} bytes.`);
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    if (error instanceof CommandRefused) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CommandRefused(`${file} cannot be read: ${code ?? message}.`);
  }
}

/** Parses and checks a file, except for what only the server knows. Throws CommandRefused with the lines. */
export async function parseHooksFile(text: string, faults: Faults): Promise<HooksFile> {
  const tree = await parseTree(text).catch((error: unknown) => {
    if (!(error instanceof Misfit)) throw error;
    faults.add(error.line, error.message);
  });
  faults.throwIfAny();
  const file = tree && faults.catching(() => readTop(tree, faults));
  faults.throwIfAny();
  return file as HooksFile;
}

function readTop(tree: Tree, faults: Faults): HooksFile {
  const { version, teams: teamList, ...sections } = Object.fromEntries(readMap(tree)) as Record<string, Tree>;
  if (version?.value !== VERSION)
    throw new Misfit(version?.line ?? tree.line, `"version: ${VERSION}" is missing`);
  if (!teamList) throw new Misfit(tree.line, '"teams" is missing: it lists the names of the teams');
  const names = listOf((item) => [readText(item), item.line] as const)(teamList);
  const teams = new Map(names);
  if (teams.size < names.length) faults.add(teamList.line, 'a team is here twice');
  const kinds = new Set<KindName>();
  const seen = new Map<string, number>();
  const entries: Entry[] = [];
  for (const [section, list] of Object.entries(sections)) {
    if (!isKind(section)) {
      faults.add(list.line, `unknown key ${JSON.stringify(section)}`);
      continue;
    }
    kinds.add(section);
    const items = faults.catching(() => (list.value === null ? [] : listOf((item) => item)(list))) ?? [];
    if (entries.length + items.length > MAX_OBJECTS)
      throw new Misfit(list.line, `there are more than ${MAX_OBJECTS} objects`);
    for (const item of items) {
      const entry = faults.catching(() => readEntry(section, item, faults));
      if (!entry) continue;
      entries.push(entry);
      if (kindOf(section).isInTeam && !teams.has(entry.team))
        faults.add(item.line, `the team ${JSON.stringify(entry.team)} is not listed in "teams"`);
      const key = entry.id ?? `${entry.team}/${entry.name}`;
      const first = seen.get(`${section} ${key}`);
      if (first !== undefined) faults.add(item.line, `the object of line ${first} has the same name or id`);
      seen.set(`${section} ${key}`, item.line);
    }
  }
  return { teams, kinds, entries };
}

function readEntry(kind: KindName, tree: Tree, faults: Faults): Entry {
  const { key, isInTeam, fields } = kindOf(kind);
  const given = readMap(tree);
  const own = new Set([
    key,
    ...(isInTeam ? ['team'] : []),
    ...(isWebhook(kind) ? ['id', 'renamed_from'] : []),
  ]);
  for (const [name, { line }] of given)
    if (!own.has(name) && !Object.hasOwn(fields, name))
      faults.add(line, `unknown key ${JSON.stringify(name)}`);
  const textOf = (name: string): string | undefined => {
    const value = given.get(name);
    return value && named(name, () => readText(value));
  };
  const [name = '', team = '', id, renamedFrom] = [key, 'team', 'id', 'renamed_from'].map(textOf);
  if (name === '' && id === undefined) throw new Misfit(tree.line, `"${key}" is missing`);
  if (!isWebhook(kind) && !NAME.test(name))
    throw new Misfit(tree.line, `${key}: it must have 1 to 64 of a–z, 0–9, dot, dash and underscore`);
  if (team === '' && isInTeam) throw new Misfit(tree.line, '"team" is missing');
  if (id !== undefined && !ID.test(id))
    throw new Misfit(tree.line, 'id: it must be the 12 characters that an export writes');
  const read = Object.entries(fields).map(([field, rule]) => [
    field,
    faults.catching(() => named(field, () => readField(rule, given.get(field), tree))),
  ]);
  return {
    ...{ kind, team, name, line: tree.line, fields: Object.fromEntries(read) as Entry['fields'] },
    ...(id !== undefined && { id }),
    ...(renamedFrom !== undefined && { renamedFrom }),
  };
}

function readField(
  { read, fallback, isRequired = false }: Field,
  tree: Tree | undefined,
  { line }: Tree,
): unknown {
  if (tree && tree.value !== null) return read(tree);
  if (isRequired) throw new Misfit(line, 'it is missing');
  return fallback;
}

/** Puts the name of the field before the reason. */
function named<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof Misfit ? new Misfit(error.line, `${name}: ${error.message}`) : error;
  }
}

function isKind(name: string): name is KindName {
  return (KIND_NAMES as readonly string[]).includes(name);
}
